import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf } from '../model/calls.ts'
import { columnOf } from '../model/column-names.ts'
import { kindOfPrefix, pathsOf } from '../model/family.ts'
import { optionsOf, placeOf, storageOf, targetOf } from '../model/fields.ts'
import { givenFields } from '../model/kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { bindCursor } from '../server/cursor.ts'
import { operations } from '../server/operations.ts'
import type { Door } from './support/door.ts'
import { makeUnder, sampleFor } from './support/makers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let acme: TestOrganization
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization({ supplierRiskManagement: true })
  key = (await acme.key(Object.keys(SCOPES) as Scope[])).secret
})
afterAll(() => one.close())

type Item = Record<string, unknown> & { id: string }

const add = async (values: object) =>
  (await door.send(key, 'POST', '/v1/risks', { body: { title: 'A', ...values } })).body as Item

async function pages(query: string, between: () => Promise<unknown> = async () => {}): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await door.send(key, 'GET', `/v1/risks?${query}${cursor}`)
    expect(status).toBe(200)
    items.push(...body.data)
    if (body.nextCursor === null) return items
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    await between()
  }
}

describe('pages', () => {
  test('newest first, none twice and none left out while others add', async () => {
    const made = []
    for (let count = 0; count < 25; count++) made.push((await add({ labels: ['stable'] })).id)
    const seen = await pages('limit=4', () => add({ title: 'in between' }))
    expect(seen.map(({ id }) => id)).toEqual(made.toReversed())
  })

  test.each([
    ['title', ['a', 'b', 'b', 'c']],
    ['-title', ['c', 'b', 'b', 'a']],
    ['dueDate', ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', null, null]],
    ['-dueDate', ['2026-02-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', null, null]],
    ['riskScore', [1, 25, null, null]],
    ['-riskScore', [25, 1, null, null]],
  ])('sort=%s, a row a page, with nulls last', async (sort, expected) => {
    if ((await pages('externalId=sort-1')).length === 0)
      for (const [index, values] of [
        { title: 'b', dueDate: '2026-02-01T01:00:00+01:00' },
        { title: 'c', likelihood: 'rare', impact: 'insignificant' },
        { title: 'a', dueDate: '2026-01-01T00:00:00Z' },
        { title: 'b', likelihood: 'almost_certain', impact: 'severe' },
      ].entries())
        await add({ ...values, externalId: `sort-${index}` })
    const ids = [0, 1, 2, 3].map((index) => `externalId=sort-${index}`).join('&')
    const rows = await pages(`limit=1&sort=${sort}&${ids}`)
    expect(rows.map((row) => row[sort.replace('-', '')])).toEqual(expected)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(4)
  })

  test('a cursor is of one list, its filters and its order; how many rows and in which order they are named is free', async () => {
    const { id } = await add({ category: 'continuity' })
    await add({ category: 'physical' })
    for (const likelihood of ['rare', 'possible'])
      await door.send(key, 'PATCH', `/v1/risks/${id}`, { body: { likelihood } })
    const next = async (path: string) => {
      const { body } = await door.send(key, 'GET', path)
      return async (other: string) => {
        const reply = await door.send(key, 'GET', `${other}cursor=${body.nextCursor}`)
        return [reply.status, reply.body.code]
      }
    }
    const risks = await next('/v1/risks?limit=1&sort=title&category=continuity&category=physical')
    expect(await risks('/v1/risks?limit=9&category=physical&category=continuity&sort=title&')).toEqual([
      200,
      undefined,
    ])
    for (const other of [
      '/v1/risks?sort=dueDate&category=continuity&category=physical&',
      '/v1/risks?sort=title&category=continuity&',
      '/v1/risks?sort=title&category=continuity&category=physical&q=a&',
      '/v1/risks?',
      '/v1/controls?',
    ])
      expect(await risks(other), other).toEqual([400, 'malformed_request'])
    const history = await next(`/v1/risks/${id}/history?limit=1`)
    expect(await history(`/v1/risks/${id}/history?`)).toEqual([200, undefined])
    expect(await history(`/v1/risks/${(await add({})).id}/history?`)).toEqual([400, 'malformed_request'])
  })

  test.each([
    'x',
    'bnVsbA',
    'W10',
    Buffer.from('["-createdAt",{},"x"]').toString('base64url'),
    Buffer.from('["-createdAt","not a time","x"]').toString('base64url'),
    Buffer.from('["-createdAt",5,"x"]').toString('base64url'),
    Buffer.from('["-createdAt","2026-01-01T00:00:00Z","\\u0000"]').toString('base64url'),
    Buffer.from('["-createdAt","infinity","x"]').toString('base64url'),
  ])('cursor %s was never given', async (cursor) => {
    const list = operations.find(({ name }) => name === 'listRisks')!
    for (const forged of [cursor, bindCursor(list, list.input.parse({}), cursor)]) {
      const { status, body } = await door.send(key, 'GET', `/v1/risks?cursor=${forged}`)
      expect([status, body.code]).toEqual([400, 'malformed_request'])
    }
  })

  test('a cursor is taken only as it was given', async () => {
    for (let count = 0; count < 2; count++) await add({})
    for (const path of [
      '/v1/risks?limit=1',
      '/v1/risks?limit=1&sort=title',
      '/v1/audit-log?limit=1',
      '/v1/users?limit=1',
    ]) {
      const { body } = await door.send(key, 'GET', path)
      if (!body.nextCursor) continue
      const given: string = body.nextCursor
      expect((await door.send(key, 'GET', `${path}&cursor=${given}`)).status).toBe(200)
      for (const other of [
        `${given}A`,
        `${given}AAAA`,
        `${given}=`,
        `${given}!`,
        `${given}%20`,
        ` ${given}`,
        `${given.slice(0, -1)}.${given.at(-1)}`,
      ]) {
        const { status, body: told } = await door.send(key, 'GET', `${path}&cursor=${other}`)
        expect([path, other, status, told.code]).toEqual([path, other, 400, 'malformed_request'])
      }
    }
  })

  test('limits are 1 to 200, 50 unless said', async () => {
    for (let count = 0; count < 40; count++) await add({})
    expect((await door.send(key, 'GET', '/v1/risks')).body.data).toHaveLength(50)
    expect((await door.send(key, 'GET', '/v1/risks?limit=1')).body.data).toHaveLength(1)
    expect((await door.send(key, 'GET', '/v1/risks?limit=200')).status).toBe(200)
  })
})

describe('search', () => {
  test('takes % _ and \\ for what they are', async () => {
    for (const title of ['100% sure', '100 sure', 'snake_case', 'snakeXcase', 'back\\slash'])
      await add({ title, labels: ['search'] })
    const found = async (q: string) => (await pages(`q=${encodeURIComponent(q)}`)).map(({ title }) => title)
    expect(await found('100%')).toEqual(['100% sure'])
    expect(await found('snake_c')).toEqual(['snake_case'])
    expect(await found('k\\s')).toEqual(['back\\slash'])
    expect(await found('SURE')).toEqual(['100 sure', '100% sure'])
  })

  test('takes twenty words, since each is looked for everywhere', async () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, index) => String.fromCharCode(0x4e00 + index)).join(' ')
    const ask = (q: string) => door.send(key, 'GET', `/v1/risks?q=${encodeURIComponent(q)}`)
    expect((await ask(words(20))).status).toBe(200)
    expect((await ask('a '.repeat(90))).status).toBe(200)
    const { status, body } = await ask(words(21))
    expect([status, body.errors]).toMatchObject([422, [{ path: 'q', message: expect.stringMatching(/20/) }]])
  })

  test('finds words in any case, of any language', async () => {
    for (const title of ['Ärgerliche Lücke', 'ärgerliche lücke', 'Ангар']) await add({ title })
    const found = async (q: string) => (await pages(`q=${encodeURIComponent(q)}`)).map(({ title }) => title)
    expect(await found('ÄRGER')).toEqual(['ärgerliche lücke', 'Ärgerliche Lücke'])
    expect(await found('LICHE L')).toEqual(['ärgerliche lücke', 'Ärgerliche Lücke'])
    expect(await found('аНГАР')).toEqual(['Ангар'])
  })

  test('finds words in any order, wherever they stand, without accents', async () => {
    const bo = await one.call(acme.admin, 'createPersonnel', {
      fullName: 'Zoë Müller',
      workEmail: 'hidden-mail@example.com',
    })
    const owner = { type: 'personnel', refId: (bo.body as Item).id }
    const { id, reference } = await add({
      title: 'Straße gesperrt',
      description: 'Łódź plant',
      externalId: 'ERP-77',
      labels: ['Café crème'],
      owner,
    })
    const found = async (q: string) => (await pages(`q=${encodeURIComponent(q)}`)).map((row) => row.id)
    for (const q of [
      'gesperrt strasse',
      'lodz creme',
      'erp-77 MULLER',
      `zoe ${reference} cafe`,
      'Zoë straße',
    ])
      expect(await found(q), q).toEqual([id])
    expect(await found('gesperrt lisbon')).toEqual([])
    expect(await found('hidden-mail'), 'of an owner only the name').toEqual([])
  })

  test('finds a record by its number', async () => {
    const { reference, id } = await add({ title: 'numbered' })
    expect((await pages(`q=${reference}`)).map((row) => row.id)).toContain(id)
    expect((await pages(`reference=${String(reference).toLowerCase()}`)).map((row) => row.id)).toEqual([id])
    expect(await pages('reference=CTL-1&reference=nonsense')).toEqual([])
  })
})

