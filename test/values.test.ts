import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { statement } from '../server/database/connect.ts'
import { refusalOf } from '../server/database/errors.ts'
import type { AnyOperation } from '../server/operation.ts'
import { operationsBy } from '../server/operations.ts'
import { coveredOperations, sample } from './support/coverage.ts'
import type { Door, Reply } from './support/door.ts'
import { bareOf, type Form, formOf, sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { askBy, openWebAs, type Web } from './support/web.ts'

const operations = operationsBy('credential')

/* What a value may be: years, places, text, custom fields, and what must hold between the fields of a record. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
let web: Web

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(Object.keys(SCOPES) as Scope[])).secret
  web = await openWebAs(door, acme.admin)
})
afterAll(() => one.close())

const send = (method: string, path: string, body?: unknown): Promise<Reply> =>
  door.send(key, method, path, body === undefined ? {} : { body })
const addRisk = (fields: object) => send('POST', '/v1/risks', { title: 'A risk', ...fields })
const addPerson = (fields: object) =>
  web.call('createPersonnel', { ...sampleOf(named('createPersonnel')), ...fields })
const named = (name: string): AnyOperation => operations.find((one) => one.name === name)!
const problem = (path: string, message = /./) => ({
  code: 'validation_failed',
  errors: [{ path, message: expect.stringMatching(message) }],
})

describe('years run from 1900 to 2200, after turning to UTC', () => {
  const DAYS = ['0000-01-01', '0001-01-01', '1899-12-31', '2201-01-01', '9999-12-31']
  const MOMENTS = [
    '0000-01-01T00:00:00Z',
    '0000-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00+14:00',
    '1899-12-31T23:59:59.999Z',
    '1900-01-01T00:00:00+00:01',
    '2200-12-31T23:59:59-00:01',
    '9999-12-31T23:59:59-23:59',
  ]
  /** Every day and every moment that an operation takes, with how it is given. */
  const places = coveredOperations(operations).flatMap((operation) =>
    Object.entries(formOf(operation).properties ?? {}).flatMap(([name, form]) => {
      const { format } = bareOf(form)
      return format === 'date' || format === 'date-time' ? [{ operation, name, format }] : []
    }),
  )

  test('in every place that takes one', async () => {
    expect(places.length).toBeGreaterThan(8)
    for (const { operation, name, format } of places)
      for (const value of sample(format === 'date' ? DAYS : MOMENTS, 2, `${operation.name} ${name}`)) {
        const input = { ...sampleOf(operation), [name]: value }
        if (operation.path.includes('{id}')) input.id = 'risk_nobody'
        const reply = await askBy(door, key, web, operation, input)
        expect([reply.status, reply.body], `${operation.name} ${name} ${value}`).toMatchObject([
          422,
          problem(name, /1900 to 2200/),
        ])
      }
  })

  test('the first and the last moment are taken, and given back in UTC', async () => {
    const first = await addRisk({ dueDate: '1899-12-31T23:30:00-00:30', reviewDate: '1900-01-01' })
    expect(first.body).toMatchObject({ dueDate: '1900-01-01T00:00:00.000Z', reviewDate: '1900-01-01' })
    const last = await addRisk({ dueDate: '2201-01-01T10:00:00+23:59', reviewDate: '2200-12-31' })
    expect(last.body).toMatchObject({ dueDate: '2200-12-31T10:01:00.000Z', reviewDate: '2200-12-31' })
  })

  test('a day alone is its start in UTC, or of a due date its end, in every place that takes a moment', async () => {
    const { body } = await addRisk({ dueDate: '2027-03-01', identifiedAt: '2024-02-29' })
    expect(body).toMatchObject({
      dueDate: '2027-03-01T23:59:59.999Z',
      identifiedAt: '2024-02-29T00:00:00.000Z',
    })
    const { body: batch } = await send('POST', '/v1/risks/batch', {
      records: [{ title: 'In a row', identifiedAt: '2024-03-02' }],
    })
    expect(batch.data[0].record.identifiedAt).toBe('2024-03-02T00:00:00.000Z')
    for (const { operation, name } of places.filter(({ format }) => format === 'date-time')) {
      const noDay = { ...sampleOf(operation), [name]: '2027-02-29' }
      if (operation.path.includes('{id}')) noDay.id = 'risk_nobody'
      const refused = await askBy(door, key, web, operation, noDay)
      expect([refused.status, refused.body], `${operation.name} ${name}`).toMatchObject([
        422,
        problem(name, /or a day alone/),
      ])
      const taken = await askBy(door, key, web, operation, { ...noDay, [name]: '2028-02-29' })
      // That it is yet to come, or past, is another matter.
      const complaints = (taken.body?.errors ?? []).filter(({ path }: { path: string }) => path === name)
      expect(JSON.stringify(complaints), `${operation.name} ${name}`).not.toMatch(/instant|day alone|1900/)
    }
  })

  test('a day alone as the end of a filter is all of that day', async () => {
    const { id } = (await addRisk({ dueDate: '2031-05-05T23:59:59.999Z' })).body
    const next = (await addRisk({ dueDate: '2031-05-06T00:00:00Z' })).body
    const found = async (ends: string) =>
      (await send('GET', `/v1/risks?${ends}`)).body.data.map((risk: { id: string }) => risk.id).sort()
    expect(await found('dueDate.from=2031-05-05&dueDate.to=2031-05-05')).toEqual([id])
    expect(await found('dueDate.from=2031-05-05&dueDate.to=2031-05-05T00:00:00Z')).toEqual([])
    expect(await found('dueDate.from=2031-05-05&dueDate.to=2031-05-06')).toEqual([id, next.id].sort())
    expect(await found('dueDate.from=2031-05-05&dueDate.to=2031-05-06&createdAt.to=2200-12-31')).toEqual(
      [id, next.id].sort(),
    )

    const day = next.createdAt.slice(0, 10)
    for (const [to, count] of [
      [day, 1],
      [`${day}T00:00:00Z`, 0],
      ['2200-12-31', 1],
    ] as const) {
      const log = await web.call('listAuditLog', { from: day, to, subjectId: [next.id] })
      expect(log.body.data).toHaveLength(count)
      const { lines } = (await web.call('exportAuditLog', { from: day, to, limit: 1000 })).body
      expect(lines.filter((line: string) => line.includes(next.id)).length, to).toBe(count)
    }
  })

  test('a span with any offset is read', async () => {
    const reply = await send(
      'GET',
      `/v1/risks?updatedSince=${encodeURIComponent('2000-01-01T00:00:00+23:59')}`,
    )
    expect(reply.status).toBe(200)
  })

  test('a cursor that nobody gave is none of the list', async () => {
    const forged = Buffer.from(JSON.stringify(['-createdAt', '0000-01-01T00:00:00Z', 'x'])).toString(
      'base64url',
    )
    expect((await send('GET', `/v1/risks?cursor=${forged}`)).status).toBe(400)
  })

  test('a bad row of a batch keeps out itself alone', async () => {
    const records = [
      { title: 'Before' },
      { title: 'Year 0', dueDate: '0000-01-01T00:00:00Z' },
      { title: 'A far offset', identifiedAt: '9999-12-31T23:59:59-23:59' },
      { title: 'Behind' },
    ]
    const { body } = await send('POST', '/v1/risks/batch', { records })
    const told = body.data.map((row: { problem?: { status: number } }) => row.problem?.status ?? 201)
    expect(told).toEqual([201, 422, 422, 201])
  })

  test('what PostgreSQL cannot take is said to the caller, and keeps out its row alone', async () => {
    for (const text of [
      "select '0000-01-01'::date",
      "select 'a'::int",
      "select E'\\\\u0000'::jsonb",
      'select 1/0',
    ]) {
      const error = await one.service.database.tenant.query(statement(text)()).catch((error) => error)
      expect(refusalOf(error), text).toMatchObject({ code: 'validation_failed', status: 422 })
    }
    await one.administrator.query(
      `create function overflow() returns trigger language plpgsql as $$
       begin new.reference_number := 10000000000; return new; end $$;
       create trigger overflow before insert on risks for each row when (new.title = 'Too far') execute function overflow()`,
    )
    const { body } = await send('POST', '/v1/risks/batch', {
      records: [{ title: 'Too far' }, { title: 'Behind' }],
    })
    expect(body.data).toMatchObject([{ problem: { status: 422 } }, { record: { title: 'Behind' } }])
  })
})

