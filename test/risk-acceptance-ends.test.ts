import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { runDue } from '../server/clock/clock.ts'
import { deadlineTasks } from '../server/deadlines/scheduled-tasks.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: a risk is accepted no longer than it is rated as it was, until its acceptance expires or is revoked, however
 * that comes about; risk and acceptance end it in one transaction, with one signal.
 */

let one: TestService
let acme: TestOrganization
let asker: Caller
let approver: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  asker = await acme.person('editor')
  approver = await acme.person('editor')
})
afterAll(() => one.close())

type Record = { id: string; version: number; [field: string]: unknown }
const as = async (caller: Caller, name: string, input: object = {}) =>
  (await one.call(caller, name, input)).body as Record
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )
const read = (id: string) => as(acme.admin, id.startsWith('rac') ? 'getRiskAcceptance' : 'getRisk', { id })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

async function ask(more: object = {}, riskMore: object = {}): Promise<{ risk: Record; id: string }> {
  const risk = await as(asker, 'createRisk', {
    title: 'Unpatched gateway',
    status: 'assessed',
    likelihood: 'likely',
    impact: 'major',
    ...riskMore,
  })
  const { id } = await as(asker, 'createRiskAcceptance', {
    riskId: risk.id,
    justification: 'Replaced in spring',
    approver: { type: 'user', refId: approver.userId },
    expiresAt: '2100-01-01',
    ...more,
  })
  return { risk, id }
}

async function accepted(more: object = {}, riskMore: object = {}): Promise<{ risk: Record; id: string }> {
  const { risk, id } = await ask(more, riskMore)
  await as(approver, 'approveRiskAcceptance', { id })
  return { risk: await read(risk.id), id }
}

/** What each of the two was told of it last, and how many signals the risk raised. */
async function told(id: string) {
  const { rows } = await one.administrator.query(
    "select changes, actor, channel, time from audit_entries where subject_id = $1 and action like '%.update' order by time desc limit 1",
    [id],
  )
  const { rows: raised } = await one.administrator.query(
    "select count(*)::int as count from signals where subject_id = $1 and type = 'risk.updated'",
    [id],
  )
  return { ...rows[0], signals: raised[0].count as number }
}

async function expectEnded(
  { risk, id }: { risk: Record; id: string },
  status: string,
  reason: RegExp | null,
) {
  expect(await read(risk.id)).toMatchObject({
    status: 'assessed',
    acceptance: null,
    acceptanceExpiresAt: null,
    version: risk.version + 1,
  })
  const over = await read(id)
  expect(over).toMatchObject({ status, endedAt: over.updatedAt })
  if (reason) expect(over.statusReason).toMatch(reason)
  const { changes, signals } = await told(risk.id)
  expect(changes).toMatchObject({ status: { from: 'accepted', to: 'assessed' }, acceptance: { to: null } })
  expect(signals).toBe(2)
  expect((await told(id)).changes.status).toEqual({ from: 'approved', to: status })
}

const RATED = /rated otherwise/

test('a rating that is changed ends it, and nothing else that is changed does', async () => {
  const both = await accepted()
  const { id: riskId } = both.risk
  await as(asker, 'updateRisk', {
    id: riskId,
    title: 'Old gateway',
    inherentImpact: 'severe',
    labels: ['edge'],
  })
  expect(await read(riskId)).toMatchObject({ status: 'accepted', acceptance: { id: both.id } })
  const moved = await as(asker, 'updateRisk', { id: riskId, likelihood: 'possible' })
  expect(moved).toMatchObject({ status: 'assessed', acceptance: null, riskLevel: 'high' })
  expect(await read(both.id)).toMatchObject({ status: 'revoked', stale: true, statusReason: RATED })
  expect((await told(riskId)).changes).toMatchObject({
    likelihood: { from: 'likely', to: 'possible' },
    status: { from: 'accepted', to: 'assessed' },
    acceptanceExpiresAt: { from: '2100-01-01T23:59:59.999Z', to: null },
  })
})

