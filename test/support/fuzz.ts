import { expect } from 'vitest'
import { SCOPES, type Scope } from '../../model/scopes.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { openToPrograms, operations, operationsBy } from '../../server/operations.ts'
import type { Door } from './door.ts'
import { drawRaw, type RawRequest, sendRaw } from './fuzz-raw.ts'
import { makeUnder } from './makers.ts'
import { callOperation } from './mcp.ts'
import { bareOf, type Form, formOf, idsInPath, requestFor, sampleOf } from './samples.ts'
import type { TestOrganization, TestService } from './service.ts'
import { openWebAs, type Web } from './web.ts'

/*
 * Calls with the edges of every type in every input, made from a seed: each operation's own good input with up to
 * four of its values replaced. The service never fails of them, and nothing is written but by calls that succeeded.
 */

const EDGES: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    '',
    ' ',
    '\u200b',
    'a\u0000b',
    '\ud800',
    'x'.repeat(201),
    'ü'.repeat(20_001),
    '%00',
    '\\',
    "' or 1=1 --",
  ],
  ...[
    0,
    -0,
    -1,
    1,
    0.1,
    1e308,
    -1e308,
    5e-324,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    2 ** 53 + 2,
    'NaN',
    'Infinity',
    '-infinity',
  ],
  ...[
    '0000-01-01',
    '0001-01-01',
    '1899-12-31',
    '1900-01-01',
    '2200-12-31',
    '2201-01-01',
    '9999-12-31',
    '2026-02-29',
    '2024-02-29',
  ],
  ...['10000-01-01', '-0001-01-01', 'epoch', 'now', '2026-13-01', '2026-05-17'],
  ...[
    '0000-01-01T00:00:00Z',
    '1900-01-01T00:00:00+00:01',
    '2200-12-31T23:59:59.999-00:01',
    '2026-05-17T24:00:00Z',
  ],
  ...[
    '2026-05-17T10:00:00+23:59',
    '2026-05-17T10:00:00-23:59',
    '2026-05-17T23:59:60Z',
    '2026-05-17T10:00:00.123456789Z',
    '2026-05-17',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    [''],
    ['a', 'a'],
    Array(201).fill('x'),
    { a: { b: [1] } },
    { type: 'user', refId: 'usr_x' },
  ],
  ...[
    'risk_01k9f8qxk2e9mbz6w0h5t4v3ra',
    'per_zzzzzzzzzzzzzzzzzzzzzzzzzz',
    '\u202e',
    '👩‍👩‍👧',
    '__proto__',
    'constructor',
  ],
  ...[
    { currency: 'XXX' },
    { currency: 'EUR', lossMin: 2, lossMax: 1 },
    { '': 1 },
    { a: null },
    { ü: 'ü'.repeat(9_000) },
  ],
]

/** What asks a network, which is not what is looked for here. */
const OUTWARD = new Set([
  'createSignInProvider',
  'verifySignInDomain',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
])
const forCallers = operationsBy('credential')
const fuzzed = forCallers.filter(({ name, annotations }) => !annotations?.openWorld && !OUTWARD.has(name))
const byKey = openToPrograms(fuzzed)
const forBrowsers = operations.filter(({ name, path }) => path === `/web/${name}` && name !== 'signOut')

export interface Counts {
  readonly rest: number
  readonly web: number
  readonly mcp: number
  /** Requests that no client of ours would send (fuzz-raw.ts). */
  readonly raw: number
}

const AT_ONCE = 8
const PORTION = 250
/** A session may make 1,200 calls a minute. */
const CALLS_A_SESSION = 1_000

/** @returns how often each status was answered */
export async function fuzz(
  one: TestService,
  door: Door,
  seed: number,
  counts: Counts,
): Promise<Record<string, number>> {
  console.log(`fuzz: seed ${seed}`)
  const random = randomFrom(seed)
  const acme = await one.organization()
  const ids = await idsOf(one, acme)
  const key = (await acme.key(Object.keys(SCOPES) as Scope[])).secret
  let web = await openWebAs(door, acme.admin)
  const calls = shuffled(random, counts)
  const answered: Record<string, number> = {}
  let ofSession = 0
  for (let start = 0; start < calls.length; start += PORTION) {
    const before = await written(one)
    const portion = calls.slice(start, start + PORTION).map((kind) => draw(random, kind, ids))
    let done = 0
    ofSession += PORTION
    if (ofSession > CALLS_A_SESSION) {
      // Another person: what was changed of the one before may keep them out now.
      web = await openWebAs(door, await acme.person('admin'))
      ofSession = 0
    }
    const waiting = [...portion]
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let call = waiting.shift(); call; call = waiting.shift()) {
          const status = await ask(door, key, web, call)
          answered[status] = (answered[status] ?? 0) + 1
          expect(
            status,
            `seed ${seed}: ${call.kind} ${call.name} ${JSON.stringify(call.raw ?? call.input).slice(0, 1_000)}`,
          ).toBeLessThan(500)
          if (status === 401 && call.kind === 'web') ofSession = CALLS_A_SESSION
          if (status < 300) done++
        }
      }),
    )
    const made = (await written(one)) - before
    expect(made, `seed ${seed}: written in calls ${start} to ${start + PORTION}`).toBeLessThanOrEqual(done)
  }
  console.log(`fuzz: ${calls.length} calls, ${JSON.stringify(answered)}`)
  return answered
}

