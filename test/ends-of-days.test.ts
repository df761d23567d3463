import { afterAll, beforeAll, expect, test } from 'vitest'
import { isUntil, storageOf } from '../model/fields.ts'
import { everyKind } from '../model/kinds/index.ts'
import { endOfDayIn, momentIn } from '../model/zoned-times.ts'
import type { Caller } from '../server/caller/caller.ts'
import { workbookOf } from '../server/sheets/files.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'

/*
 * Promise: a day alone, given for when something is due or ends, is all of that day where the organization is, by
 * whatever door it comes.
 */

let one: TestService
let acme: TestOrganization
let admin: Caller
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
  admin = acme.admin
  await ask('updateOrganization', { timezone: 'America/Los_Angeles' })
})
afterAll(() => one.close())

interface Risk {
  readonly id: string
  readonly version: number
  readonly dueDate: string
}
const ask = async <Body = Risk>(name: string, input: object): Promise<Body> =>
  (await one.call(admin, name, input)).body as Body

const LAST = '2027-07-02T06:59:59.999Z'

test('each date of a kind that acts is such a field, where it is a moment', () => {
  const moments = everyKind.flatMap(({ name, fields, deadlines }) =>
    Object.values(deadlines).flatMap(({ field }) => {
      const schema = fields[field]
      return schema && storageOf(schema) === 'timestamptz' ? [[`${name}.${field}`, isUntil(schema)]] : []
    }),
  )
  expect(moments).toEqual([
    ['risk.dueDate', true],
    ['risk_acceptance.expiresAt', true],
    ['policy_exception.expiresAt', true],
  ])
})

test('where a record is added, changed, or brought by a program once more', async () => {
  const day = '2027-07-01'
  const risk = await ask('createRisk', { title: 'Unpatched gateway', dueDate: day, identifiedAt: day })
  expect(risk).toMatchObject({ dueDate: LAST, identifiedAt: '2027-07-01T00:00:00.000Z' })
  const same = await ask('updateRisk', { id: risk.id, dueDate: day })
  expect(same.version).toBe(risk.version)
  expect(await ask('updateRisk', { id: risk.id, dueDate: '2027-12-31' })).toMatchObject({
    dueDate: '2028-01-01T07:59:59.999Z',
  })
  const records = [{ externalId: 'gw', title: 'By day', dueDate: day }]
  const { data } = await ask<{ data: { record: Risk }[] }>('createRiskBatch', { mode: 'upsert', records })
  expect(data[0]!.record.dueDate).toBe(LAST)
  const last = await ask('createRisk', { title: 'The last day', dueDate: '2200-12-31' })
  expect(last.dueDate).toBe('2200-12-31T23:59:59.999Z')
  expect((await ask('updateRisk', { id: last.id, dueDate: last.dueDate })).version).toBe(last.version)
})

test('where a key ends, of which the day is still ahead', async () => {
  const name = 'Until tonight'
  const today = new Date(Date.now() - 8 * 3_600_000).toISOString().slice(0, 10)
  const key = await ask<{ expiresAt: string }>('createApiKey', {
    name,
    scopes: ['read:risks'],
    expiresAt: today,
  })
  expect(key.expiresAt).toBe(endOfDayIn('America/Los_Angeles', today).toISOString())
})

test('in a file: a day that is written, and one that a spreadsheet keeps', async () => {
  const sheets = sheetsOf(one, admin)
  const columns = [
    { title: 'Title', form: 'text' as const },
    { title: 'Due', form: 'day' as const },
  ]
  const workbook = workbookOf([{ sheet: { name: 'Risks', columns }, rows: [['In a cell', '2027-07-01']] }])
  for (const file of ['Title,Due\nIn a text,2027-07-01\n', Buffer.concat(await Array.fromAsync(workbook))]) {
    const { id } = await sheets.bring('risk', file)
    expect((await sheets.rows(id))[0]!.changes).toContainEqual({
      field: 'dueDate',
      before: null,
      after: '2027-07-01',
    })
    await sheets.apply(id)
    const [row] = await sheets.rows(id)
    expect((await ask('getRisk', { id: row!.record!.id })).dueDate).toBe(LAST)
  }
})

test('what was taken out comes in as it was, also where it is due as a day begins in UTC, or ends here', async () => {
  for (const dueDate of ['2027-07-01T00:00:00.000Z', '2027-07-01', '2027-07-01T12:34:56.789Z'])
    await ask('createRisk', { title: `Due ${dueDate}`, dueDate })
  const sheets = sheetsOf(one, admin)
  const door = await one.listen()
  const { secret } = await acme.key(['read:risks'])
  for (const form of ['xlsx', 'csv', 'json']) {
    const response = await fetch(`${door.base}/v1/risks/export?format=${form}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    const planned = await sheets.bring('risk', Buffer.from(await response.arrayBuffer()))
    expect(planned.planned, form).toMatchObject({ create: 0, change: 0, error: 0 })
  }
})

/** Clocks go ahead at midnight in Cairo and in Santiago, which the day before ends with. */
test.each([
  ['Africa/Cairo', '2026-04-23', '2026-04-23T21:59:59.999Z'],
  ['America/Santiago', '2026-09-05', '2026-09-06T03:59:59.999Z'],
  ['America/Santiago', '2026-04-04', '2026-04-05T03:59:59.999Z'],
  ['Pacific/Kiritimati', '2026-12-31', '2026-12-31T09:59:59.999Z'],
  ['Europe/Vienna', '2026-10-25', '2026-10-25T22:59:59.999Z'],
])('in %s the day %s ends at %s', (zone, day, end) => {
  expect(endOfDayIn(zone, day).toISOString()).toBe(end)
  expect(momentIn(zone, day, '12:00').getTime()).toBeLessThan(Date.parse(end))
})

test('so an exception may begin on the day that it ends, and not on the next', async () => {
  const approver = await acme.person('editor')
  const policy = await ask('createPolicy', { name: 'Any' })
  const exception = (effectiveDate: string, expiresAt: string) =>
    ask<{ expiresAt: string }>('createPolicyException', {
      ...{ policyId: policy.id, title: 'Any', justification: 'Any', effectiveDate, expiresAt },
      approver: { type: 'user', refId: approver.userId },
    })
  expect(await exception('2027-07-01', '2027-07-01')).toMatchObject({ expiresAt: LAST })
  for (const expiresAt of ['2027-07-01', LAST])
    await expect(exception('2027-07-02', expiresAt)).rejects.toMatchObject({
      members: { errors: [{ path: 'effectiveDate' }] },
    })
})
