import { spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SCOPES } from '../model/scopes.ts'
import { SIGNAL_TYPES } from '../model/signal-types.ts'
import { newKeySecret } from '../server/caller/api-key-secret.ts'
import { openApiOf } from '../server/doors/openapi.ts'
import { operationsBy } from '../server/operations.ts'
import { CODES } from '../server/refusal.ts'
import { connectionFailures, outcomes } from '../server/webhooks/outcomes.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'

/* The documentation that the service shows: complete, right to the number, and safe to open. */

const document = openApiOf(operationsBy('credential'))
const subjects = document.tags.map(({ name }) => `/docs/${name}`)
const PAGES = ['/docs', '/docs/receiving-webhooks', '/docs/api-keys', '/docs/agents', ...subjects]

let one: TestService
let door: Door
const texts = new Map<string, string>()

beforeAll(async () => {
  one = await startTestService({ WEBHOOK_RETRY_DELAYS: '45s,3m,2h', RATE_LIMIT: '700/20m' })
  door = await one.listen()
  for (const page of [...PAGES, '/docs/find?q=risk']) {
    const { status, headers, text } = await door.send(null, 'GET', page)
    expect([page, status, headers['content-type']]).toEqual([page, 200, 'text/html; charset=utf-8'])
    texts.set(page, text)
  }
})
afterAll(() => one?.close())

const page = (path: string) => texts.get(path)!
/** What a reader sees: without markup. */
const seen = (text: string) =>
  text
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, sign) => String.fromCharCode(sign))
/** The blocks to copy, by what each is. */
const blocks = (path: string): Record<string, string> =>
  Object.fromEntries(
    [...page(path).matchAll(/<pre [^>]*aria-label="([^"]+)"><code>(.*?)<\/code>/gs)].map(
      ([, label, text]) => [seen(label!), seen(text!)],
    ),
  )

test('each page has a title of its own, and a policy that knows its one style and its one script', async () => {
  const { headers } = await door.send(null, 'GET', '/docs')
  const policy = String(headers['content-security-policy'])
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  expect(policy).toMatch(/^default-src 'none'; style-src '[^' ]+'; script-src '[^' ]+'; connect-src 'self'; /)
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  expect(policy).not.toContain('unsafe')
  const titles = [...texts].map(([path, text]) => {
    for (const kind of ['style', 'script']) {
      const [found, ...others] = [...text.matchAll(new RegExp(`<${kind}\\b[^>]*>(.*?)</${kind}>`, 'gs'))]
      expect(policy, path).toContain(`${kind}-src ${hash(found![1]!)}`)
      expect(others, path).toEqual([])
    }
    expect(text.replace(/<script>.*?<\/script>/s, '')).not.toMatch(/javascript:|\son\w+=|\sstyle=/i)
    const [title, ...others] = [...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title!)
    expect(others).toEqual([])
    return title
  })
  expect(new Set(titles).size).toBe(titles.length)
})

test('every link leads to a page and a place that are there, and no place is there twice', () => {
  for (const [path, text] of texts) {
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)
    expect(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      path,
    ).toEqual([])
    for (const [, target = '', place] of text.matchAll(/href="((?!https:)[^"#]*)#?([^"]*)"/g)) {
      if (target) expect([...PAGES, '/', '/v1/openapi.json'], `${path} → ${target}`).toContain(target)
      if (place) expect(page(target || path), `${path} → ${target}#${place}`).toContain(`id="${place}"`)
    }
  }
})

test('what is not there is not found', async () => {
  for (const path of ['/docs/nothing', '/docs/risks/1', '/docs/'])
    expect((await door.send(null, 'GET', path)).status, path).toBe(404)
})

test('every problem says where its code is described', async () => {
  const { body } = await door.send(null, 'GET', '/v1/risks')
  const { text } = await door.send(null, 'GET', new URL(body.type).pathname)
  expect(text).toContain(`id="${body.code}"`)
})

test('each call has a line for curl, and each block to copy has a name and takes the focus', () => {
  for (const { paths } of [document])
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { summary, tags }] of Object.entries(methods)) {
        const line = blocks(`/docs/${tags[0]}`)[`${summary}: the call`]!
        expect(line).toMatch(/^curl /)
        expect(line).toContain(path.split('{')[0])
        if (method !== 'get') expect(line).toContain(`-X ${method.toUpperCase()} `)
      }
  for (const [path, text] of texts)
    for (const [pre] of text.matchAll(/<pre\b[^>]*>/g))
      expect(pre, path).toMatch(/^<pre tabindex="0" role="group" aria-label="[^"]+">$/)
})

