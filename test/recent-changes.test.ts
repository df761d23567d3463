import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { read } from '../server/records/recent-changes.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* An open page is told what changed since it last asked: all of it, once, and nothing it may not read. */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

interface Answer {
  cursor: string
  changed: { type: string; records: { id: string; at: string }[] | null }[]
}

const ask = async (as: Caller, since?: string): Promise<Answer> =>
  (await one.call(as, 'getRecentChanges', since ? { since } : {})).body
const add = async (as: Caller, title = 'Open port'): Promise<{ id: string; updatedAt: string }> =>
  (await one.call(as, 'createRisk', { title })).body

test('each change is told once, with the time that its record has', async () => {
  const viewer = await acme.person('viewer')
  await one.moveClock(60_000)
  const first = await ask(viewer)
  expect(first.changed).toEqual([])
  expect((await ask(viewer, first.cursor)).changed).toEqual([])

  const { id, updatedAt } = await add(acme.admin)
  await one.call(acme.admin, 'createControl', { code: 'C-1', title: 'Closed port' })
  const second = await ask(viewer, first.cursor)
  expect(second.changed).toHaveLength(2)
  expect(second.changed).toContainEqual({ type: 'risk', records: [{ id, at: updatedAt }] })
  await one.moveClock(1)
  const third = await ask(viewer, second.cursor)
  await one.moveClock(1)
  expect((await ask(viewer, third.cursor)).changed).toEqual([])
})

test('what changed just before one first asked is told the next time', async () => {
  const { id } = await add(acme.admin)
  const { cursor } = await ask(acme.admin)
  const { changed } = await ask(acme.admin, cursor)
  expect(changed.flatMap(({ records }) => records)).toContainEqual(expect.objectContaining({ id }))
})

test('an entry that is committed late is told all the same', async () => {
  const { id } = await add(acme.admin)
  await one.moveClock(120_000)
  const { cursor } = await ask(acme.admin)
  await one.moveClock(6_000)
  const before = await ask(acme.admin, cursor)
  // As a slow transaction leaves it: a time from before that question, seen only now.
  await one.administrator.query(
    `insert into audit_entries select (jsonb_populate_record(a, jsonb_build_object('id', a.id || 'x',
       'time', clock_now() - interval '10 seconds'))).* from audit_entries a
     where organization_id = $1 and subject_id = $2`,
    [acme.id, id],
  )
  const { changed } = await ask(acme.admin, before.cursor)
  expect(changed).toEqual([{ type: 'risk', records: [expect.objectContaining({ id })] }])
})

test('of many the kind is told, and of very many every kind', async () => {
  const { admin } = await one.organization()
  const { id } = await add(admin)
  await one.moveClock(120_000)
  const { cursor } = await ask(admin)
  const copy = (count: number, part: string) =>
    one.administrator.query(
      `insert into audit_entries select (jsonb_populate_record(a, jsonb_build_object('id', a.id || $3 || n,
         'subject_id', a.subject_id || n, 'time', clock_now()))).* from audit_entries a, generate_series(1, $4::int) n
       where organization_id = $1 and subject_id = $2`,
      [admin.organizationId, id, part, count],
    )
  await copy(51, 'a')
  expect((await ask(admin, cursor)).changed).toEqual([{ type: 'risk', records: null }])
  await copy(500, 'b')
  const { changed } = await ask(admin, cursor)
  expect(changed.map(({ type }) => type)).toEqual(expect.arrayContaining(['risk', 'control', 'personnel']))
  expect(changed.every(({ records }) => records === null)).toBe(true)
})

test('nobody is told of another organization, of refusals, or of what they may not read', async () => {
  const viewer = await acme.person('viewer')
  await one.moveClock(120_000)
  const { cursor } = await ask(viewer)
  await add((await one.organization()).admin)
  await one.call(acme.admin, 'createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['risk.created'],
  })
  await one.call(viewer, 'createRisk', { title: 'No' }).catch(() => {})
  expect((await ask(viewer, cursor)).changed).toEqual([])
  expect((await ask(acme.admin, cursor)).changed.map(({ type }) => type)).toEqual(['webhook_endpoint'])
  await expect(ask(viewer, 'nonsense')).rejects.toMatchObject({ code: 'malformed_request' })
})

test('it reads ranges of one index, however long the log is', async () => {
  const { admin } = await one.organization()
  const { id } = await add(admin)
  await one.administrator.query(
    `insert into audit_entries select (jsonb_populate_record(a, jsonb_build_object('id', a.id || 'c' || n,
       'time', a.time - n * interval '1 second'))).* from audit_entries a, generate_series(1, 3000) n
     where organization_id = $1 and subject_id = $2`,
    [admin.organizationId, id],
  )
  await one.administrator.query('analyze audit_entries')
  const { text } = read()
  const client = await one.service.database.tenant.connect()
  try {
    await client.query('begin')
    await client.query(
      `select set_config('role', 'plumbline_tenant', true), set_config('plumbline.organization', $1, true)`,
      [admin.organizationId],
    )
    await client.query(`prepare planned(text, timestamptz, int, text[], int) as ${text}`)
    await client.query('set local plan_cache_mode = force_generic_plan')
    const { rows } = await client.query(
      `explain (analyze, buffers) execute planned('${admin.organizationId}', clock_now() - interval '3 seconds', 1, '{risk}', 501)`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan on audit_entries/)
    expect(plan.match(/using audit_entries_time on audit_entries/g)?.length, plan).toBeGreaterThanOrEqual(3)
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
    client.release()
  }
})
