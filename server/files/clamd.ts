import { connect } from 'node:net'

/**
 * Asks clamd what it thinks of some bytes: over its INSTREAM, in which each chunk comes behind its length, and a length
 * of nothing ends them.
 */
export interface Verdict {
  /** The name of what it found; null where it found nothing. */
  readonly finding: string | null
}

/** Without a word for so long, it is as good as gone. */
const SILENCE = 60_000

/** @throws where it cannot be reached, ends before it has answered, or says that it could not do it */
export async function scan(
  { host, port }: { host: string; port: number },
  content: AsyncIterable<Uint8Array>,
): Promise<Verdict> {
  const socket = connect({ host, port })
  socket.setTimeout(SILENCE, () => socket.destroy(new Error('the scanner has fallen silent')))
  const answer: Buffer[] = []
  const { promise: answered, resolve, reject } = Promise.withResolvers<string>()
  answered.catch(() => {})
  socket.on('data', (chunk: Buffer) => answer.push(chunk))
  socket.on('end', () => resolve(Buffer.concat(answer).toString('utf8').replaceAll('\0', '').trim()))
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the scanner closed the connection')))
  const send = (bytes: Uint8Array) =>
    new Promise<void>((sent, failed) => {
      // The error of the socket says more than that of the write, and comes behind it.
      socket.write(bytes, (error) => (error ? void answered.then(() => failed(error), failed) : sent()))
    })
  try {
    await send(Buffer.from('zINSTREAM\0'))
    for await (const chunk of content) {
      // It says so and hangs up where a file is longer than it is set to read.
      if (answer.length > 0) break
      await send(framed(chunk))
    }
    if (answer.length === 0) await send(Buffer.alloc(4))
    return verdictOf(await answered)
  } catch (error) {
    throw answer.length > 0 ? new Error(`the scanner says: ${Buffer.concat(answer)}`) : error
  } finally {
    socket.destroy()
  }
}

function framed(chunk: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length)
  return Buffer.concat([length, chunk])
}

function verdictOf(words: string): Verdict {
  if (words === 'stream: OK') return { finding: null }
  const [, finding] = /^stream: (.+) FOUND$/.exec(words) ?? []
  if (finding === undefined) throw new Error(`the scanner says: ${words}`)
  return { finding }
}
