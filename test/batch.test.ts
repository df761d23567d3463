import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

type Results = {
  data: {
    index: number
    record?: { id: string; reference: string; title: string }
    problem?: { code: string; errors?: { path: string }[] }
  }[]
}
const add = async (records: unknown[], key?: string) =>
  (await one.call(acme.admin, 'createRiskBatch', { records }, key)).body as Results
const kept = async () => Number((await one.administrator.query('select count(*) from risks')).rows[0].count)

test('each row stands for itself: its record, or the problem that kept it out', async () => {
  const { data } = await add([
    { title: 'First', externalId: 'x-1' },
    { titel: 'Second' },
    { title: 'Third', externalId: 'x-1' },
    { title: 'Fourth', owner: { type: 'user', refId: 'usr_nobody' } },
    { title: 'Fifth' },
  ])
  expect(data.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
  expect(data.map(({ record, problem }) => record?.title ?? problem?.code)).toEqual([
    'First',
    'validation_failed',
    'conflict',
    'principal_not_found',
    'Fifth',
  ])
  const { id, reference } = data[0]!.record!
  expect(data[2]?.problem).toMatchObject({ holder: { id, reference }, errors: [{ path: 'externalId' }] })
  expect(data[1]?.problem?.errors).toEqual([
    { path: 'title', message: 'required: give text' },
    { path: 'titel', message: 'no such field; did you mean title?' },
  ])
  expect(await kept()).toBe(2)
})

test('what is refused for a value that another record has uses up no reference', async () => {
  const numbers = (results: Results) =>
    results.data.flatMap(({ record }) => (record ? [Number(record.reference.split('-')[1])] : []))
  const [first] = numbers(await add([{ title: 'One', externalId: 'g-1' }]))
  const single = one.call(acme.admin, 'createRisk', { title: 'Two', externalId: 'g-1' })
  await expect(single).rejects.toMatchObject({ code: 'conflict' })
  const rows = [{ title: 'Three' }, { title: 'Four', category: 'bad' }, { title: 'Five', externalId: 'g-1' }]
  expect(numbers(await add([...rows, { title: 'Six' }]))).toEqual([first! + 1, first! + 2])
})

test('many rows are one write: each with its entry, its signal and a delivery to each endpoint, in order', async () => {
  const beta = await one.organization()
  for (const path of ['one', 'two'])
    await one.call(beta.admin, 'createWebhookEndpoint', {
      address: `https://receiver.example/${path}`,
      description: path,
      signalTypes: ['risk.created'],
    })
  const records = Array.from({ length: 100 }, (_, index) => ({
    title: `Row ${index}`,
    labels: ['a', `b${index}`],
    customFields: { place: index, nested: { 'a"b': [null, '\\x'] } },
    owner: { type: 'user', refId: beta.admin.userId },
    ...(index % 2 === 0 ? { likelihood: 'possible', impact: 'major', status: 'assessed' } : {}),
  }))
  const { body } = await one.call(beta.admin, 'createRiskBatch', { records })
  const made = (body as { data: { record: Record<string, unknown> }[] }).data.map(({ record }) => record)
  expect(made.map(({ title }) => title)).toEqual(records.map(({ title }) => title))
  expect(made.map(({ reference }) => reference)).toEqual(records.map((_, index) => `RSK-${index + 1}`))
  expect(made.map(({ id }) => id)).toEqual(made.map(({ id }) => id as string).sort())
  for (const record of [made[0]!, made[99]!])
    expect((await one.call(beta.admin, 'getRisk', { id: record.id })).body).toEqual(record)

  const about = async (table: string, columns: string) =>
    (
      await one.administrator.query(
        `select ${columns} from ${table} where organization_id = $1 order by id`,
        [beta.id],
      )
    ).rows
  expect(new Set((await about('risks', 'xmin, cmin')).map((row) => JSON.stringify(row))).size).toBe(1)
  const signals = await about('signals', 'id, body')
  expect(signals.map(({ body }) => JSON.parse(body).data.record)).toEqual(made)
  const deliveries = await about('deliveries', 'signal_id, endpoint_id')
  expect(deliveries.map(({ signal_id }) => signal_id)).toEqual(signals.flatMap(({ id }) => [id, id]))
  expect(new Set(deliveries.map(({ endpoint_id }) => endpoint_id)).size).toBe(2)
  const { body: history } = await one.call(beta.admin, 'getRiskHistory', { id: made[42]!.id })
  expect(history).toMatchObject({ data: [{ action: 'risk.create' }] })
  expect(
    (await about('audit_entries', 'action')).filter(({ action }) => action === 'risk.create'),
  ).toHaveLength(100)
  expect(
    (await about('known_records', 'called')).filter(({ called }) => called.startsWith('Row')),
  ).toHaveLength(100)
})

/** JSON as it is parsed: with names that no literal has. */
const faulty = () => [
  ['title', JSON.parse('{"title":"a\\u0000b"}')],
  ['labels.1', { title: 'Half a pair', labels: ['a', '\ud800'] }],
  ['customFields.b', { title: 'In a name', customFields: { 'b\u0000': 1 } }],
  ['__proto__', JSON.parse('{"title":"Lost","__proto__":{"a":1}}')],
  ['(input)', 5],
  ['(input)', ['a list']],
  ['(input)', null],
]

test('what no field can take keeps out its own row, with the field named', async () => {
  const rows = faulty()
  const records = [{ title: 'Before' }, ...rows.map(([, row]) => row), { title: 'Behind' }]
  const before = await kept()
  for (const key of [undefined, 'faulty-rows']) {
    const { data } = await add(records, key)
    expect(data.map(({ record, problem }) => record?.title ?? problem?.code)).toEqual([
      'Before',
      ...rows.map(() => 'validation_failed'),
      'Behind',
    ])
    const paths = data.slice(1, -1).map(({ problem }) => problem?.errors?.[0]?.path)
    expect(paths).toEqual(rows.map(([path]) => path))
    if (key) expect(await add(records, key)).toEqual({ data })
  }
  expect(await kept()).toBe(before + 4)
})

test('so does what is nested too deep to be walked; and what stands beside the rows refuses all', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
  for (const key of [undefined, 'deep-row']) {
    const { data } = await add([{ title: 'Deep', customFields: deep }, { title: 'Behind' }], key)
    expect(data.map(({ record, problem }) => record?.title ?? problem?.code)).toEqual([
      'validation_failed',
      'Behind',
    ])
  }
  const beside = one.call(acme.admin, 'createRiskBatch', { records: [{ title: 'Good' }], 'x\u0000': 1 })
  await expect(beside).rejects.toMatchObject({ members: { errors: [{ path: 'x' }] } })
})