describe('receiving webhooks', () => {
  const HERE = '/docs/receiving-webhooks'

  test('the worked example is right, number by number', () => {
    const block = blocks(HERE)
    const [secret] = /whsec_[\w+/]+=/.exec(page(HERE))!
    const key = Buffer.from(secret!.slice('whsec_'.length), 'base64')
    expect(key).toHaveLength(32)
    expect(block['The key, in hexadecimal']).toBe(key.toString('hex'))

    const [head, body] = block['A delivery as it arrives']!.split('\n\n') as [string, string]
    const headers = Object.fromEntries(
      head
        .split('\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    )
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(block['The signed bytes']).toBe(signed)
    const hmac = createHmac('sha256', key).update(signed).digest()
    expect(block['The HMAC, in hexadecimal']).toBe(hmac.toString('hex'))
    expect(block['The same in base64']).toBe(hmac.toString('base64'))
    expect(block['An entry that matches']).toBe(`v1,${hmac.toString('base64')}`)
    expect(headers['webhook-signature']).toBe(`v1,${hmac.toString('base64')}`)

    vi.useFakeTimers({ now: Number(headers['webhook-timestamp']) * 1_000, toFake: ['Date'] })
    try {
      expect(new Webhook(secret!).verify(body, headers)).toMatchObject({ type: 'webhook.test' })
    } finally {
      vi.useRealTimers()
    }
    const shell = block['The signature of the example, from the command line']!
    const { stdout, error } = spawnSync('sh', ['-c', shell], { encoding: 'utf8' })
    if (!error && spawnSync('openssl', ['version']).status === 0)
      expect(stdout.trim()).toBe(hmac.toString('base64'))
  })

  test('the receivers are the files that run', () => {
    const block = blocks(HERE)
    const files = {
      'Receiver in TypeScript': 'receiver.ts',
      'Receiver in Python': 'receiver.py',
      'Receiver in Go': 'receiver.go.txt',
      'Receiver in Java': 'Receiver.java',
      'A signed test': 'send.sh',
    }
    for (const [label, file] of Object.entries(files))
      expect(block[label], file).toBe(readFileSync(join('web/receivers', file), 'utf8').trimEnd())
  })

  test('the example of each type has the form of what really leaves', async () => {
    const { admin } = await one.organization()
    const call = async (name: string, input: object) => (await one.call(admin, name, input)).body as never
    const address = 'https://receiver.invalid/'
    const signalTypes = ['risk.created', 'risk.updated', 'risk.deleted', 'control.updated']
    await call('createWebhookEndpoint', { address, signalTypes })
    const { id } = (await call('createRisk', { title: 'a', likelihood: 'rare', impact: 'minor' })) as {
      id: string
    }
    await call('updateRisk', { id, status: 'assessed' })
    await call('deleteRisk', { id })
    const control = (await call('createControl', { code: 'A', title: 'a' })) as { id: string }
    await call('updateControl', { id: control.id, implementationStatus: 'in_progress' })
    const { data } = (await call('listWebhookDeliveries', {})) as { data: { id: string; type: string }[] }
    expect(data.map(({ type }) => type).sort()).toEqual([...signalTypes].sort())
    for (const { id: delivery, type } of data) {
      const { request } = (await call('getWebhookDelivery', { id: delivery })) as {
        request: { body: string }
      }
      const [real, shown] = [JSON.parse(request.body), JSON.parse(blocks(HERE)[`Body of ${type}`]!)]
      for (const part of [
        (body: typeof real) => body,
        (body: typeof real) => body.data,
        (body: typeof real) => body.data.record,
      ])
        expect(Object.keys(part(shown)).sort(), type).toEqual(Object.keys(part(real)).sort())
      expect(shown.type).toBe(type)
    }
  })

  test('the retries are those of this service, and outcomes and types are all there', () => {
    const text = seen(page(HERE)).replace(/\s+/g, ' ')
    expect(text).toContain('up to 4 attempts')
    for (const row of [
      '2 45 seconds 45 seconds',
      '3 3 minutes 3 minutes 45 seconds',
      '4 2 hours 2 hours 3 minutes 45 seconds',
    ])
      expect(
        page(HERE)
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' '),
      ).toContain(row)
    for (const { meaning, likelyCause } of Object.values(outcomes)) {
      expect(text).toContain(meaning)
      expect(text).toContain(likelyCause)
    }
    for (const meaning of Object.values(connectionFailures)) expect(text).toContain(meaning)
    for (const [type, { description }] of Object.entries(SIGNAL_TYPES)) {
      expect(page(HERE)).toContain(`id="${type}"`)
      expect(text).toContain(description)
    }
  })
})

describe('API keys', () => {
  const HERE = '/docs/api-keys'

  test('every scope is there, and the limit is that of this service', () => {
    for (const [scope, meaning] of Object.entries(SCOPES)) {
      expect(page(HERE)).toContain(`id="${scope}"`)
      expect(seen(page(HERE))).toContain(meaning)
    }
    expect(seen(page(HERE))).toContain('700 calls in 20 minutes')
    expect(seen(page('/docs'))).toContain('700 calls in 20 minutes')
  })

  test('a scanner finds keys by the expression, and the program tells them from noise', () => {
    const block = blocks(HERE)
    const expression = new RegExp(block['Regular expression of a key']!)
    const real = newKeySecret()
    const noise = `comply_${'0'.repeat(32)}`
    for (const key of [real, noise, block['A well-formed key']!]) expect(key).toMatch(expression)
    const folder = mkdtempSync(join(tmpdir(), 'key-check-'))
    try {
      writeFileSync(join(folder, 'check-key.mjs'), block['Key check in JavaScript']!)
      writeFileSync(join(folder, 'leaky.env'), `A=${noise}\nB=${real}\nC=${block['A well-formed key']}\n`)
      const { stdout } = spawnSync(process.execPath, ['check-key.mjs', 'leaky.env'], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect(stdout).toBe(`leaky.env:2: ${real.slice(0, 16)}…\nleaky.env:3: comply_ExampleEx…\n`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

test('agents find the address, the settings and the way in', () => {
  const block = blocks('/docs/agents')
  const address = `${one.service.config.publicUrl}/v1/mcp`
  expect(block['The MCP address (streamable HTTP)']).toBe(address)
  for (const label of [
    '.vscode/mcp.json',
    '~/.cursor/mcp.json',
    'Settings of a client that starts programs',
  ]) {
    expect(JSON.parse(block[label]!)).toBeTypeOf('object')
    expect(block[label]).toContain(address)
  }
  expect(seen(page('/docs/agents'))).toContain('/.well-known/oauth-protected-resource/v1/mcp')
})

describe('search', () => {
  const find = async (query: string): Promise<{ title: string; hint: string; href: string }[]> => {
    const { body } = await door.send(null, 'GET', `/docs/find.json?q=${encodeURIComponent(query)}`)
    return body.data
  }
  const first = async (query: string) => (await find(query))[0]?.href

  test('finds calls, fields, error codes, signal types and pages by what they are called', async () => {
    expect(await first('createRisk')).toBe('/docs/risks#createRisk')
    expect(await first('add a risk')).toBe('/docs/risks#createRisk')
    expect(await first('invalid_transition')).toBe('/docs#invalid_transition')
    expect(await first('risk.updated')).toBe('/docs/receiving-webhooks#risk.updated')
    expect(await first('receiving')).toBe('/docs/receiving-webhooks')
    expect(await first('treatmentStrategy')).toBe('/docs/risks#Risk.treatmentStrategy')
    expect((await find('due date')).map(({ href }) => href)).toContain('/docs/risks#Risk.dueDate')
    expect(await find('nothing is called so')).toEqual([])
    expect(await find('')).toEqual([])
  })

  test('everything it leads to is there', async () => {
    const all = (await Promise.all([...'abcdefghijklmnopqrstuvwxyz'].map(find))).flat()
    expect(all.length).toBeGreaterThan(500)
    for (const { href } of all) {
      const [path, place] = href.split('#') as [string, string?]
      if (place) expect(page(path), href).toContain(`id="${place}"`)
      else expect(PAGES).toContain(path)
    }
  })

  test('is a page without a script, says what was asked, and makes no markup of it', async () => {
    expect(seen(page('/docs/find?q=risk'))).toMatch(/results? for risk/)
    const asked = '<script>alert(1)</script>"'
    const { text, status } = await door.send(null, 'GET', `/docs/find?q=${encodeURIComponent(asked)}`)
    expect([status, text.includes(asked)]).toEqual([200, false])
    expect(seen(text)).toContain(`Nothing for ${asked}`)
    for (const query of ['x'.repeat(5_000), '%00', '%zz'])
      expect((await door.send(null, 'GET', `/docs/find?q=${query}`)).status, query).toBeLessThan(500)
  })
})

test('every code of an error has its row', () => {
  for (const code of Object.keys(CODES)) expect(page('/docs')).toContain(`<tr id="${code}">`)
})
