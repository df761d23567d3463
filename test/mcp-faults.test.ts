import { ProtocolErrorCode } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { callTool, headersOf, messageOf, rpc } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Whatever comes in at the MCP door: a JSON-RPC answer beside the right status, and never a fault of ours. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks'])).secret
})
afterAll(() => one.close())

const post = (
  body: unknown,
  headers: Record<string, string> = headersOf('tools/list'),
  secret: string | null = key,
) => door.send(secret, 'POST', '/v1/mcp', { body, headers })

const list = () => messageOf('tools/list', {})
const getMe = (input: unknown) => messageOf('tools/call', { name: 'getMe', arguments: input })
const deep = (count: number, open: string, close: string) => open.repeat(count) + close.repeat(count)
const raw = (message: object, part: string) => JSON.stringify(message).replace('"here"', part)

/** What is sent, in which headers, and the status and number that it is answered with. */
const FAULTS: [string, unknown, Record<string, string> | undefined, number, number | null][] = [
  ['nothing', '', undefined, 400, -32600],
  ['half a line', '{"jsonrpc":"2.0","id":1,"meth', undefined, 400, -32700],
  ['no JSON', 'hello', undefined, 400, -32700],
  ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), undefined, 400, -32700],
  ['a batch', [list(), list()], undefined, 400, -32600],
  ['an empty batch', [], undefined, 400, -32600],
  ['a number', '7', undefined, 400, -32600],
  ['null', 'null', undefined, 400, -32600],
  ['an object that is no message', {}, undefined, 400, -32600],
  ['another version of JSON-RPC', { ...list(), jsonrpc: '1.0' }, undefined, 400, -32600],
  ['an id that is an object', { ...list(), id: {} }, undefined, 400, -32600],
  ['an id that is a list', { ...list(), id: [1] }, undefined, 400, -32600],
  ['an id that is null', { ...list(), id: null }, undefined, 400, -32600],
  ['a method that is a number', { ...list(), method: 7 }, undefined, 400, -32600],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, undefined, 400, null],
  ['parameters that are a list', { ...list(), params: [1] }, undefined, 400, null],
  ['an unknown method', messageOf('tools/lisst', {}), headersOf('tools/lisst'), 404, -32601],
  ['a method of objects', messageOf('constructor', {}), headersOf('constructor'), 404, -32601],
  ['a header of another method', list(), headersOf('tools/call', 'getMe'), 400, -32020],
  ['no header of the method', list(), { ...headersOf('tools/list'), 'mcp-method': '' }, 400, -32020],
  ['a header of another tool', getMe({}), headersOf('tools/call', 'getRisk'), 400, -32020],
  ['no header of the tool', getMe({}), headersOf('tools/call'), 400, -32020],
  [
    'a header of another version',
    list(),
    { ...headersOf('tools/list'), 'mcp-protocol-version': '2025-11-25' },
    400,
    -32020,
  ],
  [
    'a version that never was',
    {
      ...list(),
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2031-01-01',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { ...headersOf('tools/list'), 'mcp-protocol-version': '2031-01-01' },
    400,
    -32022,
  ],
  ['no envelope beside a present version', { ...list(), params: {} }, undefined, 400, -32602],
  [
    'deep parameters',
    raw({ ...list(), params: { a: 'here' } }, deep(100_000, '[', ']')),
    undefined,
    422,
    -32602,
  ],
  [
    'deep beside the parameters',
    raw({ ...list(), more: 'here' }, deep(40_000, '{"a":', '}').replace(/:\}/, ':1}')),
    undefined,
    422,
    -32602,
  ],
  ['a wide envelope', raw({ ...list(), more: 'here' }, `[${'1,'.repeat(20_000)}1]`), undefined, 422, -32602],
  ['U+0000 in the envelope', { ...list(), more: 'a\0' }, undefined, 422, -32602],
  [
    'half a pair in the envelope',
    '{"jsonrpc":"2.0","id":"\\ud800","method":"tools/list"}',
    undefined,
    422,
    -32602,
  ],
  // More than the text of a policy, which is the most that any call takes.
  ['6 MB', JSON.stringify({ ...list(), more: 'x'.repeat(6 * 1024 * 1024) }), undefined, 413, -32000],
  ['text', JSON.stringify(list()), { ...headersOf('tools/list'), 'content-type': 'text/plain' }, 415, -32000],
  [
    'a form',
    'a=b',
    { ...headersOf('tools/list'), 'content-type': 'application/x-www-form-urlencoded' },
    415,
    -32000,
  ],
  ['gzip', JSON.stringify(list()), { ...headersOf('tools/list'), 'content-encoding': 'gzip' }, 415, -32000],
]