test('more than a hundred rows are refused whole', async () => {
  const before = await kept()
  const refusal = await add(Array.from({ length: 101 }, () => ({ title: 'Many' }))).then(
    () => null,
    (error: Refusal) => error,
  )
  expect(refusal).toMatchObject({ code: 'validation_failed' })
  expect(await kept()).toBe(before)
})

test('the same batch under the same key is added once', async () => {
  const before = await kept()
  const first = await add([{ title: 'Once' }, { title: 'And once' }], 'batch-1')
  expect(await add([{ title: 'Once' }, { title: 'And once' }], 'batch-1')).toEqual(first)
  expect(await kept()).toBe(before + 2)
})

test('where the service fails on the way, what was added is told apart from what was not', async () => {
  await one.administrator.query(
    `create function break_off() returns trigger language plpgsql as $$
     begin raise exception 'a disk gave up'; end $$;
     create trigger break_off before insert on risks for each row when (new.title = 'Unlucky') execute function break_off()`,
  )
  const { data } = await add([{ title: 'Before' }, { title: 'Unlucky' }, { title: 'Behind' }])
  expect(data.map(({ record, problem }) => record?.title ?? problem?.code)).toEqual([
    'Before',
    'unavailable',
    'unavailable',
  ])
  await expect(add([{ title: 'Unlucky' }, { title: 'Behind' }])).rejects.toThrow('a disk gave up')
})

test('with mode upsert, what has the external id of a row is changed by it, and the rest is added', async () => {
  const upsert = async (records: unknown[]) => {
    const { body } = await one.call(acme.admin, 'createRiskBatch', { mode: 'upsert', records })
    return (body as { data: { outcome?: string; record?: Record<string, unknown>; problem?: object }[] }).data
  }
  const [first] = await upsert([{ externalId: 'up-1', title: 'Once', labels: ['kept'] }])
  expect(first).toMatchObject({ outcome: 'created', record: { version: 1 } })
  const rows = await upsert([
    { externalId: 'up-1', title: 'Twice' },
    { externalId: 'up-2', title: 'New' },
    { title: 'Nobody knows which' },
    { externalId: 'up-3' },
    { externalId: 'up-1', titel: 'x' },
  ])
  expect(rows).toMatchObject([
    { outcome: 'changed', record: { id: first!.record!.id, version: 2, title: 'Twice', labels: ['kept'] } },
    { outcome: 'created', record: { title: 'New' } },
    { problem: { errors: [{ path: 'externalId' }] } },
    { problem: { errors: [{ path: 'title' }] } },
    { problem: { errors: [{ path: 'titel' }] } },
  ])
  expect(await upsert([{ externalId: 'up-1', title: 'Twice' }])).toMatchObject([{ outcome: 'unchanged' }])
  expect(
    await upsert([
      { externalId: 'up-4', title: 'A' },
      { externalId: 'up-4', title: 'B' },
    ]),
  ).toMatchObject([
    { outcome: 'created', record: { version: 1 } },
    { outcome: 'changed', record: { version: 2, title: 'B' } },
  ])
})

