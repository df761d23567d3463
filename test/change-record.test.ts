import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Values } from '../model/complaint.ts'
import { kinds } from '../model/kinds/index.ts'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { operation, scope } from '../server/operation.ts'
import { changeRecord } from '../server/records/change-record.ts'
import { createRecord } from '../server/records/create-record.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * An operation written by hand changes a record as its caller asks and as it decides itself. What it decides is none of
 * the caller's rights, and goes the same way: one version, one entry, one signal.
 */

let one: TestService
let acme: TestOrganization
let program: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  program = {
    ...acme.admin,
    credential: { type: 'api_key', id: 'key_test', name: 'test key' } as Caller['credential'],
    channel: 'rest',
  }
})
afterAll(() => one.close())

type Decided = Values | ((time: string) => Values)

const deciding = (kind: keyof typeof kinds, set: Decided) =>
  operation({
    name: 'decide',
    method: 'POST',
    path: '/v1/decide',
    needs: scope('write:risks'),
    writes: true,
    title: 'Decide',
    input: z.looseObject({ id: z.string() }),
    output: z.looseObject({}),
    run: (context, { id, ...given }) =>
      changeRecord(context, kinds[kind] as never, id, { given, set }) as never,
  })
const decide = async (caller: Caller, kind: keyof typeof kinds, set: Decided, input: Values) =>
  (await call(one.service, caller, deciding(kind, set), input)).body as Values

const add = async (name: string, input: object) =>
  (await one.call(acme.admin, name, input)).body as { id: string }
const journal = async (id: unknown) => {
  const { rows: entries } = await one.administrator.query(
    "select action, changes from audit_entries where subject_id = $1 and action like '%.update' order by time",
    [id],
  )
  const { rows: signals } = await one.administrator.query(
    "select s.type from signals s where s.subject_id = $1 and s.type like '%.updated'",
    [id],
  )
  return { entries, signals }
}

test('a state that no edit reaches, a field of the service and what the caller gave are one write', async () => {
  const { id } = await add('createRisk', { title: 'Old firmware', likelihood: 'rare', impact: 'minor' })
  const until = '2099-01-01T00:00:00.000Z'
  const after = await decide(
    acme.admin,
    'risk',
    { status: 'accepted', acceptanceExpiresAt: until },
    { id, impact: 'severe' },
  )
  expect(after).toMatchObject({
    status: 'accepted',
    acceptanceExpiresAt: until,
    impact: 'severe',
    version: 2,
  })
  expect(after.riskLevel).not.toBe('low')
  const { entries, signals } = await journal(id)
  expect([entries.length, signals.length]).toEqual([1, 1])
  expect(entries[0].changes).toMatchObject({
    status: { from: 'identified', to: 'accepted' },
    acceptanceExpiresAt: { from: null, to: until },
    impact: { from: 'minor', to: 'severe' },
    riskLevel: { from: 'low', to: after.riskLevel },
  })
  // Not by taking it back either: what was decided with the state would stay.
  for (const known of [{}, { ifMatch: 2 }])
    await expect(
      one.call(acme.admin, 'updateRisk', { id, status: 'identified', ...known }),
    ).rejects.toMatchObject({ code: 'invalid_transition' })
})

test('what an operation sets to the moment of its write is that moment', async () => {
  const until = (time: string) => ({ acceptanceExpiresAt: time })
  const { id } = await add('createRisk', { title: 'Old firmware' })
  const after = await decide(acme.admin, 'risk', until, { id })
  expect(after.acceptanceExpiresAt).toBe(after.updatedAt)
  const { rows } = await one.administrator.query(
    "select time from audit_entries where subject_id = $1 and action = 'risk.update'",
    [id],
  )
  expect(rows.map(({ time }) => time.toISOString())).toEqual([after.updatedAt])
})

test('what a program may not give, an operation may set for it', async () => {
  const { id } = await add('createControl', { code: 'A-1', title: 'Doors are locked' })
  await expect(decide(program, 'control', {}, { id, priority: 'high' })).rejects.toMatchObject({
    code: 'field_not_permitted',
  })
  await expect(
    decide(program, 'control', { priority: 'high' }, { id, priority: 'low' }),
  ).rejects.toMatchObject({
    code: 'field_not_permitted',
  })
  expect(await decide(program, 'control', { priority: 'high' }, { id })).toMatchObject({ priority: 'high' })
})

test('what a state asks for is asked of whoever decides it', async () => {
  const { id } = await add('createControl', { code: 'A-2', title: 'Windows are shut' })
  const refused = decide(acme.admin, 'control', { implementationStatus: 'not_applicable' }, { id })
  await expect(refused).rejects.toMatchObject({ code: 'validation_failed' })
  const { entries } = await journal(id)
  expect(entries).toEqual([])
  const reason = { notApplicableReason: 'No windows' }
  expect(
    await decide(acme.admin, 'control', { implementationStatus: 'not_applicable' }, { id, ...reason }),
  ).toMatchObject({ implementationStatus: 'not_applicable', ...reason })
})

test('a record may begin as an operation decides, and as nobody else could begin it', async () => {
  const adding = (set: Decided) =>
    operation({
      name: 'addDecided',
      method: 'POST',
      path: '/v1/add-decided',
      needs: scope('write:risks'),
      writes: true,
      title: 'Add as decided',
      input: z.looseObject({}),
      output: z.looseObject({}),
      run: (context, given) => createRecord(context, kinds.risk as never, { given, set }) as never,
    })
  const add = async (set: Decided, given: Values) =>
    (await call(one.service, acme.admin, adding(set), given)).body as Values
  const given = { title: 'Taken over with the company', likelihood: 'rare', impact: 'minor' }
  const until = '2099-01-01T00:00:00.000Z'
  await expect(add({}, { ...given, status: 'accepted' })).rejects.toMatchObject({ code: 'validation_failed' })
  const begun = await add({ status: 'accepted', acceptanceExpiresAt: until }, given)
  expect(begun).toMatchObject({ ...given, status: 'accepted', acceptanceExpiresAt: until, version: 1 })
  const now = await add((time) => ({ acceptanceExpiresAt: time }), given)
  expect(now.acceptanceExpiresAt).toBe(now.createdAt)
  const { body } = await one.call(acme.admin, 'getRisk', { id: begun.id })
  expect(body).toMatchObject({ status: 'accepted', acceptanceExpiresAt: until })
})
