/**
 * Signatures of deliveries: the scheme `v1` of Standard Webhooks (https://www.standardwebhooks.com).
 */
import { createHmac } from 'node:crypto'

const secretBytes = 32
const secretPrefix = 'whsec_'

/**
 * The value of one `webhook-signature` entry, `v1,<base64>`: HMAC-SHA256 under the 32 secret bytes over
 * `<webhook-id>.<webhook-timestamp>.<body>`. `content` is those bytes, joined already (`signedContent`), so that the
 * body is encoded once and the bytes signed are the bytes sent.
 */
export function sign(secret: Buffer, content: Buffer): string {
  if (secret.length !== secretBytes) throw new RangeError(`A webhook secret has ${secretBytes} bytes.`)
  return `v1,${createHmac('sha256', secret).update(content).digest('base64')}`
}

/**
 * What is signed, and within it the body to send, in memory of its own (`letGo`). `timestamp` is in unix seconds.
 */
export function signedContent(
  id: string,
  timestamp: number,
  body: string,
): { content: Buffer; body: Buffer } {
  const before = `${id}.${timestamp}.`
  const text = before + body
  const content = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  content.write(text)
  return { content, body: content.subarray(Buffer.byteLength(before)) }
}

/**
 * Frees the memory of what was signed and sent, which otherwise lies there until everything is next collected: thousands
 * of bodies a second outlive the quick collections of what is young. Whoever still has it finds it empty.
 */
export function letGo(content: Buffer): void {
  ;(content.buffer as ArrayBuffer).transfer(0)
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