test('a residual rating that is set, moved or cleared ends it; the current one beneath it does not', async () => {
  const first = await accepted()
  const residual = { residualLikelihood: 'rare', residualImpact: 'minor' }
  await as(asker, 'updateRisk', { id: first.risk.id, ...residual })
  await expectEnded(first, 'revoked', RATED)
  const second = await accepted({}, residual)
  await as(asker, 'updateRisk', { id: second.risk.id, likelihood: 'rare' })
  expect(await read(second.risk.id)).toMatchObject({ status: 'accepted' })
  await as(asker, 'updateRisk', { id: second.risk.id, residualLikelihood: null })
  expect(await read(second.id)).toMatchObject({ status: 'revoked', statusReason: RATED })
  expect(await refused(as(asker, 'updateRisk', { id: second.risk.id, impact: null }))).toMatchObject({
    code: 'validation_failed',
  })
})

test('a batch, a program and a change that is taken back end it as well', async () => {
  const door = await one.listen()
  const { secret } = await acme.key(['read:risks', 'write:risks'])
  const byBatch = await accepted({}, { externalId: 'gateway' })
  const row = { externalId: 'gateway', title: 'Unpatched gateway', impact: 'severe' }
  const body = { mode: 'upsert', records: [row] }
  expect((await door.send(secret, 'POST', '/v1/risks/batch', { body })).body.data[0].outcome).toBe('changed')
  await expectEnded(byBatch, 'revoked', RATED)

  const byKey = await accepted()
  await door.send(secret, 'PATCH', `/v1/risks/${byKey.risk.id}`, { body: { impact: 'minor' } })
  await expectEnded(byKey, 'revoked', RATED)

  const { risk } = await ask()
  const change = { id: risk.id, status: 'in_treatment', treatmentStrategy: 'mitigate', impact: 'minor' }
  await as(asker, 'updateRisk', { ...change, impact: 'major' })
  const { version } = await as(asker, 'updateRisk', { id: risk.id, impact: 'minor' })
  expect(version).toBe(3)
  const { data } = (await as(asker, 'listRiskAcceptances', { riskId: [risk.id] })) as unknown as {
    data: Record[]
  }
  expect(await refused(as(approver, 'approveRiskAcceptance', { id: data[0]!.id }))).toMatchObject({
    code: 'conflict',
    message: /rated otherwise.*ask again/,
  })
  expect(data[0]).toMatchObject({ status: 'requested', stale: true })
  // Back where it was asked for, it is what was asked for.
  await as(asker, 'updateRisk', { id: risk.id, impact: 'major' })
  await as(approver, 'approveRiskAcceptance', { id: data[0]!.id })
  const { version: last } = await read(risk.id)
  await as(asker, 'updateRisk', { id: risk.id, impact: 'minor', ifMatch: last })
  expect(await read(data[0]!.id)).toMatchObject({ status: 'revoked' })
})

test('what ended it cannot be taken back: a risk is accepted by an approval alone', async () => {
  const { risk, id } = await accepted()
  const moved = await as(asker, 'updateRisk', { id: risk.id, impact: 'minor' })
  for (const ifMatch of [moved.version, undefined])
    expect(
      await refused(as(asker, 'updateRisk', { id: risk.id, status: 'accepted', impact: 'major', ifMatch })),
    ).toMatchObject({ code: 'invalid_transition', message: /approveRiskAcceptance/ })
  const back = await as(asker, 'updateRisk', { id: risk.id, impact: 'major', ifMatch: moved.version })
  expect(back).toMatchObject({ status: 'assessed', acceptance: null })
  expect(await read(id)).toMatchObject({ status: 'revoked', stale: false })
  const { acceptance } = risk
  expect(await refused(as(asker, 'updateRisk', { id: risk.id, acceptance }))).toMatchObject({
    code: 'validation_failed',
  })
})

test('a risk that is closed is accepted no longer', async () => {
  const { risk, id } = await accepted()
  const closed = await as(asker, 'updateRisk', { id: risk.id, status: 'closed', statusReason: 'Replaced' })
  expect(closed).toMatchObject({ status: 'closed', acceptance: null, acceptanceExpiresAt: null })
  expect(await read(id)).toMatchObject({ status: 'revoked', statusReason: 'The risk was closed' })
  expect(
    await refused(as(asker, 'updateRisk', { id: risk.id, status: 'accepted', ifMatch: closed.version })),
  ).toMatchObject({ code: 'invalid_transition' })
})