describe('places are those that the runtime knows', () => {
  test.each([
    ['country', ['ZZ', 'XX', 'EU', 'UK', 'SU'], ['AT', 'XK', 'GB', 'TW']],
    ['currency', ['XXY', 'ABC', 'eur'], ['EUR', 'CHF', 'JPY']],
    ['locale', ['xx', 'en-XX', 'en_US', 'tlh', ''], ['en', 'de-AT', 'zh-Hant-TW', 'es-419']],
    ['timezone', ['Mars/Olympus', '+02:00', 'Vienna', ''], ['Europe/Vienna', 'Asia/Kolkata', 'UTC']],
  ])('%s of the organization', async (field, wrong, right) => {
    for (const value of wrong)
      expect((await web.call('updateOrganization', { [field]: value })).body, value).toMatchObject(
        problem(field),
      )
    for (const value of right)
      expect((await web.call('updateOrganization', { [field]: value })).status, value).toBe(200)
  })

  test('of records as well', async () => {
    expect((await addPerson({ country: 'XX' })).body).toMatchObject(problem('country', /ISO 3166-1/))
    expect((await addRisk({ quantification: { currency: 'XXY' } })).body).toMatchObject(
      problem('quantification.currency', /ISO 4217/),
    )
    const control = { ...sampleOf(named('createControl')), cost: { currency: 'ABC' } }
    expect((await web.call('createControl', control)).body).toMatchObject(problem('cost.currency'))
  })
})

