import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { bindCursor } from '../server/cursor.ts'
import { newId } from '../server/database/ids.ts'
import type { AnyOperation } from '../server/operation.ts'
import { operationsBy } from '../server/operations.ts'
import { coveredOperations, sample } from './support/coverage.ts'
import type { Door, Reply } from './support/door.ts'
import { makeUnder, sampleFor } from './support/makers.ts'
import { rowVersions } from './support/row-versions.ts'
import { bareOf, type Form, formOf, idsInPath, sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { askBy, openWebAs, type Web } from './support/web.ts'

const operations = operationsBy('credential')

/*
 * The wall between organizations, for every operation of the list: whatever names a record of another
 * organization gets the very bytes that an id that never was gets, wherever the id stands, and nothing over
 * there moves. Beneath, row security alone holds the same, with no filter of ours.
 */

const ALL = Object.keys(SCOPES) as Scope[]

let one: TestService
let door: Door
let ours: TestOrganization
let theirs: TestOrganization
let key: string
/** As our admin, for what only a person may do. */
let web: Web
/** An id of theirs for each path below which records have ids: `/v1/risks` → `risk_…`. */
const foreign = new Map<string, string>()
const own = new Map<string, string>()

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  ours = await one.organization({ supplierRiskManagement: true })
  theirs = await one.organization({ supplierRiskManagement: true })
  key = (await ours.key(ALL)).secret
  web = await openWebAs(door, ours.admin)
  for (const [organization, ids] of [
    [theirs, foreign],
    [ours, own],
  ] as const)
    for (const path of collections()) ids.set(path, await makeUnder(one, organization.admin, path))
  for (const [{ admin }, ids] of [
    [theirs, foreign],
    [ours, own],
  ] as const)
    await one.call(admin, 'linkRisk', {
      id: ids.get('/v1/risks'),
      targetKind: 'control',
      targetId: ids.get('/v1/controls'),
    })
})
afterAll(() => one.close())

/** By an id of ours, that is: what is at the caller's own ids is in upsert.test.ts. */
const ofIds = operations.filter((operation) => !operation.bodyIs && idsInPath(operation).length > 0)
const byId = coveredOperations(ofIds)
const collectionOf = ({ path }: AnyOperation) => path.split('/{', 1)[0]!

/** The paths under which records are found by id. */
const collections = () => [...new Set(ofIds.map(collectionOf))]

/** What may differ between two answers: the request id, and the id that was asked for. */
const bytesOf = ({ status, text, headers }: Reply, id: string) => {
  const { date, 'request-id': requestId, ratelimit, 'keep-alive': _, ...others } = headers
  const plain = text.replaceAll(requestId!, 'REQUEST').replaceAll(id, 'ID')
  return { status, text: plain, headers: { ...others, 'content-length': plain.length } }
}

const ask = (operation: AnyOperation, input: Record<string, unknown>) =>
  askBy(door, key, web, operation, input)

/**
 * Nothing of theirs moves, from when the tests around began or it was last asked: once for all operations of a path,
 * since that takes longer than to ask them.
 */
function nothingMoves(): () => Promise<void> {
  const stateOf = () =>
    rowVersions(one.administrator, { organizationId: theirs.id, but: ['audit_entries', 'api_key_usage'] })
  let before: Awaited<ReturnType<typeof stateOf>>
  beforeAll(async () => {
    before = await stateOf()
  })
  return async () => {
    const was = before
    before = await stateOf()
    expect(before).toEqual(was)
  }
}

const TABLES = `
  select c.relname as table from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id')
   order by 1`

const prefixOf = (id: string) => id.split('_', 1)[0]!

/**
 * Ids of theirs for a place: of each kind that it may point at, and of one other kind; where it may point at anything,
 * two. All of them, where everything is covered.
 */
function foreignFor(place: string, prefixes: readonly string[]): readonly string[] {
  const all = [...foreign.values(), theirs.admin.userId, theirs.id]
  if (prefixes.length === 0) return sample(all, 2, place)
  const [fitting, others] = [true, false].map((fits) =>
    all.filter((id) => prefixes.includes(prefixOf(id)) === fits),
  ) as [string[], string[]]
  return [...fitting, ...sample(others, 1, place)]
}