test('revoked by the approver, by who asked or by an admin, and by nobody else', async () => {
  for (const by of [approver, asker, acme.admin]) {
    const both = await accepted()
    const revoke = (caller: Caller) =>
      as(caller, 'revokeRiskAcceptance', { id: both.id, statusReason: 'The vendor went out of business' })
    expect(await refused(revoke(await acme.person('editor')))).toMatchObject({
      code: 'other_person_required',
    })
    await revoke(by)
    await expectEnded(both, 'revoked', /out of business/)
    expect(await refused(revoke(by))).toMatchObject({ code: 'conflict' })
  }
})

test('time ends what was accepted and what nobody decided, in every organization, once', async () => {
  const until = { expiresAt: inDays(2) }
  const [first, waiting, later] = [await accepted(until), await ask(until), await accepted()]
  const globex = await one.organization()
  const [theirAsker, theirs] = [await globex.person('editor'), await globex.person('editor')]
  const { id: riskId } = await as(theirAsker, 'createRisk', {
    ...{ title: 'Theirs', status: 'assessed', likelihood: 'rare', impact: 'minor' },
  })
  const { id } = await as(theirAsker, 'createRiskAcceptance', {
    ...{ riskId, justification: 'Theirs', approver: { type: 'user', refId: theirs.userId }, ...until },
  })
  await as(theirs, 'approveRiskAcceptance', { id })
  const run = () => runDue(one.service, deadlineTasks)
  await run()
  expect(await read(first.risk.id)).toMatchObject({ status: 'accepted' })
  await one.moveClock(2 * 86_400_000 + 1_000)
  expect(await refused(as(approver, 'approveRiskAcceptance', { id: waiting.id }))).toMatchObject({
    code: 'conflict',
    message: /is over/,
  })
  await Promise.all([run(), run()])
  await run()
  await expectEnded(first, 'expired', null)
  const { actor, channel } = await told(first.id)
  expect([actor.displayName, channel]).toEqual(['Clock', 'scheduler'])
  expect(await read(waiting.id)).toMatchObject({ status: 'expired', decidedAt: null })
  expect(await read(waiting.risk.id)).toMatchObject({ status: 'assessed', version: 1 })
  expect(await read(later.risk.id)).toMatchObject({ status: 'accepted' })
  expect(await as(theirs, 'getRisk', { id: riskId })).toMatchObject({ status: 'assessed', acceptance: null })
})

test('a rating that moves while it is approved leaves no risk accepted as it is not rated', async () => {
  for (let turn = 0; turn < 8; turn++) {
    const { risk, id } = await ask()
    await Promise.all([
      refused(as(approver, 'approveRiskAcceptance', { id })),
      as(asker, 'updateRisk', { id: risk.id, impact: 'minor' }),
    ])
    const [after, acceptance] = [await read(risk.id), await read(id)]
    expect(after).toMatchObject({ status: 'assessed', acceptance: null })
    expect(['requested', 'revoked']).toContain(acceptance.status)
  }
})

test('whoever reviews another matrix is told how many acceptances it would end', async () => {
  const preview = async (change: object) =>
    (await as(acme.admin, 'previewRiskMatrix', change)).acceptancesEnded
  const before = (await preview({})) as number
  const { cells } = await as(acme.admin, 'getRiskMatrix')
  const levelled = (level: string) =>
    Object.fromEntries(
      Object.entries(cells as { [likelihood: string]: { [impact: string]: object } }).map(
        ([likelihood, row]) => [
          likelihood,
          Object.fromEntries(Object.entries(row).map(([impact, cell]) => [impact, { ...cell, level }])),
        ],
      ),
    )
  await accepted()
  await accepted({}, { residualLikelihood: 'rare', residualImpact: 'minor' })
  expect(await preview({})).toBe(before)
  const all = (await preview({ cells: levelled('critical') })) as number
  expect(all).toBeGreaterThanOrEqual(before + 2)
  // The one that counts with what is left of it is low by its residual rating.
  expect(await preview({ cells: levelled('low') })).toBe(all - 1)
})
