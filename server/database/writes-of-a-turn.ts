import type { Writable } from 'node:stream'

/**
 * Makes a connection send what is written in one turn of the event loop with one system call.
 *
 * Each statement of a pipeline is written apart, and a system call costs more than making what it writes. Held back
 * until the turn ends, all of them leave as one packet.
 *
 * @param stream of a connection that stands: a socket puts its own `write` back when it connects
 */
export function writeOnceATurn(stream: Writable): void {
  const write = stream.write
  let holding = false
  const release = () => {
    holding = false
    stream.uncork()
  }
  stream.write = ((...args: Parameters<Writable['write']>) => {
    if (!holding) {
      holding = true
      stream.cork()
      process.nextTick(release)
    }
    return write.apply(stream, args)
  }) as Writable['write']
}