describe('an id in the path', () => {
  const stands = nothingMoves()

  test.each([...Map.groupBy(byId, collectionOf)])('%s', async (path, together) => {
    const theirId = foreign.get(path)!
    const never = newId(prefixOf(theirId))
    for (const operation of together) {
      const [name] = idsInPath(operation)
      const input = sampleOf(operation)
      const [there, nowhere] = [
        await ask(operation, { ...input, [name!]: theirId }),
        await ask(operation, { ...input, [name!]: never }),
      ]
      expect(bytesOf(there, theirId), operation.name).toEqual(bytesOf(nowhere, never))
      if (!operation.path.endsWith('/history'))
        expect([operation.name, there.status]).toEqual([operation.name, 404])
    }
    await stands()
  })
})

describe('a further id in the path', () => {
  const stands = nothingMoves()
  const further = byId.filter((operation) => idsInPath(operation).length > 1)

  test.each([...Map.groupBy(further, collectionOf)])('%s', async (path, together) => {
    for (const operation of together) {
      const [first, ...names] = idsInPath(operation)
      for (const name of names) {
        const place = `${operation.name} ${name}`
        const { refersTo = [], pattern } = formOf(operation).properties![name]!
        // What has a form of its own, as a hash has, is no id.
        if (pattern !== undefined && refersTo.length === 0) continue
        for (const theirId of foreignFor(place, [refersTo].flat())) {
          const never = newId(prefixOf(theirId))
          for (const id of [own.get(path), foreign.get(path)]) {
            const input = { ...sampleOf(operation), [first!]: id }
            const there = await ask(operation, { ...input, [name]: theirId })
            const nowhere = await ask(operation, { ...input, [name]: never })
            expect(bytesOf(there, theirId), `${place} ${theirId}`).toEqual(bytesOf(nowhere, never))
            expect([place, there.status]).toEqual([place, 404])
          }
        }
      }
    }
    await stands()
  })
})

/** Every place of a form where an id may stand, as a path of names. */
function placesOf(form: Form, at: string[] = []): { place: string[]; refersTo: readonly string[] }[] {
  const bare = bareOf(form)
  if (bare.type === 'array') return placesOf(bare.items ?? {}, at)
  if (bare.type === 'object')
    return Object.entries(bare.properties ?? {}).flatMap(([name, inner]) => placesOf(inner, [...at, name]))
  return bare.refersTo === undefined ? [] : [{ place: at, refersTo: [bare.refersTo].flat() }]
}

function withValue(
  input: Record<string, unknown>,
  [name, ...rest]: string[],
  value: unknown,
  form: Form,
): Record<string, unknown> {
  const inner = form.properties?.[name!] ?? {}
  const bare = bareOf(inner)
  if (rest.length === 0) return { ...input, [name!]: bare.type === 'array' ? [value] : value }
  const beside = Object.fromEntries(
    (bare.required ?? []).map((each) => [each, bare.properties?.[each]?.enum?.at(-1) ?? 'x']),
  )
  return { ...input, [name!]: withValue(beside, rest, value, bare) }
}

describe('an id in the query or body', () => {
  const stands = nothingMoves()
  const places = coveredOperations(operations).flatMap((operation) => {
    const form = formOf(operation)
    return placesOf(form)
      .filter(({ place }) => !operation.path.includes(`{${place[0]}}`))
      .map((one) => ({ ...one, operation, form }))
  })

  test.each([...Map.groupBy(places, ({ operation }) => collectionOf(operation))])(
    '%s',
    async (path, together) => {
      for (const { operation, form, place, refersTo } of together) {
        const told = `${operation.name} ${place.join('.')}`
        for (const theirId of foreignFor(told, refersTo)) {
          const never = newId(prefixOf(theirId))
          const [name] = idsInPath(operation)
          const base = { ...sampleOf(operation), ...(name ? { [name]: own.get(path) } : {}) }
          const [there, nowhere] = [
            await ask(operation, withValue(base, place, theirId, form)),
            await ask(operation, withValue(base, place, never, form)),
          ]
          expect(bytesOf(there, theirId), `${told} ${theirId}`).toEqual(bytesOf(nowhere, never))
        }
      }
      await stands()
    },
  )
})

