/** Promise: a receiver can verify every delivery with a library it already has. */
import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sender } from '../server/webhooks/request.ts'
import { decodeSecret, encodeSecret, sign } from '../server/webhooks/signature.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { expectClosed, openTestSender, send } from './support/sender.ts'

let sender: Sender
let receiver: Receiver
/** The time of the sender, moved by the tests. */
let now = Date.now()
beforeAll(async () => {
  sender = await openTestSender({ now: () => now })
  receiver = await startReceiver()
})
afterAll(async () => {
  await expectClosed(sender)
  await receiver.close()
})

const secretBytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))

function signedHeaders(secret: Buffer, id: string, body: string, timestamp = Math.floor(Date.now() / 1_000)) {
  return {
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': sign(secret, id, timestamp, Buffer.from(body)),
  }
}

test('any Unicode body verifies with standardwebhooks', () => {
  const json = fc.json({ stringUnit: 'binary' })
  const id = fc.stringMatching(/^[A-Za-z0-9_:-]{1,60}$/)
  fc.assert(
    fc.property(secretBytes, id, json, (secret, deliveryId, body) => {
      const webhook = new Webhook(encodeSecret(secret))
      expect(webhook.verify(body, signedHeaders(secret, deliveryId, body))).toEqual(JSON.parse(body))
    }),
    { numRuns: 2_000 },
  )
})

test('a megabyte verifies, and so does a body with a lone surrogate as it goes on the wire', () => {
  const secret = randomBytes(32)
  for (const body of [JSON.stringify('é'.repeat(500_000)), '"\ud800"']) {
    const wire = Buffer.from(body).toString()
    expect(new Webhook(encodeSecret(secret)).verify(wire, signedHeaders(secret, 'dlv_1', body))).toBeDefined()
  }
})

test('another body, id, time or secret does not verify', () => {
  const secret = randomBytes(32)
  const webhook = new Webhook(encodeSecret(secret))
  const body = '{"a": 1}'
  const headers = signedHeaders(secret, 'dlv_1', body)
  expect(webhook.verify(body, headers)).toEqual({ a: 1 })
  expect(() => webhook.verify(JSON.stringify(JSON.parse(body)), headers)).toThrow()
  expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'dlv_2' })).toThrow()
  const later = `${Number(headers['webhook-timestamp']) + 1}`
  expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow()
  expect(() => new Webhook(encodeSecret(randomBytes(32))).verify(body, headers)).toThrow()
})

test('the text of the secret is not the key', () => {
  const secret = randomBytes(32)
  const text = encodeSecret(secret)
  const body = Buffer.from('{}')
  for (const wrong of [text, text.slice('whsec_'.length)]) {
    expect(sign(secret, 'dlv_1', 1, body)).not.toBe(
      `v1,${createHmac('sha256', wrong).update('dlv_1.1.{}').digest('base64')}`,
    )
    expect(() => sign(Buffer.from(wrong), 'dlv_1', 1, body)).toThrow(RangeError)
  }
})

test('secrets survive their written form, and only that form is read', () => {
  fc.assert(
    fc.property(secretBytes, (secret) => {
      expect(decodeSecret(encodeSecret(secret))).toEqual(secret)
    }),
  )
  const good = encodeSecret(Buffer.alloc(32, 0xfb))
  const wrong = [
    '',
    'whsec_',
    good.slice(6),
    good.toUpperCase(),
    `${good} `,
    good.replace('=', ''),
    good.replaceAll('+', '-').replaceAll('/', '_'),
    `whsec_${Buffer.alloc(31).toString('base64')}`,
    `whsec_${Buffer.alloc(33).toString('base64')}`,
    `whsec_${Buffer.alloc(32).toString('hex')}`,
  ]
  for (const text of wrong) expect(decodeSecret(text)).toBeNull()
})

test('the request is what the contract says, in a fixed order, and new in time on each attempt', async () => {
  const secret = randomBytes(32)
  const body = '{"name":"Ünïcode ✓ \\u0000","n":1.0}'
  now = Date.now()
  const first = await send(sender, `${receiver.url}/hook?a=b`, { id: 'dlv_x', body, secret })
  now += 30_000
  const second = await send(sender, `${receiver.url}/hook?a=b`, { id: 'dlv_x', body, secret })

  const [one, two] = receiver.requests
  expect(one).toMatchObject({ method: 'POST', path: '/hook?a=b', body })
  expect(one!.rawHeaders.filter((_, index) => index % 2 === 0)).toEqual([
    'host',
    'connection',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'content-type',
    'user-agent',
    'accept-encoding',
    'content-length',
  ])
  expect(one!.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Plumbline-Webhooks/2.0',
    'accept-encoding': 'identity',
  })
  expect({ ...one!.headers }).toEqual(first.headers)
  expect({ ...two!.headers }).toEqual(second.headers)
  expect(new Webhook(encodeSecret(secret)).verify(one!.body, first.headers)).toEqual(JSON.parse(body))
  expect(second.sentAt - first.sentAt).toBe(30_000)
  expect(Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp'])).toBe(30)
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
})