describe('a message that is none', () => {
  test.each(FAULTS)('%s', async (_what, body, headers, status, number) => {
    const reply = await post(body, headers)
    expect([reply.status, reply.headers['content-type']], reply.text).toEqual([
      status,
      expect.stringMatching(/^application\/json/),
    ])
    expect(reply.body).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } })
    if (number !== null) expect(reply.body.error.code).toBe(number)
  })

  test('and the same of the era before is answered too, never by a fault of ours', async () => {
    for (const [what, body] of FAULTS) {
      const reply = await post(body, headersOf('', undefined, { era: 'legacy' }))
      expect(reply.status, `${what}: ${reply.text.slice(0, 200)}`).toBeLessThan(500)
    }
  })
})

test.each([
  ['tools/list', { cursor: 5 }, 'cursor'],
  ['initialize', {}, 'protocolVersion'],
  ['tools/call', {}, 'name'],
])(
  '%s with params of a wrong form is told which, and not called a fault of ours',
  async (method, params, name) => {
    const message = { jsonrpc: '2.0', id: 1, method, params }
    const reply = await post(message, headersOf('', undefined, { era: 'legacy' }))
    const { error } = JSON.parse(/\{.*\}/.exec(reply.text)![0])
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(name) })
    expect(error.message).not.toContain('"path"')
  },
)

