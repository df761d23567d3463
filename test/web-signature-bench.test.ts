import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Arrived, type Cause, checkSignature } from '../web/client/signature-check.ts'
import { type Site, startSite } from './support/browser.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { loopbackSettings, type TestDelivery, type TestEndpoint } from './support/webhooks.ts'

/* Each common mistake of a receiver, made on purpose: the bench names it and no other. */

const key = randomBytes(32)
const secret = `whsec_${key.toString('base64')}`
const body = JSON.stringify({
  type: 'risk.created',
  data: { title: 'Café', ratio: 1.5, list: [1, { a: null }] },
})
const now = Math.floor(Date.now() / 1000)

const sign = (with_: Buffer | string, text: string) =>
  createHmac('sha256', with_).update(text).digest('base64')
const right = sign(key, `dlv_1.${now}.${body}`)
const headersOf = (id = 'dlv_1', timestamp: number | string = now, signature = `v1,${right}`) =>
  `webhook-id: ${id}\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}`
const logged = {
  found: true as const,
  body,
  attempts: [
    {
      headers: {
        'webhook-id': 'dlv_1',
        'webhook-timestamp': String(now),
        'webhook-signature': `v1,${right}`,
      },
    },
  ],
}
const crlf = `${body}\r\n{}`
const old = now - 3_600
const sameSpaced = body.replaceAll(',"', ', "').replaceAll('":', '": ').replace('[1,', '[1, ')

const MISTAKES: [string, Cause, Partial<Arrived>][] = [
  ['a header is missing', 'headers_missing', { headers: `webhook-id: dlv_1\nwebhook-timestamp: ${now}` }],
  [
    'a timestamp that is a date',
    'timestamp_unreadable',
    { headers: headersOf('dlv_1', '2026-01-01T00:00Z') },
  ],
  ['a signature without its version', 'signature_unreadable', { headers: headersOf('dlv_1', now, right) }],
  ['no secret', 'secret_missing', { secret: ' ' }],
  ['an API key for the secret', 'secret_not_one', { secret: 'comply_abcdefghijklmnopqrstuvwxyz012345' }],
  ['quotes around the secret', 'secret_spoiled', { secret: `"${secret}"` }],
  ['another secret', 'secret_wrong', { secret: `whsec_${randomBytes(32).toString('base64')}`, logged }],
  ['whsec_ not decoded', 'secret_not_decoded', { computed: sign(secret, `dlv_1.${now}.${body}`) }],
  [
    'whsec_ cut off and not decoded',
    'secret_not_decoded',
    { computed: sign(secret.slice(6), `dlv_1.${now}.${body}`) },
  ],
  [
    'pasted with the computed signature',
    'secret_not_decoded',
    { headers: headersOf('dlv_1', now, `v1,${sign(secret, `dlv_1.${now}.${body}`)}`) },
  ],
  ['a body laid out anew', 'body_reserialized', { body: JSON.stringify(JSON.parse(body), null, 2) }],
  ['a body as Python writes it', 'body_reserialized', { body: sameSpaced }],
  [
    'a signature over a body as Python writes it',
    'body_reserialized',
    { computed: sign(key, `dlv_1.${now}.${sameSpaced}`) },
  ],
  ['a line break at the end', 'body_newline_added', { body: `${body}\n` }],
  [
    'line breaks of Windows',
    'body_crlf',
    { body: crlf, headers: headersOf('dlv_1', now, `v1,${sign(key, `dlv_1.${now}.${body}\n{}`)}`) },
  ],
  ['a byte order mark', 'body_trimmed', { body: `\uFEFF${body}` }],
  ['a changed letter', 'body_changed', { body: body.replace('Café', 'Cafe'), logged }],
  ['an id that no delivery has', 'id_wrong', { headers: headersOf('dlv_2'), logged: { found: false } }],
  ['the id of another delivery', 'id_wrong', { headers: headersOf('dlv_2'), logged }],
  [
    'the timestamp of another attempt',
    'timestamp_changed',
    { headers: headersOf('dlv_1', now - 60), logged },
  ],
  ['a clock that is off', 'clock_off', { clock: now - 301 }],
  [
    'a delivery of an hour ago',
    'clock_off',
    { headers: headersOf('dlv_1', old, `v1,${sign(key, `dlv_1.${old}.${body}`)}`) },
  ],
  ['hexadecimal', 'computed_hex', { computed: Buffer.from(right, 'base64').toString('hex') }],
  ['the body alone', 'computed_body_only', { computed: sign(key, body) }],
  ['without the id', 'computed_without_id', { computed: sign(key, `${now}.${body}`) }],
  ['anything else', 'computed_wrong', { computed: sign('x', 'y') }],
  ['what cannot be told', 'secret_or_body', { body: body.replace('Café', 'Cafe') }],
]

test.each(MISTAKES)('%s is told as %s', async (_name, cause, change) => {
  const verdict = await checkSignature({ headers: headersOf(), body, secret, ...change })
  expect(verdict).toMatchObject({ authentic: false, cause })
})

test.each([
  ['lines', headersOf()],
  ['several signatures', headersOf('dlv_1', now, `v1,${sign('old', 'x')} v1,${right}`)],
  [
    'JSON',
    JSON.stringify({
      'Webhook-Id': 'dlv_1',
      'Webhook-Timestamp': [`${now}`],
      'webhook-signature': `v1,${right}`,
    }),
  ],
  [
    'arguments of curl',
    headersOf()
      .split('\n')
      .map((line) => `  -H '${line}' \\`)
      .join('\n'),
  ],
])('what fits is authentic, its headers pasted as %s', async (_form, headers) => {
  expect(await checkSignature({ headers, body, secret })).toEqual({ authentic: true, computedMatches: null })
})

test('where the bodies part is told to the byte', async () => {
  const verdict = await checkSignature({
    headers: headersOf(),
    body: body.replace('1.5', '1.6'),
    secret,
    logged,
  })
  expect(verdict).toMatchObject({
    cause: 'body_changed',
    detail: { at: Buffer.from(body).indexOf('1.5') + 2 },
  })
})

let site: Site
let receiver: Receiver
let remove: () => void
beforeAll(async () => {
  const loopback = await loopbackSettings()
  remove = loopback.remove
  receiver = await startReceiver()
  site = await startSite(loopback.settings)
})
afterAll(async () => {
  await site?.close()
  await receiver?.close()
  remove?.()
})

test('from a delivery it is filled in; the secret leaves the page for nowhere', async () => {
  const { admin } = await site.organization()
  const ask = async <Body>(operation: string, input: unknown) =>
    (await site.call(admin, operation, input)).body as Body
  const endpoint = await ask<TestEndpoint>('createWebhookEndpoint', {
    address: receiver.url,
    signalTypes: ['control.updated'],
  })
  const delivery = await ask<TestDelivery>('testWebhookEndpoint', { id: endpoint.id })
  const page = await site.open(`/settings/deliveries/${delivery.id}`, { as: admin })
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')))
  await page.getByRole('link', { name: 'Check signature' }).click()
  await page.getByLabel('Secret', { exact: true }).fill(endpoint.secret)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('The signature is valid').waitFor()

  await page.getByRole('textbox', { name: 'Body' }).fill(`${delivery.request.body}\n`)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('The body has a line break at its end that was not sent').waitFor()
  await page.getByRole('textbox', { name: 'Body' }).fill(delivery.request.body)
  await page.getByLabel('Secret', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('Another secret', { exact: true }).waitFor()

  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])',
  )
  for (const one of [endpoint.secret, secret]) expect([...sent, kept].join('\n')).not.toContain(one.slice(6))
})
