import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'

/*
 * Requests whose end two servers could see in two places. Behind each stands a second request, hidden in what
 * may be its body; if that one is ever answered, somebody's proxy could be made to send it in another's name.
 */

let one: TestService
let door: Door
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
})
afterAll(() => one.close())

/** Everything the server says until it closes, or has been silent for a moment. */
function talk(bytes: string | Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const chunks: Uint8Array[] = []
  const socket = connect(door.port, '127.0.0.1', () => socket.write(bytes))
  const finish = () => {
    socket.destroy()
    resolve(Buffer.concat(chunks).toString('latin1'))
  }
  let silence = setTimeout(finish, 400)
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    clearTimeout(silence)
    silence = setTimeout(finish, 100)
  })
  socket.on('close', finish)
  socket.on('error', finish)
  return promise
}

const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const head = (lines: string, start = 'POST /v1/risks HTTP/1.1', host = 'Host: x\r\n') =>
  `${start}\r\n${host}${lines}\r\n\r\n`
const CL0 = `0\r\n\r\n${HIDDEN}`

const CHUNKED = head('Transfer-Encoding: chunked')

const LENGTHS = [
  '5, 5',
  '5,6',
  '+5',
  '-5',
  '0x5',
  '5.0',
  '1e1',
  '5 5',
  '"5"',
  '',
  'five',
  '5;',
  '99999999999999999999',
  '５',
  '\t5\t5',
]
const ENCODINGS = [
  'xchunked',
  'chunkedx',
  'chunked, identity',
  'identity',
  'gzip',
  'chunked, gzip',
  '"chunked"',
  'chunked;q=1',
  'chunked,',
  ',chunked x',
  'cow',
  '\x0bchunked',
  'chun ked',
  '[chunked]',
]

const AMBIGUOUS: [string, string | Buffer][] = [
  ...LENGTHS.map((length): [string, string] => [
    `Content-Length: ${length}`,
    head(`Content-Length: ${length}`) + CL0,
  ]),
  ...ENCODINGS.map((encoding): [string, string] => [
    `Transfer-Encoding: ${JSON.stringify(encoding)} with a length`,
    head(`Transfer-Encoding: ${encoding}\r\nContent-Length: 5`) + CL0,
  ]),
  ...ENCODINGS.map((encoding): [string, string] => [
    `Transfer-Encoding: ${JSON.stringify(encoding)} alone`,
    head(`Transfer-Encoding: ${encoding}`) + CL0,
  ]),
  ['length, then chunked', head('Content-Length: 5\r\nTransfer-Encoding: chunked') + CL0],
  ['chunked, then length', head('Transfer-Encoding: chunked\r\nContent-Length: 5') + CL0],
  ['two lengths', head('Content-Length: 5\r\nContent-Length: 6') + CL0],
  ['the same length twice', head('Content-Length: 5\r\nContent-Length: 5') + CL0],
  [
    'two encodings',
    head('Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\nContent-Length: 5') + CL0,
  ],
  ['a space before the colon', head('Transfer-Encoding : chunked') + CL0],
  ['a tab before the colon', head('Content-Length\t: 5') + CL0],
  ['a folded header', head('Transfer-Encoding:\r\n chunked\r\nContent-Length: 5') + CL0],
  ['a header that begins with a space', head(' Transfer-Encoding: chunked\r\nContent-Length: 5') + CL0],
  ['a line feed alone', head('X: y\nTransfer-Encoding: chunked\r\nContent-Length: 5') + CL0],
  ['a carriage return alone', head('X: y\rTransfer-Encoding: chunked\r\nContent-Length: 5') + CL0],
  ['lines that end in line feeds', `POST /v1/risks HTTP/1.1\nHost: x\nContent-Length: 5\n\n${CL0}`],
  ['U+0000 in a header', head('X: a\0b\r\nContent-Length: 5') + CL0],
  ['U+0000 in a name', head('Content\0-Length: 5') + CL0],
  ['no name', head(': chunked\r\nContent-Length: 5') + CL0],
  ['no colon', head('Transfer-Encoding chunked\r\nContent-Length: 5') + CL0],
  ['a chunk size in hexadecimal clothes', `${CHUNKED}0x0\r\n\r\n${HIDDEN}`],
  ['a chunk size with a sign', `${CHUNKED}+0\r\n\r\n${HIDDEN}`],
  ['a chunk size below nothing', `${CHUNKED}-1\r\n\r\n${HIDDEN}`],
  ['a chunk size past all numbers', `${CHUNKED}${'f'.repeat(17)}\r\n\r\n${HIDDEN}`],
  ['a chunk size of no digits', `${CHUNKED}\r\n\r\n${HIDDEN}`],
  ['a chunk longer than it says', `${CHUNKED}1\r\nabc\r\n0\r\n\r\n${HIDDEN}`],
  ['a chunk extension with a line feed', `${CHUNKED}0;a\nb\r\n\r\n${HIDDEN}`],
  ['chunk lines that end in line feeds', `${CHUNKED}0\n\n${HIDDEN}`],
  ['a space before the chunk size', `${CHUNKED} 0\r\n\r\n${HIDDEN}`],
  [
    'chunked in HTTP/1.0 with a length',
    head('Transfer-Encoding: chunked\r\nContent-Length: 5', 'POST /v1/risks HTTP/1.0') + CL0,
  ],
  ['no host', head('Content-Length: 0', 'GET /healthz HTTP/1.1', '')],
  ['two hosts', head('Host: y', 'GET /healthz HTTP/1.1')],
  ['HTTP/0.9', 'GET /healthz\r\n\r\n'],
  ['HTTP/1.2', head('X: y', 'GET /healthz HTTP/1.2')],
  ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a tab in the request line', head('X: y', 'GET\t/healthz HTTP/1.1')],
  ['U+0000 in the path', head('X: y', 'GET /healthz\0 HTTP/1.1')],
  ['TLS', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])],
]

describe('none of these is answered twice, and the connection ends', () => {
  test.concurrent.each(AMBIGUOUS)('%s', async (_, bytes) => {
    const said = await talk(bytes)
    expect(said).not.toContain('ok\n')
    // One answer for what was readable, at most one more for the rest, and nothing behind that.
    const statuses = [...said.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)
    expect(statuses.length).toBeLessThanOrEqual(2)
    for (const status of statuses) expect(['400', '401', '404', '415']).toContain(status)
    if (statuses.at(-1) === '400') {
      expect(said).toMatch(/\r\nconnection: close\r\n/i)
      expect(said).toContain('"code":"malformed_request"')
    }
  })
})

test('what has one end has one, and the next request on the connection its own answer', async () => {
  const said = await talk(`${CHUNKED}2\r\n{}\r\n0\r\n\r\n${HIDDEN}`)
  expect(said).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 OK[\s\S]*ok\n/)
})

test.each([
  ['get /healthz', 405, 'allow: GET, HEAD\r\n'],
  ['BREW /v1/risks', 405, 'allow: GET, HEAD, POST\r\n'],
  ['BREW /nothing', 404, '"code":"not_found"'],
])('%s is a method of no HTTP, and the connection ends', async (line, status, said) => {
  const answer = await talk(`${head('X: y', `${line} HTTP/1.1`)}${HIDDEN}`)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer).toContain(said)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).not.toContain('ok\n')
})

test('headers larger than 16 KB are refused', async () => {
  expect(await talk(head(`X: ${'y'.repeat(17_000)}`, 'GET /healthz HTTP/1.1'))).toMatch(
    /^HTTP\/1\.1 431 [\s\S]*malformed_request/,
  )
})