describe('arguments that are strange', () => {
  test.each([
    ['nested 100,000 deep', deep(100_000, '[', ']')],
    ['objects nested 30,000 deep', `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`],
    ['20,000 parts', `[${'1,'.repeat(20_000)}1]`],
    ['U+0000', '"a\\u0000"'],
    ['half a pair', '"\\ud800"'],
    ['a number past all numbers', '1e400'],
  ])('%s', async (_, part) => {
    for (const era of ['modern', 'legacy'] as const) {
      const message = messageOf('tools/call', { name: 'createRisk', arguments: { title: 'here' } }, { era })
      const reply = await post(raw(message, part), headersOf('tools/call', 'createRisk', { era }))
      expect([reply.status, reply.text.includes('validation_failed')], reply.text.slice(0, 300)).toEqual([
        200,
        true,
      ])
    }
  })

  test.each([
    ['a list', []],
    ['text', 'x'],
    ['null', null],
  ])('%s instead of an object', async (_, input) => {
    const reply = await post(getMe(input), headersOf('tools/call', 'getMe'))
    expect(reply.body.error?.code, reply.text).toBe(-32602)
    expect(reply.status).toBeLessThan(500)
  })

  test('names of objects are names', async () => {
    const input = JSON.parse('{"title":"a","__proto__":{"polluted":true}}')
    expect((await callTool(door, key, 'createRisk', input)).problem.code).toBe('validation_failed')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('a refusal is short, whatever was sent', () => {
  const risk = 'risk_01k9f8qxk2e9mbz6w0h5t4v3ra'
  const cut = 'x… [cut: characters 0 to 1 of 2]'
  const wide = (count: number, name: (n: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), 1]))
  const deepList = JSON.parse(deep(5_000, '[', ']'))
  const deepIn = (name: string) => {
    let inner: unknown = cut
    for (let depth = 0; depth < 2_000; depth++) inner = { [name]: inner }
    return inner
  }

  test.each<[string, string, object]>([
    ['a field of a row', 'listRisks', { fields: ['\\'.repeat(125_000)] }],
    [
      'a list of references',
      'linkRecords',
      { id: risk, targetKind: 'control', targetId: Array(18_000).fill('RSK-1') },
    ],
    ['a cut text far within', 'listRisks', { a: deepIn('b'.repeat(100)) }],
    ['unknown filters', 'summarizeRecords', { type: 'risk', filters: wide(19_000, (n) => `f${n}`) }],
    [
      'names without end',
      'summarizeRecords',
      { type: 'risk', filters: wide(20, (n) => `${n}${'z'.repeat(12_000)}`) },
    ],
    ['a type', 'summarizeRecords', { type: '\u0001'.repeat(40_000) }],
    [
      'a name within a name that is kept',
      'createRisk',
      { title: 'a', customFields: { ['n'.repeat(200_000)]: 'a\0' } },
    ],
    [
      'a filter in both places',
      'summarizeRecords',
      { type: 'risk', ...wide(9_000, (n) => `f${n}`), filters: wide(9_000, (n) => `f${n}`) },
    ],
    [
      'fields of no row',
      'createRecordBatch',
      { type: 'risk', records: Array(100).fill(wide(50, (n) => `f${n}`)) },
    ],
    ['a list within lists', 'linkRecords', { id: risk, targetKind: 'control', targetId: [deepList] }],
    ['an id', 'getRecord', { id: '"'.repeat(100_000) }],
    ['words', 'findTools', { ['"'.repeat(100_000)]: 1 }],
  ])('%s', async (_, name, input) => {
    const { text, result, problem } = await callTool(door, key, name, input)
    const told = (result.content as { text: string }[]).reduce((sum, part) => sum + part.text.length, 0)
    expect(told, text.slice(0, 500)).toBeLessThanOrEqual(40_000)
    if (result.isError) expect(problem.code).toMatch(/validation_failed|not_found/)
  })

  test('and names each reference once, and how much more is wrong', async () => {
    const targetId = [...Array(9).fill('RSK-1'), 'RSK-2', 'RSK-3', 'RSK-4', 'RSK-5']
    const linked = await callTool(door, key, 'linkRecords', { id: risk, targetKind: 'risk', targetId })
    expect(linked.result.content[0].text.match(/is the reference of/g)).toHaveLength(3)
    const filters = wide(70, (n) => `f${n}`)
    const { result, problem } = await callTool(door, key, 'summarizeRecords', { type: 'risk', filters })
    expect(problem).toMatchObject({
      detail: expect.stringMatching(/^70 things are to be mended, .*first 50/),
    })
    expect(result.content[0].text).toMatch(/These are the first 20\. 70 things/)
    expect(result.content[0].text.match(/known are/g)).toHaveLength(1)
  })

  test('by REST as well', async () => {
    const sent = await Promise.all([
      door.send(key, 'POST', '/v1/risks', {
        body: { title: 'a', customFields: { ['n'.repeat(200_000)]: 'a\0' } },
      }),
      door.send(key, 'POST', '/v1/risks', { body: { ['n'.repeat(200_000)]: { __proto__x: 'a\0' } } }),
      door.send(key, 'POST', '/v1/risks', { body: wide(9_000, (n) => `f${n}`) }),
      door.send(key, 'POST', '/v1/risks/batch', {
        body: { records: Array(100).fill(wide(50, (n) => `${n}`)) },
      }),
      door.send(key, 'GET', `/v1/risks?${'n'.repeat(10_000)}=%ff`),
    ])
    expect(sent.map(({ text }) => text.length < 600_000)).toEqual(Array(5).fill(true))
    expect([0, 1, 2, 4].map((at) => sent[at]!.text.length < 10_000)).toEqual(Array(4).fill(true))
  })

  test('and where the protocol is told of what it does not know', async () => {
    for (const [method, params] of [
      ['m'.repeat(200_000), {}],
      ['tools/call', { name: 'n'.repeat(200_000), arguments: {} }],
      ['tools/call', { name: ['n'.repeat(200_000)] }],
    ] as const) {
      const message = { jsonrpc: '2.0', id: 1, method, params }
      const { text } = await post(message, headersOf('', undefined, { era: 'legacy' }))
      expect(text.length, text.slice(0, 300)).toBeLessThanOrEqual(40_000)
    }
  })

  test('fields are judged before anything is read', async () => {
    const wrong = await callTool(door, key, 'listRisks', { fields: ['titel'], limit: 'x' })
    expect(wrong.problem.errors).toEqual([
      { path: 'fields', message: '"titel": no such field; did you mean title?' },
    ])
  })
})

test('a batch tells of each record that it made, however much is wrong beside', async () => {
  const wrong = { title: '', status: 'x'.repeat(60), likelihood: 'y'.repeat(60), treatment: 'z'.repeat(60) }
  const records = [
    ...Array(70).fill(wrong),
    ...Array.from({ length: 30 }, (_, n) => ({
      title: `Beside the wrong ${n}`,
      description: 'd'.repeat(5_000),
    })),
  ]
  const { result } = await callTool(door, key, 'createRecordBatch', { type: 'risk', records })
  const { data, note } = result.structuredContent
  expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(40_000)
  const made = data.filter((row: object) => 'record' in row)
  expect(made.map(({ index }: { index: number }) => index)).toEqual(
    Array.from({ length: 30 }, (_, n) => 70 + n),
  )
  for (const { record } of made)
    expect(record).toEqual({ id: expect.any(String), reference: expect.any(String), version: 1 })
  expect(data).toHaveLength(100)
  expect(data[0].problem).toMatchObject({
    code: 'validation_failed',
    detail: expect.stringContaining('4 things'),
  })
  expect(note).toContain('problems')
})

test('and where there is no room for each problem, tells which rows were refused', async () => {
  const wrong = Object.fromEntries([1, 2, 3].map((n) => [`${n}${'\u0001'.repeat(90)}`, n]))
  const records = [...Array(69).fill(wrong), { title: 'Beside what cannot be read' }]
  const { result } = await callTool(door, key, 'createRecordBatch', { type: 'risk', records })
  const { data, note } = result.structuredContent
  expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(40_000)
  expect(data.at(-1)).toEqual({ index: 69, record: expect.objectContaining({ version: 1 }) })
  const told = data.slice(0, -1).map(({ index }: { index: number }) => index)
  expect([...told, ...note.match(/\d+/g).map(Number)]).toEqual(Array.from({ length: 69 }, (_, n) => n))
})

describe('who may not', () => {
  test('no credential, an unknown one, and one that was revoked', async () => {
    for (const [secret, code] of [
      [null, 'credential_missing'],
      [`comply_${'x'.repeat(32)}`, 'credential_invalid'],
    ] as const) {
      const reply = await rpc(door, secret, 'tools/list')
      expect([reply.status, reply.problem.code, reply.body.id]).toEqual([401, code, null])
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer resource_metadata="/)
    }
    const gone = await acme.key(['read:risks'])
    await one.call(acme.admin, 'revokeApiKey', { id: gone.id })
    expect((await rpc(door, gone.secret, 'tools/list')).problem.code).toBe('key_revoked')
  })

  test('a credential in the query, or a cookie, is none', async () => {
    const inQuery = await rpc(door, null, 'tools/list', {}, { query: `?access_token=${key}` })
    expect(inQuery.status).toBe(401)
    const beside = await rpc(door, key, 'tools/list', {}, { query: `?access_token=${key}` })
    expect([beside.status, beside.problem.code]).toEqual([422, 'validation_failed'])
    expect(beside.text).not.toContain(key)
    expect(
      (await rpc(door, null, 'tools/list', {}, { headers: { cookie: `plumbline=${key}` } })).status,
    ).toBe(401)
  })

  test('another method than POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const reply = await door.send(key, method, '/v1/mcp')
      expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, 'POST'])
      expect(reply.body).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { data: { code: 'method_not_allowed' } },
      })
    }
    expect((await door.send(key, 'HEAD', '/v1/mcp')).status).toBe(405)
    expect((await door.send(key, 'POST', '/v1/mcp/further')).body.error.data.code).toBe('not_found')
  })

  test('a page of another site', async () => {
    const ask = (headers: Record<string, string>) => rpc(door, key, 'tools/list', {}, { headers })
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'x', '']) {
      const reply = await ask({ origin })
      expect([origin, reply.status, reply.problem.code]).toEqual([origin, 403, 'cross_site'])
      expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    }
    for (const host of [
      'evil.example',
      `evil.example:${door.port}`,
      'localhost.evil.example',
      '169.254.169.254',
    ])
      expect([host, (await ask({ host })).status]).toEqual([host, 403])
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:80'])
      expect([origin, (await ask({ origin })).status]).toEqual([origin, 200])
    for (const host of ['localhost', '[::1]:3000', '127.0.0.1:1'])
      expect([host, (await ask({ host })).status]).toEqual([host, 200])
  })

  test('and where the service has a name, only that is its own', async () => {
    const named = await one.listen({ PUBLIC_URL: 'https://plumbline.example' })
    const ask = (headers: Record<string, string>) => rpc(named, key, 'tools/list', {}, { headers })
    expect((await ask({ host: 'plumbline.example' })).status).toBe(200)
    expect((await ask({ host: 'plumbline.example', origin: 'https://plumbline.example' })).status).toBe(200)
    for (const host of ['localhost', '127.0.0.1', 'plumbline.example.evil.example'])
      expect([host, (await ask({ host })).status]).toEqual([host, 403])
    for (const origin of [
      'http://plumbline.example',
      'https://plumbline.example:444',
      'http://localhost:6274',
    ])
      expect([origin, (await ask({ host: 'plumbline.example', origin })).status]).toEqual([origin, 403])
  })
})

