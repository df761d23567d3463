import { createHash, createHmac } from 'node:crypto'
import type { Bucket } from '../../config/files.ts'

/**
 * The signature of a request to S3 (AWS Signature Version 4): over method, path, query, the headers that are sent, and
 * the digest of the body.
 */
export interface ToSign {
  readonly method: string
  /** As it stands in the request line. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** @returns the headers to send, with those given */
export function signed(
  { endpoint, region, accessKeyId, secretAccessKey }: Bucket,
  { method, path, query, headers, body }: ToSign,
  now = new Date(),
): Record<string, string> {
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const sent: Record<string, string> = {
    ...headers,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': time,
  }
  const all: Record<string, string> = { ...sent, host: new URL(endpoint).host }
  const names = Object.keys(all).sort()
  const request = [
    method,
    path,
    queryOf(query),
    ...names.map((name) => `${name}:${all[name]!.trim()}`),
    '',
    names.join(';'),
    sent['x-amz-content-sha256'],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`)
  const signature = hmac(key, text).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...sent, authorization }
}

/** The query in the order in which it is signed, and sent. */
export const queryOf = (query: Readonly<Record<string, string>>): string =>
  Object.keys(query)
    .sort()
    .map((name) => `${coded(name)}=${coded(query[name]!)}`)
    .join('&')

/** Everything but letters, digits and `-_.~`, as RFC 3986 has it. */
export const coded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