describe('a cursor', () => {
  // That of an export is another: test/audit-export.test.ts has it.
  const lists = operations.filter(
    ({ name, input, path }) => 'cursor' in input.shape && !path.includes('{') && name !== 'exportAuditLog',
  )
  test.each(coveredOperations(lists).map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      for (let made = 0; made < 2; made++) {
        const create = operations.find((each) => each.method === 'POST' && each.path === operation.path)
        if (create) await one.call(theirs.admin, create.name, await sampleFor(one, theirs.admin, create))
      }
      const { body } = (await one.call(theirs.admin, operation.name, { limit: 1 })) as unknown as {
        body: { data: unknown[]; nextCursor: string | null }
      }
      if (body.nextCursor === null) return expect(body.data.length).toBeLessThan(2)
      const asked = operation.input.parse({ limit: 1 })
      const bound = bindCursor(operation, asked, '')
      const inner = body.nextCursor.slice(bound.length)
      const place = JSON.parse(Buffer.from(inner, 'base64url').toString()) as [string, unknown, string]
      const never = newId(prefixOf(place[2]))
      const twin = bound + Buffer.from(JSON.stringify([place[0], place[1], never])).toString('base64url')
      const [there, nowhere] = [
        await ask(operation, { cursor: body.nextCursor }),
        await ask(operation, { cursor: twin }),
      ]
      expect(bytesOf(there, body.nextCursor)).toEqual(bytesOf(nowhere, twin))
      expect(there.text).not.toContain(theirs.id)
    },
  )
})

test('no list shows a row of theirs', async () => {
  for (const operation of operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
    const { status, text } = await ask(operation, sampleOf(operation))
    expect([operation.name, status]).toEqual([operation.name, 200])
    expect(text).not.toContain(theirs.id)
    for (const id of foreign.values()) expect(text).not.toContain(id)
  }
})

describe('row security alone, without a filter of ours', () => {
  let tenant: pg.Client
  let tables: string[]
  beforeAll(async () => {
    tenant = new pg.Client({ connectionString: one.database.url })
    await tenant.connect()
    tables = (await one.administrator.query(TABLES)).rows.map((row) => row.table)
  })
  afterAll(() => tenant.end())

  async function as<T>(organizationId: string | null, work: () => Promise<T>): Promise<T> {
    await tenant.query('begin')
    try {
      await tenant.query(
        "select set_config('role', 'plumbline_tenant', true), set_config('plumbline.organization', $1, true)",
        [organizationId ?? ''],
      )
      return await work()
    } finally {
      await tenant.query('rollback')
    }
  }

  const counted = async (statement: string, values: unknown[] = []) =>
    as(values[0] === undefined ? null : ours.id, () => tenant.query(statement, values)).then(
      ({ rowCount }) => rowCount,
      (error: { code: string }) => {
        if (error.code !== '42501') throw error
        return 0 // no right to the table at all
      },
    )

  test('no organization set: no rows', async () => {
    for (const table of tables) expect([table, await counted(`select from ${table}`)]).toEqual([table, 0])
  })

  test('their rows can be neither read, changed, nor removed', async () => {
    for (const table of tables) {
      const where = 'where organization_id = $1'
      expect([table, await counted(`select from ${table} ${where}`, [theirs.id])]).toEqual([table, 0])
      expect([table, await counted(`delete from ${table} ${where}`, [theirs.id])]).toEqual([table, 0])
      const change = `update ${table} set organization_id = organization_id ${where}`
      expect([table, await counted(change, [theirs.id])]).toEqual([table, 0])
    }
  })

  test('no row of ours can be made theirs', async () => {
    for (const table of ['risks', 'controls', 'personnel', 'risk_controls'])
      await expect(
        as(ours.id, () => tenant.query(`update ${table} set organization_id = $1`, [theirs.id])),
      ).rejects.toThrow(/row-level security|permission denied/)
  })

  test('a reference across the wall is refused by the database itself', async () => {
    const { rows } = await one.administrator.query(`
      select c.conrelid::regclass::text as table, c.conname as name
        from pg_constraint c
       where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confrelid::regclass::text not in ('organizations', 'users')
         and not exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey) and a.attname = 'organization_id')`)
    expect(rows).toEqual([])
  })
})
