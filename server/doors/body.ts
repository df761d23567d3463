import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { TAKES_AT_MOST } from '../operation.ts'
import { Refusal, tooLarge } from '../refusal.ts'
import { notJson } from './problem.ts'

/**
 * The JSON body of a request, or undefined where it has none.
 *
 * It is read here and not by the framework, so that a request is authenticated before a byte of its body is
 * kept: what nobody vouches for costs no memory.
 *
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`, `malformed_request`
 */
export async function readJson(request: IncomingMessage, limit = TAKES_AT_MOST.bytes): Promise<unknown> {
  const { headers } = request
  const length = headers['content-length']
  if (length === '0' || (length === undefined && headers['transfer-encoding'] === undefined)) return undefined
  if (Number(length) > limit) throw tooLarge(limit)
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) return undefined
  refuseOtherThanJson(headers['content-type'], headers['content-encoding'])
  return parseJson(bytes)
}

/**
 * All of a body.
 * @throws {Refusal} `body_too_large`; `malformed_request` where it ends before its time
 */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= limit) chunks.push(chunk)
    else reject(tooLarge(limit)) // what still comes is read and dropped: an unread body would cost the answer
  })
  request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
  request.on('error', () =>
    reject(new Refusal('malformed_request', 'The body ended too early: send all that Content-Length says.')),
  )
  return promise
}

/** A body that says nothing of itself is taken for JSON. */
function refuseOtherThanJson(type: string | undefined, encoding: string | undefined): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw notJson()
  if (type === undefined) return
  const [name = '', ...parameters] = type.toLowerCase().split(';')
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(name.trim())) throw notJson()
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='))
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw notJson()
}

/**
 * What JSON in UTF-8 says.
 * @throws {Refusal} `malformed_request`
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Refusal('malformed_request', 'The body is not UTF-8: send it as UTF-8.')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new Refusal('malformed_request', `The body is not JSON: ${reasonOf(error)}.`)
  }
}

/** Where the parser stopped, without the part of its message that repeats the body. */
export function reasonOf(error: unknown): string {
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec((error as Error).message)
  return position ? `it breaks ${position[0]}` : 'it ends too early, or something stands before or behind it'
}
