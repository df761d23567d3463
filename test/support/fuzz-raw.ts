import { operations } from '../../server/operations.ts'
import type { Door } from './door.ts'
import type { Web } from './web.ts'

/*
 * Requests that no client of ours would send: hostile ids, queries, headers and bodies, at the paths of all operations,
 * by REST, at the web app's interface and at that of agents. What they mean does not matter. They are answered below 500.
 */

export interface RawRequest {
  readonly to: 'rest' | 'web' | 'agents'
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

type Random = () => number
const oneOf = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)]!

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const IDS = [
  ...[
    'risk_01k9f8qxk2e9mbz6w0h5t4v3ra',
    'me',
    '0',
    '-1',
    '%00',
    '%0a',
    '%F0%9F%A6%8A',
    '%ff',
    '%',
    '..',
    '.',
    '%2e%2e',
  ],
  ...[
    '%2F..%2F',
    ';',
    "'%20or%201=1--",
    '__proto__',
    'constructor',
    'a'.repeat(199),
    'a'.repeat(400),
    '%u0041',
    '{id}',
  ],
  ...[
    'risk_01k9f8qxk2e9mbz6w0h5t4v3ra%00',
    'RISK_01K9F8QXK2E9MBZ6W0H5T4V3RA',
    '%C0%AE',
    '~',
    '*',
    '%ED%A0%80',
  ],
]
const QUERIES = [
  ...[
    '',
    '?',
    '?&',
    '?=',
    '?a',
    '?a=&a=',
    '?limit=',
    '?limit=1e9',
    '?limit=-1',
    '?limit=1&limit=2',
    '?cursor=%00',
  ],
  ...[
    '?cursor=AAAA',
    '?cursor=eyJhIjoxfQ',
    '?sort=__proto__',
    '?sort=title,title',
    '?filter[a]=1',
    '?filter[]=',
    '?q=%',
  ],
  ...[
    '?q=%ED%A0%80',
    '?q=%F0%9F%91%A9',
    '?fields=%2C%2C',
    '?fields=id,id',
    '?__proto__[a]=1',
    '?constructor=1',
    '?id=x',
  ],
  ...[
    `?q=${'x'.repeat(6_000)}`,
    `?${'a=1&'.repeat(500)}`,
    '?search=%5C',
    "?search='",
    '?search=%25_',
    '?dueDate[lte]=now',
  ],
]
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  [
    'content-type',
    [
      '',
      'text/plain',
      'application/json; charset=utf-7',
      'multipart/form-data',
      ';',
      'a/b/c',
      'application/json-patch+json',
    ],
  ],
  ['content-encoding', ['gzip', 'br', 'identity', 'x']],
  ['idempotency-key', ['', ' ', 'x', 'x'.repeat(300), '\u00ff', '"', '00000000-0000-0000-0000-000000000000']],
  ['if-match', ['*', '"1"', 'W/"1"', '1', '-1', '"', '99999999999999999999', '']],
  ['if-none-match', ['*', '"x"', ',']],
  ['accept', ['', '*/*', 'text/html', 'application/xml;q=nan', 'a', ',']],
  ['accept-encoding', ['', '*', 'gzip;q=2', 'br;q=-1', ',,,']],
  ['accept-language', ['', '*', 'x-klingon', 'de-'.repeat(200)]],
  ['range', ['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3', 'x']],
  ['x-forwarded-for', ['127.0.0.1', '::1', 'x', ',', '1.2.3.4:x']],
  ['origin', ['null', 'http://evil.example', '', 'x']],
  ['referer', ['', 'x', '\u00ff']],
  ['cookie', ['=', 'a', '__Host-plumbline-session=x', ';;', 'a='.repeat(300), '\u00ff=\u00ff']],
  ['mcp-protocol-version', ['', '0', '2026-07-28', 'x'.repeat(200)]],
  ['mcp-method', ['', 'tools/call', '__proto__']],
  ['mcp-name', ['', 'create_risk', '=?base64?x?=', '%00']],
  ['mcp-session-id', ['', 'x', '\u00ff']],
  ['last-event-id', ['', '-1', 'x']],
  ['user-agent', ['', 'x'.repeat(3_000), '\u00ff']],
]
const BODIES: readonly (string | Buffer)[] = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '"x"',
    '[]',
    '{}',
    '{',
    '}',
    '[',
    '{"a":1,"a":2}',
    '{"__proto__":{"a":1}}',
    '{"a":1e999}',
  ],
  ...[
    '[[]]',
    '{"id":{}}',
    '{"title":{"$ne":null}}',
    '{"title":"\\ud800"}',
    '{"title":"\\u0000"}',
    'NaN',
    "{'a':1}",
    '{"a":1,}',
  ],
  ...[
    '\ufeff{}',
    '{}\n{}',
    '// x\n{}',
    '['.repeat(20_000),
    `{"a":${'['.repeat(500)}${']'.repeat(500)}}`,
    `"${'x'.repeat(300_000)}"`,
  ],
  ...[
    '-',
    '{"":""}',
    '{"constructor":1,"toString":2,"hasOwnProperty":3}',
    '[{"op":"replace","path":"/title"}]',
    'a=b&c=d',
  ],
  ...[
    Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.alloc(2_000),
  ],
  Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00]),
]
const RPC_METHODS = [
  ...[
    'tools/call',
    'tools/list',
    'initialize',
    'ping',
    'resources/read',
    'resources/list',
    'prompts/get',
    'completion/complete',
  ],
  ...[
    'notifications/cancelled',
    'notifications/initialized',
    'server/discover',
    'subscriptions/listen',
    'logging/setLevel',
    '',
    '__proto__',
  ],
]