describe('text', () => {
  const BLANK = [
    '',
    ' ',
    '\t\n',
    '\u00a0\u3000',
    '\u200b',
    '\u2060\ufeff',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u{e0020}',
  ]

  /** Every text with words of a caller that an operation asks for or takes. */
  const texts = coveredOperations(operations).flatMap((operation) =>
    operation.method === 'POST' || operation.method === 'PATCH'
      ? Object.entries(formOf(operation).properties ?? {}).flatMap(([name, form]) =>
          name !== 'cursor' && isWords(name, bareOf(form)) ? [{ operation, name }] : [],
        )
      : [],
  )

  test('that cannot be seen is refused in every place that takes words', async () => {
    expect(texts.length).toBeGreaterThan(20)
    for (const { operation, name } of texts)
      for (const value of sample(BLANK, 2, `${operation.name} ${name}`)) {
        const input = { ...sampleOf(operation), [name]: value }
        if (operation.path.includes('{id}')) input.id = 'risk_nobody'
        const { body } = await askBy(door, key, web, operation, input)
        expect(body, `${operation.name} ${name} ${JSON.stringify(value)}`).toMatchObject({
          code: 'validation_failed',
          errors: expect.arrayContaining([
            { path: name, message: 'is blank: write something that can be seen' },
          ]),
        })
      }
  })

  test('is trimmed, and keeps what stands within', async () => {
    const { body } = await addRisk({ title: ' \u3000 Two  words \n', externalId: ' x ', labels: [' a '] })
    expect(body).toMatchObject({ title: 'Two  words', externalId: 'x', labels: ['a'] })
    expect((await send('GET', '/v1/risks?externalId=x')).body.data).toHaveLength(1)
    const person = await addPerson({ fullName: ' Bo Lind ', workEmail: ' bo.lind@example.com ' })
    expect(person.body).toMatchObject({ fullName: 'Bo Lind', workEmail: 'bo.lind@example.com' })
    const made = await web.call('createApiKey', { name: ' ci ', scopes: ['read:risks'] })
    expect(made.body.name).toBe('ci')
    expect((await web.call('updateOrganization', { name: ' Acme ' })).body.name).toBe('Acme')
  })

  test('labels that are alike are one: the first, in its place', async () => {
    const { body } = await addRisk({ labels: ['b', 'a ', 'b', ' a', 'B'] })
    expect(body.labels).toEqual(['b', 'a', 'B'])
    const changed = await send('PATCH', `/v1/risks/${body.id}`, { labels: ['B', 'b', 'B'] })
    expect(changed.body.labels).toEqual(['B', 'b'])
  })
})

