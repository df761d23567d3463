import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ByteRange, IncomingBytes, type Streamed } from '../bytes.ts'
import { Refusal } from '../refusal.ts'
import { bodyBlocks } from './body-blocks.ts'
import { freedOnceSent } from './freed.ts'

/** The bytes of a request, for an operation that takes them: none is read before it asks for them. */
export function bytesOf({ raw }: FastifyRequest): IncomingBytes {
  const { 'content-type': type = '', 'content-length': length } = raw.headers
  return new IncomingBytes(
    type.split(';', 1)[0]!.trim().toLowerCase(),
    length === undefined ? null : Number(length),
    bodyBlocks(raw),
  )
}

/**
 * Answers bytes: as a file to be saved, whatever they are, that no page shows, runs or reads the type of anew; where
 * their number is known, also a part of them.
 * @throws {Refusal} `range_not_satisfiable`
 */
export function sendStream(request: FastifyRequest, reply: FastifyReply, streamed: Streamed): FastifyReply {
  const { name, type, bytes } = streamed
  const range = bytes === null ? undefined : rangeIn(request.headers.range, bytes, reply)
  reply.headers({
    'content-type': type,
    'content-disposition': dispositionOf(name),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.from}-${range.to}/${bytes}`)
  if (bytes !== null)
    reply.headers({ 'accept-ranges': 'bytes', 'content-length': range ? range.to - range.from + 1 : bytes })
  const content = streamed.open(range)
  return reply.send(
    streamed.mayFree ? freedOnceSent(content, reply.raw) : Readable.from(content, { objectMode: false }),
  )
}

/** One range is given as asked; of several, or of another form, all bytes are, as RFC 9110 allows. */
function rangeIn(header: string | undefined, bytes: number, reply: FastifyReply): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (first !== '' && last !== '' && Number(last) < from) return undefined
  if (from < bytes && from <= to) return { from, to }
  reply.header('content-range', `bytes */${bytes}`)
  throw new Refusal('range_not_satisfiable', `The file has ${bytes} bytes: ask for some of these.`)
}

/** The name in both forms of RFC 6266: for old readers in ASCII, for the others as it is. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const coded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`
}