/** @param edges values of every type */
export function drawRaw(random: Random, edges: readonly unknown[]): RawRequest {
  const place = random()
  const to = place < 0.5 ? 'rest' : place < 0.75 ? 'web' : 'agents'
  const operation = oneOf(random, operations)
  const query = random() < 0.6 ? oneOf(random, QUERIES) : ''
  const path = {
    rest: operation.path.replace(/\{\w+\}/g, () => oneOf(random, IDS)),
    web: `/web/${random() < 0.95 ? operation.name : oneOf(random, IDS)}`,
    agents: '/mcp',
  }[to]
  const usual = to === 'rest' ? operation.method : 'POST'
  const method = random() < 0.85 ? usual : oneOf(random, METHODS)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (to === 'agents') headers.accept = 'application/json, text/event-stream'
  for (let left = Math.floor(random() * 4); left > 0; left -= 1) {
    const [name, values] = oneOf(random, HEADERS)
    headers[name] = oneOf(random, values)
  }
  const takesBody = method !== 'GET' && method !== 'HEAD' && random() < 0.95
  const body = to === 'agents' && random() < 0.7 ? rpc(random, edges) : oneOf(random, BODIES)
  return { to, method, path: path + query, headers, body: takesBody ? body : undefined }
}

function rpc(random: Random, edges: readonly unknown[]): string {
  const edge = () => oneOf(random, edges)
  const message = {
    jsonrpc: random() < 0.9 ? '2.0' : edge(),
    ...(random() < 0.9 ? { id: random() < 0.7 ? 1 : edge() } : {}),
    method: random() < 0.95 ? oneOf(random, RPC_METHODS) : edge(),
    ...(random() < 0.9
      ? { params: random() < 0.6 ? { name: toolOf(random, edge), arguments: edge(), _meta: edge() } : edge() }
      : {}),
  }
  return JSON.stringify(random() < 0.9 ? message : Array(3).fill(message))
}

const toolOf = (random: Random, edge: () => unknown): unknown =>
  random() < 0.8 ? oneOf(random, operations).name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`) : edge()

/** @returns the status of the answer */
export async function sendRaw(door: Door, key: string, web: Web, raw: RawRequest): Promise<number> {
  const headers: Record<string, string> =
    raw.to === 'web'
      ? { origin: door.service.config.publicUrl, cookie: web.cookie, ...raw.headers }
      : { ...raw.headers }
  const sent = { headers, ...(raw.body === undefined ? {} : { body: raw.body }) }
  return (await door.send(raw.to === 'web' ? null : key, raw.method, raw.path, sent)).status
}
