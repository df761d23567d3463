import type { Writable } from 'node:stream'

/**
 * Makes a connection send what is written in one turn of the event loop with one system call.
 *
 * A pipelined transaction writes each of its statements apart, and the system calls for that cost more
 * than anything else the service does for a request. Held back until the turn ends, `begin`, the settings
 * and the first read leave as one packet, and so do a write and its commit.
 *
 * @param stream of a connection that stands: a socket puts its own `write` back when it connects
 */
export function sendInBursts(stream: Writable): void {
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