describe('filters', () => {
  test('several values mean one of them', async () => {
    const [low, high] = [
      await add({ category: 'reputational', likelihood: 'rare', impact: 'minor' }),
      await add({ category: 'reputational', likelihood: 'likely', impact: 'major' }),
    ]
    expect((await pages('category=reputational')).map(({ id }) => id)).toEqual([high.id, low.id])
    expect((await pages('category=reputational&riskLevel=high')).map(({ id }) => id)).toEqual([high.id])
    expect(await pages('category=reputational&riskLevel=low&riskLevel=high')).toHaveLength(2)
  })

  test('updatedSince takes any offset', async () => {
    const { updatedAt } = await add({ title: 'latest' })
    const since = async (time: string) => (await pages(`updatedSince=${encodeURIComponent(time)}`)).length
    expect(await since(String(updatedAt))).toBe(1)
    expect(await since(String(updatedAt).replace('Z', '+00:00'))).toBe(1)
    expect(await since('2099-01-01T00:00:00+14:00')).toBe(0)
  })

  test.each([
    ['labels=a&labels=', 'labels'],
    ['riskScore.min=many', 'riskScore.min'],
    ['dueDate.from=yesterday', 'dueDate.from'],
    ['title=none', 'title'],
    ['status=none', 'status'],
  ])('%s is refused by its name', async (query, path) => {
    const { status, body } = await door.send(key, 'GET', `/v1/risks?${query}`)
    expect([status, body.errors[0].path]).toEqual([422, path])
  })

  test('ownerId finds users and people of the directory', async () => {
    const { id } = await add({ owner: { type: 'user', refId: acme.admin.userId } })
    expect((await pages(`ownerId=${acme.admin.userId}`)).map((row) => row.id)).toEqual([id])
  })

  const added = everyKind.filter(({ access }) => access.create)
  const everyFilter = added.flatMap((kind) =>
    [...kind.filters, 'externalId', 'reference'].map((field) => [kind.path, field, kind] as const),
  )
  test.each(everyFilter)('%s?%s=… finds what has that value, and nothing else', async (path, field, kind) => {
    const create = operations.find(({ name }) => name === callsOf(kind).create)!
    const input = await sampleFor(one, acme.admin, create, { externalId: `${path}-${field}` })
    const { body } = await one.call(acme.admin, create.name, input)
    const record = body as Item
    const [known = null] = [record[field] ?? []].flat()
    const value = known ?? (await given(kind, record.id, field, await valueFor(kind, field)))
    const reply = await door.send(
      key,
      'GET',
      `/v1/${path}?limit=200&${field}=${encodeURIComponent(String(value))}`,
    )
    expect([reply.status, reply.body.errors]).toEqual([200, undefined])
    expect(reply.body.data.map((row: Item) => row.id)).toContain(record.id)
    for (const row of reply.body.data) expect([row[field]].flat()).toContain(value)
  })

  const valueFor = async (kind: (typeof everyKind)[number], field: string) => {
    const schema = { ...givenFields(kind), ...kind.derived }[field]!
    const target = kindOfPrefix(targetOf(schema))
    if (target) return makeUnder(one, acme.admin, pathsOf(target).all)
    return optionsOf(schema)[0] ?? (placeOf(schema) === 'country' ? 'AT' : 'Security')
  }
  async function given(kind: (typeof everyKind)[number], id: string, field: string, value: unknown) {
    const schema = { ...givenFields(kind), ...kind.derived }[field]!
    const kept = storageOf(schema) === 'text[]' ? [value] : value
    await one.administrator.query(`update ${kind.table} set ${columnOf(field)} = $1 where id = $2`, [
      kept,
      id,
    ])
    return value
  }
})
