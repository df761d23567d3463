import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { refuseUnstorable } from '../../input.ts'
import { canonicalResource } from '../../oauth/resource.ts'
import { parseJson } from '../body.ts'
import { readQuery } from '../query.ts'

/** What is wrong with a body, form or JSON, in words for who sent it; null where the library may read it. */
export function bodyFault(type: string | undefined, bytes: Buffer): string | null {
  try {
    refuseUnstorable(/json/i.test(type ?? '') ? parseJson(bytes) : fieldsOf(bytes))
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** A form is written as a query is (application/x-www-form-urlencoded). */
const fieldsOf = (bytes: Buffer): object => Object.fromEntries(readQuery(`?${bytes.toString('utf8')}`))

/** A form with the resource as we write it; anything else as it is. */
export function withCanonicalResource(type: string | undefined, bytes: Buffer, config: Config): Buffer {
  const text = bytes.toString('utf8')
  if (/json/i.test(type ?? '') || !/(^|&)resource=/.test(text)) return bytes
  const form = [...new URLSearchParams(text)].map(([name, value]) => [
    name,
    name === 'resource' ? canonicalResource(config, value) : value,
  ])
  return Buffer.from(new URLSearchParams(form).toString())
}

/** A request whose body was read, for a reader who wants to read it. */
export function readAgain(raw: IncomingMessage, bytes: Buffer): IncomingMessage {
  const { rawHeaders, method, url, httpVersion, httpVersionMajor, httpVersionMinor, socket } = raw
  const { headers } = raw
  if (headers['content-length'] !== undefined) headers['content-length'] = String(bytes.length)
  return Object.assign(Readable.from(bytes.length > 0 ? [bytes] : [], { objectMode: false }), {
    headers,
    rawHeaders,
    method,
    url,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    socket,
  }) as unknown as IncomingMessage
}
