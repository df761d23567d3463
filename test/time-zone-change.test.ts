import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOfDayIn } from '../model/zoned-times.ts'
import type { Caller } from '../server/caller/caller.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: what was given as a day stays that day where the organization's time zone is another from then on. */

let one: TestService
let acme: TestOrganization
let admin: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  admin = acme.admin
  await ask('updateOrganization', { timezone: BERLIN })
})
afterAll(() => one.close())

const BERLIN = 'Europe/Berlin'
const AUCKLAND = 'Pacific/Auckland'
const LOS_ANGELES = 'America/Los_Angeles'
// biome-ignore lint/suspicious/noExplicitAny: answers of many forms
const ask = async (name: string, input: object, who: Caller = admin): Promise<any> =>
  (await one.call(who, name, input)).body
const end = (zone: string, day: string) => endOfDayIn(zone, day).toISOString()

test('31 March stays 31 March: of risks, acceptances and exceptions, with entries and signals', async () => {
  const approver = await acme.person('admin')
  const rated = { likelihood: 'possible', impact: 'minor', treatmentStrategy: 'accept' }
  const risk = await ask('createRisk', { title: 'By a day', dueDate: '2027-03-31', ...rated })
  await ask('updateRisk', { id: risk.id, status: 'assessed' })
  const timed = await ask('createRisk', { title: 'By a moment', dueDate: '2027-03-31T10:00:00Z' })
  const none = await ask('createRisk', { title: 'By no date' })
  const archived = await ask('createRisk', { title: 'Archived', dueDate: '2027-03-31' })
  await ask('archiveRisk', { id: archived.id })
  const acceptance = await ask('createRiskAcceptance', {
    riskId: risk.id,
    approver: { type: 'user', refId: approver.userId },
    justification: 'Costs more than it saves.',
    expiresAt: '2027-03-31',
  })
  await ask('approveRiskAcceptance', { id: acceptance.id }, approver)
  const before = await ask('getRisk', { id: risk.id })
  expect(before).toMatchObject({
    dueDate: end(BERLIN, '2027-03-31'),
    acceptanceExpiresAt: end(BERLIN, '2027-03-31'),
  })
  const treatment = await ask('createRiskTreatment', {
    riskId: timed.id,
    action: 'Patch',
    dueDate: '2027-03-31',
  })
  await ask('createApiKey', { name: 'CI', scopes: ['read:risks'], expiresAt: '2027-03-31' })

  expect(await ask('previewFindingSla', { timezone: AUCKLAND })).toMatchObject({
    keptDays: 3,
    shownOtherwise: 0,
  })
  for (const zone of [AUCKLAND, LOS_ANGELES, 'UTC']) {
    await ask('updateOrganization', { timezone: zone })
    const at = end(zone, '2027-03-31')
    const after = await ask('getRisk', { id: risk.id })
    expect(after).toMatchObject({ dueDate: at, acceptanceExpiresAt: at, status: 'accepted' })
    expect(after.acceptance.expiresAt).toBe(at)
    expect(await ask('getRiskAcceptance', { id: acceptance.id })).toMatchObject({
      expiresAt: at,
      status: 'approved',
    })
    expect((await ask('getRisk', { id: archived.id })).dueDate).toBe(at)
    expect((await ask('getRiskTreatment', { id: treatment.id })).dueDate).toBe('2027-03-31')
    const deadlines = await one.administrator.query(
      `select name, ends_at from deadlines where record_id = $1 order by name`,
      [risk.id],
    )
    expect(deadlines.rows.map(({ ends_at }) => new Date(ends_at).toISOString())).toContain(at)
  }
  expect(await ask('getRisk', { id: timed.id })).toEqual({ ...timed, hasTreatment: true })
  expect(await ask('getRisk', { id: none.id })).toEqual(none)
  const { rows } = await one.administrator.query(
    "select body from signals where subject_id = $1 and type = 'risk.updated' order by time desc limit 1",
    [risk.id],
  )
  const { data } = JSON.parse(rows[0].body)
  expect(data.record).toEqual(await ask('getRisk', { id: risk.id }))
  expect(data.changes.dueDate).toEqual({ from: end(LOS_ANGELES, '2027-03-31'), to: end('UTC', '2027-03-31') })
  const { data: entries } = await ask('getRiskHistory', { id: risk.id, limit: 1 })
  expect(entries[0].reason).toBe('The time zone of the organization changed')
  const { data: keys } = await ask('listApiKeys', {})
  expect(keys[0].expiresAt).toBe(end('UTC', '2027-03-31'))
})

test('many move in one transaction', async () => {
  await ask('updateOrganization', { timezone: BERLIN })
  const records = Array.from({ length: 100 }, (_, n) => ({ title: `Risk ${n}`, dueDate: '2027-06-30' }))
  const { data } = await ask('createRiskBatch', { records })
  await ask('updateOrganization', { timezone: AUCKLAND })
  const risks = await Promise.all(
    data.slice(0, 5).map(({ record }: { record: { id: string } }) => ask('getRisk', { id: record.id })),
  )
  expect(new Set(risks.map(({ dueDate }) => dueDate))).toEqual(new Set([end(AUCKLAND, '2027-06-30')]))
})
