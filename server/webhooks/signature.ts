/**
 * Signatures of deliveries: the scheme `v1` of Standard Webhooks (https://www.standardwebhooks.com).
 */
import { createHmac } from 'node:crypto'

const secretBytes = 32
const secretPrefix = 'whsec_'

/**
 * The value of one `webhook-signature` entry, `v1,<base64>`: HMAC-SHA256 under the 32 secret bytes over
 * `<webhook-id>.<webhook-timestamp>.<body>`. `body` is the very bytes that are sent; `timestamp` is in unix seconds.
 */
export function sign(secret: Buffer, id: string, timestamp: number, body: Buffer): string {
  if (secret.length !== secretBytes) throw new RangeError(`A webhook secret has ${secretBytes} bytes.`)
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** The form a receiver is given: `whsec_` and the base64 of 32 bytes. */
export function encodeSecret(secret: Buffer): string {
  if (secret.length !== secretBytes) throw new RangeError(`A webhook secret has ${secretBytes} bytes.`)
  return secretPrefix + secret.toString('base64')
}

/** The 32 bytes of a `whsec_` secret; `null` for any other form, length or spelling of base64. */
export function decodeSecret(text: string): Buffer | null {
  if (!text.startsWith(secretPrefix)) return null
  const secret = Buffer.from(text.slice(secretPrefix.length), 'base64')
  // Buffer skips what is not base64; writing it again shows whether anything was skipped.
  return secret.length === secretBytes && encodeSecret(secret) === text ? secret : null
}