test('of sixteen who upsert the same at once, each is added once and each version told once', async () => {
  const gamma = await one.organization()
  await one.call(gamma.admin, 'createWebhookEndpoint', {
    address: 'https://receiver.example/three',
    description: 'three',
    signalTypes: ['risk.created', 'risk.updated'],
  })
  const writers = Array.from({ length: 16 }, (_, writer) => writer)
  const rowsOf = (writer: number) =>
    Array.from({ length: 100 }, (_, index) => ({
      externalId: `shared-${(index * (writer + 1) * 7) % 101}`,
      title: `By writer ${writer}`,
    }))
  const answers = await Promise.all(
    writers.map(async (writer) => {
      const input = { mode: 'upsert', records: rowsOf(writer) }
      return ((await one.call(gamma.admin, 'createRiskBatch', input)).body as Results).data
    }),
  )
  expect(answers.flat().filter(({ problem }) => problem)).toEqual([])
  const { rows } = await one.administrator.query(
    `select count(*)::int as records, count(distinct external_id)::int as ids, sum(version)::int as versions,
            (select count(*)::int from signals where organization_id = $1) as signals,
            (select count(*)::int from deliveries where organization_id = $1) as deliveries
       from risks where organization_id = $1`,
    [gamma.id],
  )
  const [{ records, ids, versions, signals, deliveries }] = rows
  expect(ids).toBe(records)
  expect([signals, deliveries]).toEqual([versions, versions])
})

test('what an upsert changes is one write too: each with its version, its entry and its signal', async () => {
  const gamma = await one.organization()
  await one.call(gamma.admin, 'createWebhookEndpoint', {
    ...{ address: 'https://receiver.example/three', description: 'three' },
    signalTypes: ['risk.updated'],
  })
  const rows = (more: object) =>
    Array.from({ length: 60 }, (_, index) => ({ title: `Row ${index}`, externalId: `u-${index}`, ...more }))
  const upsert = async (records: object[]) =>
    (await one.call(gamma.admin, 'createRiskBatch', { records, mode: 'upsert' })).body as {
      data: { outcome: string; record: Record<string, unknown>; problem?: { code: string } }[]
    }
  await upsert(rows({}))
  const records = [...rows({ likelihood: 'possible', impact: 'major' })] as Record<string, unknown>[]
  records[7] = { title: 'Row 7', externalId: 'u-7', status: 'monitored' }
  records[8] = { title: 'Row 8', externalId: 'u-8' }
  records[9] = { title: 'Row 9', externalId: 'u-9', description: 'Nobody is told of that' }
  const { data } = await upsert(records)
  expect(data[7]!.problem).toMatchObject({ code: 'invalid_transition' })
  expect(data[8]).toMatchObject({ outcome: 'unchanged', record: { version: 1 } })
  const moved = data.filter(({ outcome }) => outcome === 'changed').map(({ record }) => record)
  expect(moved).toHaveLength(58)
  expect(new Set(moved.map(({ updatedAt, version }) => `${updatedAt} ${version}`)).size).toBe(1)
  for (const { record } of [data[0]!, data[9]!])
    expect((await one.call(gamma.admin, 'getRisk', { id: record.id })).body).toEqual(record)
  const rowsOf = async (sql: string) => (await one.administrator.query(sql, [gamma.id])).rows
  // Those that endpoints are told of, and the one that they are not.
  const writes = await rowsOf(
    'select distinct xmin::text, cmin::text from risks where organization_id = $1 and version = 2',
  )
  expect(writes).toHaveLength(2)
  const told = await rowsOf(
    "select body, time from signals where organization_id = $1 and type = 'risk.updated' order by id",
  )
  expect(told.map(({ body }) => JSON.parse(body).data.record)).toEqual(
    moved
      .filter(({ externalId }) => externalId !== 'u-9')
      .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
  )
  for (const { body, time } of told) expect(new Date(JSON.parse(body).time)).toEqual(time)
  expect(
    await rowsOf("select from audit_entries where organization_id = $1 and action = 'risk.update'"),
  ).toHaveLength(58)
  expect(await rowsOf('select from delivery_queue where organization_id = $1')).toHaveLength(57)
})
