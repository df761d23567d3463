import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callsOf } from '../model/calls.ts'
import { columnOf } from '../model/column-names.ts'
import type { Values } from '../model/complaint.ts'
import { kindOfPrefix, pathsOf } from '../model/family.ts'
import { isPrincipal, storageOf, targetOf } from '../model/fields.ts'
import { endsOf } from '../model/filter-names.ts'
import { givenFields, type Kind, SERVICE_FIELDS } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { filterFieldsOf as everyFilterOf, isNullable, scaleOf, sortFieldsOf } from '../model/listing.ts'
import { compareNaturally } from '../model/natural-order.ts'
import { principalColumns } from '../model/roles.ts'
import { operations } from '../server/operations.ts'
import { coveredKinds } from './support/coverage.ts'
import { makeUnder, sampleFor } from './support/makers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Every field of a kind by which a list is sorted or filtered, as its form says. */

const RECORDS = 4
/** Others follow from something else. */
const added = coveredKinds.filter((kind) => operations.some(({ name }) => name === callsOf(kind).create))
/** What is linked with nothing is looked for among these. */
const risk = kinds.risk as unknown as Kind
/** Of the last record whatever can be without a value is without one. */
const UNSET = RECORDS - 1

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization({ supplierRiskManagement: true })
  const { body: bo } = await one.call(acme.admin, 'createPersonnel', {
    fullName: 'Bo Lind',
    workEmail: 'bo@example.com',
  })
  const owners = [acme.admin.userId, (bo as { id: string }).id]
  for (const kind of new Set([risk, ...added]))
    for (let at = 0; at < RECORDS; at++) await add(kind, at, owners)
})
afterAll(() => one.close())

/** What follows from other records stands in no column, and has tests of its own. */
const filterFieldsOf = (kind: Kind) => everyFilterOf(kind).filter(({ name }) => !(name in kind.readings))

const schemaOf = (kind: Kind, name: string) =>
  ({ ...givenFields(kind), ...kind.derived, ...SERVICE_FIELDS })[name]!

/** Of each kind the record that a member owns. */
const owned = new Map<Kind, string>()

/** A record whose values stand in another order than those of the others, alphabetically and by weight. */
async function add(kind: Kind, at: number, [userId, personnelId]: string[]): Promise<void> {
  const create = operations.find(({ name }) => name === callsOf(kind).create)!
  const given = await sampleFor(one, acme.admin, create, { externalId: `listed-${at}` })
  const { id } = (await one.call(acme.admin, create.name, given)).body as { id: string }
  if (at === 0) owned.set(kind, id)
  const set: Record<string, unknown> = {}
  for (const { name, form } of filterFieldsOf(kind)) {
    const schema = schemaOf(kind, name)
    const target = targetOf(schema)
    if (target) {
      // What it has to point at is there already.
      if (isNullable(kind, name))
        set[columnOf(name)] = at === UNSET ? null : await pointedAt(kind, id, target)
      continue
    }
    const choices = choicesOf(schema)
    const choice = choices[(2 * at + 1) % choices.length]
    set[columnOf(name)] =
      isNullable(kind, name) && at === UNSET
        ? null
        : {
            values: storageOf(schema) === 'boolean' ? at % 2 === 0 : choice,
            overlap: [choices.slice(0, 2), choices.slice(1, 3), choices.slice(-1)][at % 3],
            dates: `202${9 - at}-05-0${at + 1}`,
            numbers: NUMBERS.find((numbers) => numbers.every((each) => isTaken(schema, each)))?.[at],
          }[form]
  }
  for (const owner of kind.owners) {
    const { user, personnel } = principalColumns(owner)
    // One that a record cannot do without is somebody in each.
    const isSet = at === 0 || (kind.required.includes(owner) && at !== 1)
    set[user] = isSet ? userId : null
    set[personnel] = at === 1 ? personnelId : null
  }
  const columns = Object.keys(set).map((column, nth) => `${column} = $${nth + 2}`)
  await one.administrator.query(`update ${kind.table} set ${columns.join(', ')} where id = $1`, [
    id,
    ...Object.values(set),
  ])
}

/** A record itself, where it points at one of its kind; else one that is made for it. */
async function pointedAt(kind: Kind, id: string, target: string): Promise<string> {
  if (kind.idPrefix === target) return id
  const other = kindOfPrefix(target)!
  return await makeUnder(one, acme.admin, pathsOf(other).all)
}

const WORDS = [
  ['Echo', 'Delta', 'Golf', 'Foxtrot'],
  ['DE', 'CH', 'FR', 'AT'],
  ['GBP', 'EUR', 'USD', 'CHF'],
  ['CVE-2026-10005', 'CVE-2026-10004', 'CVE-2026-10007', 'CVE-2026-10006'],
  ['CWE-85', 'CWE-84', 'CWE-87', 'CWE-86'],
  ['10.0.0.5', '10.0.0.4', '10.0.0.7', '10.0.0.6'],
]
const NUMBERS = [
  [5, 4, 3, 2],
  [3, 2, 1, 0],
  [0.5, 0.4, 0.3, 0.2],
]

/** A text that a field takes, and what it is found by. */
function textFor(schema: z.core.$ZodType | undefined, name: string): [text: string, q: string] {
  const word = `PSILON${name}`
  const all: [text: string, q: string][] = [
    [`At Ÿpsilon${name} now`, word],
    [`Ypsilon${name}@example.com`, word],
    [`https://ypsilon${name.toLowerCase()}.example/`, word],
    ['5493001KJTIIGC8Y1R12', 'kjtiigc8y1'],
    ['CVE-2026-77711', 'cve-2026-77711'],
    ['CWE-777', 'cwe-777'],
    ['10.77.0.7', '10.77.0.7'],
  ]
  const item = (schema as { element?: z.core.$ZodType } | undefined)?.element ?? schema
  return all.find(([text]) => !item || isPrincipal(item) || isTaken(item, text))!
}

