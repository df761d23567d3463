import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from './support/browser.ts'
import { type Answer, type Receiver, startReceiver } from './support/receiver.ts'
import { loopbackSettings, type TestDelivery, type TestEndpoint } from './support/webhooks.ts'

/* A receiver may answer with anything. Wherever it is shown, it is text, to be read, and does nothing. */

const HARM = "document.title='owned'"
const MARKUP = [
  `<script>${HARM}</script>`,
  `<img src=x onerror="${HARM}">`,
  `<svg onload="${HARM}"><animate onbegin="${HARM}" attributeName=x dur=1s>`,
  `<iframe srcdoc="<script>parent.${HARM}</script>"></iframe>`,
  `</pre></bdi></section><h1 id="planted">Planted</h1>`,
  `<style>*{display:none}</style>`,
  `<a href="javascript:${HARM}" id="planted">open</a>`,
  `<base href="https://evil.example/"><form action="https://evil.example/"><input autofocus onfocus="${HARM}">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${HARM}&gt;">`,
  `{{constructor.constructor("${HARM}")()}}`,
  `javascript:${HARM}`,
  `"></textarea><script>${HARM}</script>`,
  `__proto__`,
]
const CODES = [
  ...Array.from({ length: 0x20 }, (_, code) => code).filter((code) => code !== 9 && code !== 10),
  ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
  0xad,
  0x61c,
  0x180e,
  0x200b,
  0x200d,
  0x200e,
  0x200f,
  0x2028,
  0x2029,
  0x202a,
  0x202b,
  0x202c,
  0x202d,
  0x202e,
  0x2060,
  0x2066,
  0x2067,
  0x2068,
  0x2069,
  0xfeff,
  0xfff9,
  0xe0001,
  0xe007f,
  0xe000,
]

/** 500 in all: markup with and without what is not seen around it, bytes that are no text, and far too much. */
const PAYLOADS: (string | Buffer)[] = [
  ...MARKUP,
  ...CODES.map((code) => `a${String.fromCodePoint(code)}b`),
  ...CODES.map((code, at) => String.fromCodePoint(code).repeat(3) + MARKUP[at % MARKUP.length]!),
  `${'e\u0301\u0489\u036f'.repeat(1_000)}`,
  'שלום <b>عليكم</b> \u202Egnp.exe',
  '\u001b[2J\u001b[31mred\u0007',
  Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28, 0x3c, 0x62, 0x3e]),
  Buffer.alloc(10 * 1024 * 1024, `<script>${HARM}</script>\u202e`),
  '\u0000'.repeat(5_000),
]
const random = Array.from({ length: 500 - PAYLOADS.length }, (_, n) =>
  Array.from({ length: 8 }, (_, at) => {
    const pick = (n * 31 + at * 17) % (MARKUP.length + CODES.length)
    return MARKUP[pick] ?? String.fromCodePoint(CODES[pick - MARKUP.length]!)
  }).join(''),
)
PAYLOADS.push(...random)

let site: Site
let receiver: Receiver
let remove: () => void
let answer = (_nth: number): Answer => ({ status: 200 })
beforeAll(async () => {
  const loopback = await loopbackSettings()
  remove = loopback.remove
  receiver = await startReceiver({ behaviour: (_request, nth) => answer(nth) })
  site = await startSite({ ...loopback.settings, ROLE: 'api' })
})
afterAll(async () => {
  await site?.close()
  await receiver?.close()
  remove?.()
})

test('500 hostile answers are shown as text on every screen that shows them', async () => {
  const { admin } = await site.organization()
  const ask = async <Body>(operation: string, input: unknown) =>
    (await site.call(admin, operation, input)).body as Body
  const endpoint = await ask<TestEndpoint>('createWebhookEndpoint', {
    address: receiver.url,
    signalTypes: ['control.updated'],
  })
  expect(PAYLOADS.length).toBe(500)
  const PER_DELIVERY = 100
  const headers = { 'content-type': 'text/html', refresh: '0;url=https://evil.example/' }
  answer = (nth) => ({ status: 200, headers, body: PAYLOADS[nth - 1]! })
  const deliveries = await Promise.all(
    Array.from({ length: PAYLOADS.length / PER_DELIVERY }, async () => {
      const { id } = await ask<TestDelivery>('testWebhookEndpoint', { id: endpoint.id })
      for (let n = 1; n < PER_DELIVERY; n++) await ask('redeliverWebhookDelivery', { id })
      return id
    }),
  )
  expect(receiver.requests.length).toBe(PAYLOADS.length)
  const page = await site.open('/settings/deliveries', { as: admin })
  await page.getByRole('table').waitFor()
  const harmless = async () => {
    expect(await page.title()).toContain('Plumbline')
    expect(
      await page
        .locator('#planted, main script, main iframe, main img, main base, main form[action]')
        .count(),
    ).toBe(0)
    expect(new URL(page.url()).origin).toBe(site.url)
  }
  await harmless()

  const seen: string[] = []
  for (const id of deliveries) {
    await page.goto(`${site.url}/settings/deliveries/${id}`)
    const answers = page.getByRole('region', { name: /Response from the receiver/ })
    await answers.first().waitFor()
    expect(await answers.count()).toBe(PER_DELIVERY)
    seen.push(...(await answers.allInnerTexts()))
    await harmless()
    // However it is written, it stays in its box.
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(wide).toBeLessThanOrEqual(0)
  }
  const text = seen.join('\n')
  for (const one of MARKUP) expect(text).toContain(one)
  expect(text).toMatch(/a␀b/)
  expect(text).toContain('a[U+202E]b')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/)

  answer = () => ({ status: 500, body: MARKUP.join('\u202e\u0000') })
  await page.goto(`${site.url}/settings/webhooks/${endpoint.id}`)
  await page.getByRole('button', { name: 'Send test' }).click()
  await page
    .getByRole('region', { name: /Response from the receiver/ })
    .getByText('[U+202E]␀')
    .first()
    .waitFor()
  await harmless()
})
