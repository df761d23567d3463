import { createHash } from 'node:crypto'
import { IncomingBytes } from '../../server/bytes.ts'
import type { Caller } from '../../server/caller/caller.ts'
import type { TestService } from './service.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Bytes as a call brings them, in small chunks. */
export async function* chunks(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const incoming = (bytes: Uint8Array, length: number | null = bytes.length): IncomingBytes =>
  new IncomingBytes('application/octet-stream', length, chunks(bytes))

/** What a file looks like to its callers. */
export interface SentFile {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly sha256: string
  readonly parts: number[]
}

const PART = 64 * 1024

/** Begins a file; its parts are of 64 KB. */
export async function beginFile(
  one: TestService,
  caller: Caller,
  name: string,
  content: Uint8Array,
  given: object = {},
): Promise<SentFile> {
  const input = { name, bytes: content.length, sha256: sha256(content), partBytes: PART, ...given }
  return (await one.call(caller, 'createFile', input)).body as SentFile
}

export const partOf = (content: Uint8Array, number: number): Uint8Array =>
  content.subarray((number - 1) * PART, number * PART)

export async function sendPart(
  one: TestService,
  caller: Caller,
  id: string,
  number: number,
  bytes: Uint8Array,
  more: object = {},
): Promise<SentFile> {
  const input = { id, number: String(number), content: incoming(bytes), ...more }
  return (await one.call(caller, 'putFilePart', input)).body as SentFile
}

/** Sends a file whole. */
export async function sendFile(
  one: TestService,
  caller: Caller,
  name = 'review.txt',
  content: Uint8Array = Buffer.from('Reviewed on Monday.'),
): Promise<SentFile> {
  const { id } = await beginFile(one, caller, name, content)
  for (let number = 1; number <= Math.ceil(content.length / PART); number++)
    await sendPart(one, caller, id, number, partOf(content, number))
  return (await one.call(caller, 'finishFile', { id })).body as SentFile
}
