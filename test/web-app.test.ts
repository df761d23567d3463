import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIST, PATHS } from '../server/doors/web-app.ts'
import type { Door } from './support/door.ts'
import { freePort } from './support/free-port.ts'
import { startTestService, type TestService } from './support/service.ts'

/* The web app's files come from the service itself, under a policy that lets nothing else into its pages. */

let service: TestService
let door: Door
let host: string

beforeAll(async () => {
  const port = String(await freePort())
  host = `localhost:${port}`
  service = await startTestService({ PORT: port, PUBLIC_URL: `http://${host}` })
  door = await service.listen()
})
afterAll(() => service?.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  door.send(null, 'GET', path, { headers: { host, ...headers } })

const paths = PATHS.map((path) => path.replace(/\$\w+/, 'Xq3_a-b'))
const files = readdirSync(`${DIST}/built`).filter((name) => !/\.(br|gz)$/.test(name))

describe('every page', () => {
  test.each(paths)(
    '%s is the app, never kept, under a strict policy with a nonce of its own',
    async (path) => {
      const [first, second] = [await get(path), await get(`${path}?a=b`)]
      expect([first.status, second.status]).toEqual([200, 200])
      expect(first.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
      const [nonce, other] = [nonceOf(first.headers), nonceOf(second.headers)]
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
      expect(other).not.toBe(nonce)
      expect(first.headers['content-security-policy']).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
          "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; " +
          "require-trusted-types-for 'script'; trusted-types default",
      )
      expect(first.text).toContain(`nonce="${nonce}"`)
      expect(first.text).not.toContain('__nonce__')
    },
  )

  test('has no script, style or handler in its text, and takes everything from here', async () => {
    const { text } = await get('/')
    for (const [, attributes = '', content] of text.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)) {
      expect(attributes).toMatch(/ src="\/built\/[\w-]+\.js"/)
      expect(content).toBe('')
    }
    expect(text).not.toMatch(/<style|\son\w+=|\sstyle=|javascript:/i)
    for (const [, address] of text.matchAll(/(?:src|href)="([^"]*)"/g))
      expect(address).toMatch(/^\/built\/[\w-]+\.(js|css|svg)$/)
  })

  test('says nothing about anybody: it is the same page for all', async () => {
    const page = async (headers = {}) => {
      const { text, headers: answered } = await get('/', headers)
      return text.replaceAll(nonceOf(answered), '')
    }
    expect(await page({ cookie: 'plumbline=anything' })).toBe(await page())
    expect((await get('/', { cookie: 'plumbline=anything' })).headers['set-cookie']).toBeUndefined()
  })
})

const nonceOf = (headers: Record<string, string>): string =>
  /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '')?.[1] ?? ''

describe('files of the app', () => {
  test.each(files)('%s may be kept for good, and comes compressed as asked', async (name) => {
    const plain = await raw(`/built/${name}`, {})
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
    expect(plain.headers['content-type']).toMatch(/^(text\/(javascript|css); charset=utf-8|image\/svg\+xml)$/)
    expect(plain.body.equals(readFileSync(`${DIST}/built/${name}`))).toBe(true)
    if (plain.body.length < 500) return
    const br = await raw(`/built/${name}`, { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true)
    const gzip = await raw(`/built/${name}`, { 'accept-encoding': 'gzip, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
  })

  test.each([
    '/built/',
    '/built/none.js',
    '/built/../index.html',
    '/built/..%2findex.html',
    '/built/%2e%2e%2fmanifest.json',
    '/built/..%5c..%5cpackage.json',
    '/built/../../../package.json',
    '/built/%2fetc%2fpasswd',
    '/built//etc/passwd',
    '/built/main.js%00.svg',
    '/built/__proto__',
    '/built/constructor',
    '/index.html',
    '/manifest.json',
    '/built-from',
    '/web/dist/index.html',
    '/built/scheme.js.br',
  ])('%s is nothing', async (path) => {
    const { status, body } = await raw(path, {})
    expect([404, 400, 422]).toContain(status)
    expect(JSON.parse(body.toString()).code).toMatch(/^(not_found|malformed_request|validation_failed)$/)
  })
})

describe('other paths', () => {
  test.each(['/nothing', '/sign-in/more', '/consent', '/account', '/account/security/', '/SIGN-IN'])(
    '%s is a page that says so to a browser, and a problem to a program',
    async (path) => {
      const shown = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
      expect([shown.status, shown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(shown.headers['content-security-policy']).toContain('trusted-types default')
      const { status, body, headers } = await get(path)
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    },
  )

  test.each(['/v1/nothing', '/v1', '/web/nothing', '/oauth/nothing', '/built/none.js', '/.well-known/x'])(
    '%s is a problem to a browser, too',
    async (path) => {
      const { status, body } = await get(path, { accept: 'text/html' })
      expect([status, body.code]).toEqual([404, 'not_found'])
    },
  )

  test('a page takes no other method', async () => {
    const { status, headers } = await door.send(null, 'POST', '/sign-in', { headers: { host } })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('the documents keep their own policy', async () => {
    const { headers } = await get('/docs')
    expect(headers['content-security-policy']).toContain("form-action 'self'")
  })
})

describe('on loopback under another name', () => {
  test.each(['127.0.0.1', '[::1]', 'evil.example.com'])('%s leads to the one origin', async (name) => {
    const { status, headers } = await get('/reset?a=%2F%2Fx', { host: `${name}:1234` })
    expect([status, headers.location]).toEqual([302, `http://${host}/reset?a=%2F%2Fx`])
    expect(headers['cache-control']).toBe('no-store')
  })

  test('calls and documents do not move', async () => {
    const elsewhere = { host: '127.0.0.1' }
    expect((await get('/docs', elsewhere)).status).toBe(200)
    expect((await get('/v1/risks', elsewhere)).status).toBe(401)
  })
})

test('behind https the page comes whatever a proxy calls us', async () => {
  const other = await service.listen({ PUBLIC_URL: 'https://plumbline.example.com', PORT: '0' })
  const reply = await other.send(null, 'GET', '/', { headers: { host: 'internal:3000' } })
  expect(reply.status).toBe(200)
  expect(reply.headers['strict-transport-security']).toContain('max-age')
})

/** Without anything that a client does to paths and bodies. */
function raw(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    const asked = request(
      { port: door.port, host: '127.0.0.1', path, headers: { host, ...headers } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers as Record<string, string>,
            body: Buffer.concat(chunks),
          }),
        )
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}