const isTaken = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success

/** What a field, or an item of a list, may be: the choices that it has, or words that it takes. */
function choicesOf(schema: z.core.$ZodType): readonly string[] {
  const item = (schema as { element?: z.core.$ZodType }).element ?? schema
  return (
    (item as { options?: string[] }).options ??
    WORDS.find((words) => words.every((word) => isTaken(item, word))) ??
    []
  )
}

const listOf = (kind: Kind) => callsOf(kind).list

async function listed(kind: Kind, input: Values, limit = 200): Promise<Values[]> {
  const rows: Values[] = []
  for (let cursor: string | undefined; ; ) {
    const { body } = await one.call(acme.admin, listOf(kind), {
      ...input,
      limit,
      ...(cursor ? { cursor } : {}),
    })
    const { data, nextCursor } = body as { data: Values[]; nextCursor: string | null }
    rows.push(...data)
    if (nextCursor === null) return rows
    cursor = nextCursor
  }
}

const isList = (kind: Kind, name: string): boolean => storageOf(schemaOf(kind, name)) === 'text[]'

/** What a value is sorted by. */
function rankOf(kind: Kind, name: string, record: Values): string | number | null {
  const schema = schemaOf(kind, name)
  const value = record[name]
  if (value === null || value === undefined) return null
  if (name === 'reference' && !kind.referencedBy) return Number(String(value).split('-')[1])
  if (isPrincipal(schema)) return (value as { displayName: string }).displayName
  if (Array.isArray(value)) return value.join(', ')
  const scale = scaleOf(schema)
  return scale ? scale.indexOf(String(value)) : typeof value === 'boolean' ? Number(value) : (value as string)
}

describe.each(added)('of $name', (kind) => {
  const sorts = sortFieldsOf(kind).flatMap((name) => [name, `-${name}`])
  test.each(sorts)('sort=%s, two rows a page', async (sort) => {
    const name = sort.replace('-', '')
    const rows = await listed(kind, { sort }, 2)
    expect(new Set(rows.map(({ id }) => id)).size).toBe((await listed(kind, {})).length)
    const ranks = rows.map((row) => rankOf(kind, name, row))
    const set = ranks.filter((rank) => rank !== null)
    const byRank = set.toSorted((a, b) =>
      typeof a === 'number' ? a - Number(b) : compareNaturally(String(a), String(b)),
    )
    const nulls = ranks.length - set.length
    expect(ranks).toEqual([...(sort === name ? byRank : byRank.reverse()), ...Array(nulls).fill(null)])
  })

  test.each(filterFieldsOf(kind))('filtered by $name', async (field) => {
    const { name, form, unset: word } = field
    const all = await listed(kind, {})
    const found = async (input: Values) => (await listed(kind, input)).map(({ id }) => id)
    const having = (is: (value: never) => boolean) =>
      all.filter((row) => row[name] !== null && is(row[name] as never)).map(({ id }) => id)
    const unset = all
      .filter((row) => row[name] === null || (Array.isArray(row[name]) && row[name].length === 0))
      .map(({ id }) => id)
    const value = all.find((row) => row[name] !== null)![name]
    const [low, high] = endsOf(field)
    if (form === 'values') expect(await found({ [name]: [value] })).toEqual(having((one) => one === value))
    if (form === 'overlap') {
      const [first] = value as string[]
      const wanted = [choicesOf(field.schema)[1]!, first]
      expect(await found({ [name]: wanted })).toEqual(
        having((values: string[]) => values.some((one) => wanted.includes(one))),
      )
    }
    if (low && high) {
      expect(await found({ [low]: value })).toEqual(having((one) => one >= (value as never)))
      expect(await found({ [high]: value })).toEqual(having((one) => one <= (value as never)))
      expect(await found({ [low]: value, [high]: value })).toEqual(having((one) => one === value))
    }
    if (!word) return
    expect(unset.length).toBeGreaterThan(0)
    expect(await found({ [name]: [word] })).toEqual(unset)
    if (low)
      expect((await found({ [low]: value, [name]: [word] })).sort()).toEqual(
        [...unset, ...having((one) => one >= (value as never))].sort(),
      )
  })

  test.each([...kind.search, 'externalId', 'labels', ...kind.owners])(
    'a search looks into %s',
    async (name) => {
      const id = owned.get(kind)!
      const [text, q] = textFor(kind.fields[name], name)
      await one.administrator.query(
        kind.owners.includes(name)
          ? `update members set name = $1 where user_id = (select ${principalColumns(name).user} from ${kind.table} where id = $2)`
          : `update ${kind.table} set ${columnOf(name)} = $1 where id = $2`,
        [isList(kind, name) ? [text] : text, id],
      )
      expect((await listed(kind, { q })).map((row) => row.id)).toContain(id)
      expect(await listed(kind, { q: `${q} xylophone` })).toEqual([])
    },
  )
})

test('who owns nothing, and what is linked with nothing, is found by none', async () => {
  const ownerless = (await listed(risk, {})).filter(({ ownerId }) => ownerId === null)
  expect(await listed(risk, { ownerId: ['none'] })).toEqual(ownerless)
  expect(await listed(risk, { ownerId: ['none', acme.admin.userId] })).toHaveLength(ownerless.length + 1)
  expect(await listed(risk, { controlId: ['none'] })).toEqual(await listed(risk, {}))
})