test('one request is one call of the limit that REST and MCP share, and a 429 is JSON-RPC too', async () => {
  const limited = await one.listen({ RATE_LIMIT: '3/10m' })
  const { secret } = await acme.key(['read:risks'])
  expect((await rpc(limited, secret, 'tools/list')).headers.ratelimit).toBe('"default";r=2;t=600')
  expect((await limited.send(secret, 'GET', '/v1/me')).headers.ratelimit).toMatch(/^"default";r=1;/)
  expect((await callTool(limited, secret, 'getMe')).headers.ratelimit).toMatch(/^"default";r=0;/)
  const over = await callTool(limited, secret, 'getMe')
  expect([over.status, over.problem.code, over.body.error.code]).toEqual([429, 'rate_limited', -32000])
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(500)
})

test('a fault of ours looks like one, and tells nothing', async () => {
  const lines: string[] = []
  const other = await one.listen({}, (line) => lines.push(line))
  await one.administrator.query('alter table risks rename to risks_away')
  try {
    const reply = await callTool(other, key, 'listRisks')
    expect([reply.status, reply.body.error.code, reply.problem.code]).toEqual([
      500,
      ProtocolErrorCode.InternalError,
      'internal',
    ])
    expect(reply.text).not.toContain('risks_away')
    expect(reply.text).not.toContain('relation')
    expect(lines.join('')).toContain(reply.problem.requestId)
  } finally {
    await one.administrator.query('alter table risks_away rename to risks')
  }
})

test('a name that no tool has is told the nearest', async () => {
  const reply = await callTool(door, key, 'getRiks')
  expect(reply.body.error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('getRecord with id risk_…'),
  })
  expect((await callTool(door, key, 'constructor')).body.error.code).toBe(-32602)
  expect((await callTool(door, key, 'x'.repeat(10_000))).body.error.code).toBe(-32602)
})