interface Call {
  readonly kind: keyof Counts
  readonly name: string
  readonly operation: AnyOperation
  readonly input: Record<string, unknown>
  readonly raw?: RawRequest
}

type Random = () => number

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const oneOf = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!

function shuffled(random: Random, counts: Counts): (keyof Counts)[] {
  const all = (Object.keys(counts) as (keyof Counts)[]).flatMap((kind) =>
    Array<keyof Counts>(counts[kind]).fill(kind),
  )
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[all[last], all[other]] = [all[other]!, all[last]!]
  }
  return all
}

function draw(random: Random, kind: keyof Counts, ids: ReadonlyMap<string, string>): Call {
  if (kind === 'raw') {
    const raw = drawRaw(random, EDGES)
    return { kind, name: `${raw.method} ${raw.path}`, operation: byKey[0]!, input: {}, raw }
  }
  const isAct = kind === 'web' && random() < 0.1
  const operation = isAct
    ? (oneOf(random, forBrowsers) as unknown as AnyOperation)
    : kind === 'mcp'
      ? oneOf(random, byKey)
      : oneOf(random, kind === 'rest' && random() < 0.9 ? byKey : fuzzed)
  const form = formOf(operation)
  const id = isAct ? undefined : ids.get(operation.path.split('/{', 1)[0]!)
  const good = {
    ...sampleOf(operation),
    ...(id !== undefined && operation.path.includes('{id}') ? { id } : {}),
  }
  const input = { ...good, ...changes(random, form) }
  if (random() < 0.03) Object.assign(input, { [String(oneOf(random, EDGES))]: oneOf(random, EDGES) })
  return { kind, name: operation.name, operation, input }
}

function changes(random: Random, { properties = {} }: Form): Record<string, unknown> {
  const names = Object.keys(properties)
  if (names.length === 0) return {}
  return Object.fromEntries(
    Array.from({ length: Math.floor(random() * 5) }, () => {
      const name = oneOf(random, names)
      return [name, edge(random, properties[name]!)]
    }),
  )
}

/** Of the right form now and then, so that what lies behind the schemas is met as well. */
function edge(random: Random, form: Form): unknown {
  const bare = bareOf(form)
  if (bare.enum && random() < 0.8) return oneOf(random, bare.enum)
  if (bare.type === 'array' && random() < 0.6)
    return [edge(random, bare.items ?? {}), edge(random, bare.items ?? {})]
  if (bare.type === 'object' && random() < 0.7) return changes(random, bare)
  return oneOf(random, EDGES)
}

async function ask(
  door: Door,
  key: string,
  web: Web,
  { kind, name, operation, input, raw }: Call,
): Promise<number> {
  if (raw) return await sendRaw(door, key, web, raw)
  if (kind === 'web') return (await web.call(name, input)).status
  if (kind === 'mcp') {
    const reply = await callOperation(door, key, operation, input)
    return reply.problem?.status ?? reply.status
  }
  const { path, body } = requestFor(operation, { ...input, ...inPath(operation, input) })
  return (await door.send(key, operation.method, path, body === undefined ? {} : { body })).status
}

/** Half a pair cannot be written into an address. */
const inPath = ({ path }: AnyOperation, input: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, String(input[name!]).toWellFormed()]),
  )

/** Calls that wrote something, as the audit log has it: no write is without its entry, and one call may write many. */
async function written({ administrator }: TestService): Promise<number> {
  const { rows } = await administrator.query(
    "select count(distinct request_id)::int as n from audit_entries where outcome = 'success' and action not like '%sign%' and action not like 'session.%'",
  )
  return rows[0].n
}

async function idsOf(one: TestService, { admin }: TestOrganization): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const path of new Set(
    fuzzed.filter((one) => idsInPath(one).length > 0).map(({ path }) => path.split('/{', 1)[0]!),
  ))
    ids.set(path, await makeUnder(one, admin, path))
  return ids
}
