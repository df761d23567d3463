import { createHmac } from 'node:crypto'
import { TEST_MESSAGE } from '../../webhooks/send-by-hand.ts'
import { USER_AGENT } from '../../webhooks/sent-headers.ts'
import { encodeSecret, sign } from '../../webhooks/signature.ts'

/*
 * One delivery with every number that a receiver meets on the way to its verdict, so that whoever writes a check can
 * compare each step. The secret is 32 bytes that count up, and nobody's.
 */

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
const id = 'dlv_01k9f8qxk2e9mbz6w0h5t4v3ra'
const timestamp = 1_779_012_000
const body = JSON.stringify({
  id: 'sig_01k9f8qxk1fy0rj3v6c8n2d5ta',
  type: 'webhook.test',
  time: new Date(timestamp * 1_000 - 120).toISOString(),
  organizationId: 'org_01k9f8q0pwe7xaj4y2m6z8s1vb',
  subject: { type: 'webhook_endpoint', id: 'whe_01k9f8qrs4f2kbn9d3x7g6h0wc' },
  data: { message: TEST_MESSAGE },
})
const content = `${id}.${timestamp}.${body}`

export const example = {
  secret: encodeSecret(key),
  keyHex: key.toString('hex'),
  id,
  timestamp: String(timestamp),
  body,
  bodyBytes: Buffer.byteLength(body),
  content,
  hmacHex: createHmac('sha256', key).update(content).digest('hex'),
  signature: sign(key, id, timestamp, Buffer.from(body)),
} as const

/** As it arrives. */
export const exampleRequest = `POST /plumbline HTTP/1.1
host: hooks.example.com
content-type: application/json
user-agent: ${USER_AGENT}
webhook-id: ${example.id}
webhook-timestamp: ${example.timestamp}
webhook-signature: ${example.signature}
content-length: ${example.bodyBytes}

${example.body}`