describe('text that looks alike is alike, however it was composed', () => {
  const composed = '\u00c4rger'
  const decomposed = 'A\u0308rger'

  test('what was kept before it was composed is composed by the migration, unless that is taken', async () => {
    const add = async (fields: object) =>
      (await addRisk({ dueDate: '2050-01-01', ...fields })).body.id as string
    const ids = [
      await add({ externalId: 'first' }),
      await add({ externalId: 'second' }),
      await add({ externalId: `${composed} taken` }),
      await add({ externalId: 'third' }),
    ]
    const half = 'O\u0308l, \u00c4rger'
    const before: [string[], string][] = [
      [['y', decomposed, 'x', composed], half],
      [[], half.normalize('NFD')],
      [[decomposed], `${composed} taken`],
      [[], `${decomposed} taken`],
    ]
    for (const [index, values] of before.entries())
      await one.administrator.query('update risks set labels = $2, external_id = $3 where id = $1', [
        ids[index],
        ...values,
      ])
    const file = new URL('../server/database/migrations/0028-composed-texts.sql', import.meta.url)
    const owner = new pg.Client({ connectionString: one.database.url })
    await owner.connect()
    await owner.query(readFileSync(file, 'utf8'))
    await owner.end()

    const found = async (filter: string, value: string) =>
      (
        await send(
          'GET',
          `/v1/risks?dueDate.from=2050-01-01&sort=createdAt&${filter}=${encodeURIComponent(value)}`,
        )
      ).body.data.map(({ id }: { id: string }) => id)
    expect(await found('labels', composed)).toEqual([ids[0], ids[2]])
    expect((await send('GET', `/v1/risks/${ids[0]}`)).body.labels).toEqual(['y', composed, 'x'])
    // Two that become one: the older has it, and the other stays as it was.
    expect(await found('externalId', half)).toEqual([ids[0]])
    expect(await found('externalId', `${composed} taken`)).toEqual([ids[2]])
    const left = await one.administrator.query(
      'select external_id from risks where id = any($1) order by created_at',
      [[ids[1], ids[3]]],
    )
    expect(left.rows.map(({ external_id }) => external_id)).toEqual([
      half.normalize('NFD'),
      `${decomposed} taken`,
    ])
    // The owner sees as little as before.
    const { rows } = await one.administrator.query(
      'select distinct relforcerowsecurity as forced from pg_class where relname = any($1)',
      [['risks', 'controls', 'personnel']],
    )
    expect(rows).toEqual([{ forced: true }])
  })

  test('labels, and the names of custom fields', async () => {
    const { body } = await addRisk({
      labels: [decomposed, composed, 'ärger'],
      customFields: { [decomposed]: 1 },
    })
    expect([body.labels, body.customFields]).toEqual([[composed, 'ärger'], { [composed]: 1 }])
    const path = `/v1/risks/${body.id}`
    const { customFields } = (await send('PATCH', path, { customFields: { [decomposed]: 2 } })).body
    expect(customFields).toEqual({ [composed]: 2 })
    // As it was kept before names were composed.
    await one.administrator.query('update risks set custom_fields = $2 where id = $1', [
      body.id,
      JSON.stringify({ [decomposed]: 3, other: 1 }),
    ])
    const changed = await send('PATCH', path, { customFields: { [composed]: null } })
    expect(changed.body.customFields).toEqual({ other: 1 })
  })

  test('names of custom fields that would be one are refused, and neither value is lost', async () => {
    const { id } = (await addRisk({})).body
    const { body: batch } = await send('POST', '/v1/risks/batch', {
      records: [{ title: 'Alike', customFields: { [composed]: 1, [decomposed]: 2 } }],
    })
    expect(batch.data[0].problem.errors).toMatchObject([{ path: 'customFields' }])
    for (const customFields of [
      { [composed]: 1, [decomposed]: 2 },
      { a: 1, ' a': 2 },
    ])
      for (const { status, body } of [
        await addRisk({ customFields }),
        await send('PATCH', `/v1/risks/${id}`, { customFields }),
      ])
        expect([status, body.errors]).toMatchObject([
          422,
          [{ path: 'customFields', message: expect.stringContaining('two names are alike') }],
        ])
    // Within a value they are the caller's own.
    const inside = { of: { [composed]: 1, [decomposed]: 2 } }
    expect((await addRisk({ customFields: inside })).body.customFields).toEqual(inside)
  })

  test('what is unique, and what is looked up by it; other text is kept as it came', async () => {
    const { status, body } = await addRisk({ title: decomposed, externalId: composed })
    expect([status, body.title]).toEqual([201, decomposed])
    expect((await addRisk({ externalId: decomposed })).body.code).toBe('conflict')
    for (const text of [composed, decomposed]) {
      const found = await send('GET', `/v1/risks?externalId=${encodeURIComponent(text)}`)
      expect(found.body.data).toMatchObject([{ id: body.id }])
    }
  })
})

describe('custom fields', () => {
  test('merge by name, and null removes one', async () => {
    const { body } = await addRisk({ customFields: { a: 1, b: { c: 2 }, gone: null } })
    expect(body.customFields).toEqual({ a: 1, b: { c: 2 } })
    const path = `/v1/risks/${body.id}`
    const change = async (customFields: unknown) => (await send('PATCH', path, { customFields })).body
    expect((await change({ d: [null], b: null })).customFields).toEqual({ a: 1, d: [null] })
    const same = await change({ a: 1, unknown: null })
    expect(same).toMatchObject({ version: 2, customFields: { a: 1, d: [null] } })
    expect(await change({ a: null, d: null })).toMatchObject({ version: 3, customFields: null })
    await change({ e: 1 })
    expect((await change(null)).customFields).toBeNull()
  })

  test('a record read and sent back is unchanged', async () => {
    const { body } = await addRisk({ customFields: { a: 1 }, labels: ['x'] })
    expect((await send('PATCH', `/v1/risks/${body.id}`, body)).body).toEqual(body)
  })

  test('are at most 100 names and 16 KB of bytes, counted after the merge', async () => {
    const many = (count: number, from = 0) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${from + index}`, 1]))
    expect((await addRisk({ customFields: many(101) })).body).toMatchObject(
      problem('customFields', /101 names/),
    )
    const { body } = await addRisk({ customFields: many(100) })
    const path = `/v1/risks/${body.id}`
    const change = (customFields: unknown) => send('PATCH', path, { customFields })
    expect((await change(many(1, 100))).body).toMatchObject(problem('customFields', /101 names/))
    expect((await change({ n0: null, n100: 1 })).status).toBe(200)
    const fill = (bytes: number) => ({ customFields: { a: 'ü'.repeat((bytes - 8) / 2) } })
    expect((await addRisk(fill(16_384))).status).toBe(201)
    expect((await addRisk(fill(16_386))).body).toMatchObject(problem('customFields', /16386 bytes/))
    const long = await addRisk({ customFields: { ['x'.repeat(100_000)]: 1 } })
    expect(long.status).toBe(422)
    expect(long.text.length).toBeLessThan(2_000)
    expect((await addRisk({ customFields: { ' ': 1 } })).status).toBe(422)
  })
})

describe('between the fields of a record', () => {
  test.each([
    ['lossLikely', { lossMin: 3, lossLikely: 2, lossMax: 4 }],
    ['lossMax', { lossMin: 3, lossMax: 2 }],
    ['annualFrequencyMax', { annualFrequencyLikely: 0.5, annualFrequencyMax: 0.1 }],
  ])('%s is not below what it must be above', async (field, numbers) => {
    const { body } = await addRisk({ quantification: { currency: 'EUR', ...numbers } })
    expect(body).toMatchObject(problem(`quantification.${field}`, /is less than \w+: change one of the two/))
    const good = await addRisk({ quantification: { currency: 'EUR', lossMin: 1, lossLikely: 1, lossMax: 2 } })
    const changed = await send('PATCH', `/v1/risks/${good.body.id}`, {
      quantification: { currency: 'EUR', ...numbers },
    })
    expect(changed.status).toBe(422)
  })

  test('nobody leaves before they come', async () => {
    const dates = { startDate: '2026-02-01', endDate: '2026-01-31' }
    expect((await addPerson(dates)).body).toMatchObject(problem('endDate', /before startDate/))
    const { body } = await addPerson({ startDate: '2026-02-01', endDate: '2026-02-01' })
    const late = await web.call('updatePersonnel', { id: body.id, startDate: '2026-02-02' })
    expect(late.body).toMatchObject(problem('endDate'))
  })

  const people = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await addPerson({})).body.id as string))
  const manage = (id: string, managerId: string | null) => send('PATCH', `/v1/personnel/${id}`, { managerId })

  test('managers never lead round in a circle, however long', async () => {
    const ids = await people(6)
    expect((await manage(ids[0]!, ids[0]!)).body).toMatchObject(problem('managerId', /itself/))
    for (let index = 1; index < ids.length; index++)
      expect((await manage(ids[index]!, ids[index - 1]!)).status).toBe(200)
    for (const last of ids.slice(1)) {
      const { body } = await manage(ids[0]!, last)
      expect(body).toMatchObject(problem('managerId', /leads back to this record/))
    }
    await manage(ids[3]!, null)
    expect((await manage(ids[0]!, ids[5]!)).status).toBe(200)
  })

  test('two changes at once that together make a circle: never both', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b, c] = (await people(3)) as [string, string, string]
      const replies = await Promise.all([manage(a, b), manage(b, c), manage(c, a)])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422])
    }
  })
})

test('a version that is not the present one is said before what differs because of it', async () => {
  const { body } = await addRisk({})
  const path = `/v1/risks/${body.id}`
  const moved = (await send('PATCH', path, { title: 'Moved on' })).body
  expect((await send('PATCH', path, { ...body, title: 'Late' })).body).toMatchObject({
    code: 'version_mismatch',
    version: 2,
  })
  const { version: _, ...without } = body
  expect((await send('PATCH', path, without)).body).toMatchObject({ code: 'validation_failed' })
  expect((await send('PATCH', path, { ...moved, createdAt: body.updatedAt, source: 'person' })).status).toBe(
    422,
  )
  const organization = (await web.call('getOrganization')).body
  await web.call('updateOrganization', { legalName: 'Acme Ltd' })
  expect((await web.call('updateOrganization', organization)).status).toBe(412)
  const { body: user } = await web.call('getUser', { id: acme.admin.userId })
  await web.call('updateUser', { id: user.id, name: 'Another' })
  expect((await web.call('updateUser', user)).status).toBe(412)
})

/** Words, and no id, secret, address, day or code. */
const isWords = (name: string, { type, format, pattern, enum: choice, maxLength = 0 }: Form): boolean =>
  type === 'string' &&
  !format &&
  !pattern &&
  !choice &&
  maxLength >= 40 &&
  !/^(id|.*Id|.*[sS]ecret|.*[pP]assword|ceremony|domain|address|timezone)$/.test(name)
