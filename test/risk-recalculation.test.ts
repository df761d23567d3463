/** Promise: a change of the risk matrix reaches each record once, as was counted before, while others write. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cellOf } from '../model/risk-matrix.ts'
import { IMPACTS, LIKELIHOODS } from '../model/scales.ts'
import type { Caller } from '../server/caller/caller.ts'
import { openClient, type Register, registerOf } from './support/rated-register.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

let one: TestService
let acme: TestOrganization
let register: Register
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
})
beforeEach(async () => {
  acme = await one.organization()
  register = registerOf(one, acme)
})
afterAll(() => one.close())

// biome-ignore lint/suspicious/noExplicitAny: what is read of an answer is said by each test
type Answer = any
const as = async (caller: Caller, name: string, input: object = {}): Promise<Answer> =>
  (await one.call(caller, name, input)).body
const call = (name: string, input: object = {}) => as(acme.admin, name, input)
const ended = (id: string): Promise<Answer> =>
  until(async () => {
    const job = await call('getJob', { id })
    return ['waiting', 'running'].includes(job.state) ? false : job
  }, 'the end of the job')
const change = async (input: object): Promise<string> =>
  (await call('updateRiskMatrix', input)).recalculation.jobId

/** Moves three cells, of which one is of a level that the others have as well. */
const STRICTER = {
  cells: {
    possible: { major: { level: 'critical' }, severe: { level: 'critical' } },
    likely: { major: { level: 'critical' } },
    rare: { severe: { level: 'high' } },
    unlikely: { severe: { level: 'high', score: 11 } },
  },
}

test('what was counted before is what moves: each with one entry, and a signal where that is watched', async () => {
  await register.fill(3)
  const preview = await call('previewRiskMatrix', STRICTER)
  const versions = await register.versions()
  const job = await ended(await change(STRICTER))
  expect(job).toMatchObject({ state: 'succeeded', errorCount: 0 })
  expect(job.done).toBe(job.total)
  expect(await register.levelsByMatrix()).toEqual(await register.levels())

  const entries = await register.entries('Version 2 of the risk matrix')
  const moved = new Map<string, number>()
  for (const { kind, changes } of entries)
    for (const field of ['riskLevel', 'inherentLevel', 'residualLevel', 'rating'])
      if (changes[field]) {
        const key = JSON.stringify([kind, field, changes[field].from, changes[field].to])
        moved.set(key, (moved.get(key) ?? 0) + 1)
      }
  const counted = preview.moves.map(({ kind, field, from, to, count }: Answer) => [
    JSON.stringify([kind, field, from, to]),
    count,
  ])
  expect(Object.fromEntries(moved)).toEqual(Object.fromEntries(counted))
  expect(new Set(counted.map(([key]: [string]) => JSON.parse(key)[1])).size).toBe(4)

  // Of the risks, how many have another level of their own.
  const levels = counted.filter(([key]: [string]) => JSON.parse(key)[1] === 'riskLevel')
  const risksMoved = levels.reduce((sum: number, [, count]: [string, number]) => sum + count, 0)
  expect(risksMoved).toBeGreaterThan(0)
  expect(await call('getRiskMatrix')).toMatchObject({ version: 2, risksMoved })
  expect((await call('listRiskMatrixVersions')).data.map((one: Answer) => one.risksMoved)).toEqual([
    risksMoved,
    null,
  ])

  // Each once, and nobody else.
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  const now = await register.versions()
  for (const [id, version] of versions)
    expect(now.get(id)! - version).toBe(entries.some((entry) => entry.id === id) ? 1 : 0)

  const watched = entries.filter(({ changes }) => 'riskLevel' in changes || 'rating' in changes)
  const signals = await register.signals('risk.updated', 'risk_treatment.updated')
  expect(signals.map(({ id }) => id).sort()).toEqual(watched.map(({ id }) => id).sort())
  for (const { id, body, time } of signals) {
    const entry = entries.find((those) => those.id === id)!
    expect(body.data.changes).toEqual(entry.changes)
    expect([body.data.record.id, body.data.record.updatedAt]).toEqual([id, body.time])
    expect(time.toISOString()).toBe(body.time)
    expect(body.data.record.version).toBe(now.get(id))
  }
  const again = await call('previewRiskMatrix')
  expect(again.moves).toEqual([])
})

test('a change of the appetite alone moves who is above it, and raises no signal', async () => {
  await register.fill(1)
  const preview = await call('previewRiskMatrix', { appetite: { legal: 'low', ai: 'high' } })
  await ended(await change({ appetite: { legal: 'low', ai: 'high' } }))
  const { data } = await call('listRisks', { aboveAppetite: [true], limit: 200 })
  expect(preview.moves).toEqual([])
  expect(preview.aboveAppetite).toEqual([{ kind: 'risk', before: 0, after: data.length }])
  expect(data.length).toBeGreaterThan(0)
  expect(await register.signals('risk.updated')).toEqual([])
})

test('others write meanwhile, and what they write follows from the new version', async () => {
  await register.fill(12)
  const job = await change(STRICTER)
  let isOver = false
  const over = ended(job).finally(() => {
    isOver = true
  })
  const ids = await register.ids()
  for (let n = 0; !isOver; n += 1) {
    const rating = { likelihood: LIKELIHOODS[n % 5], impact: IMPACTS[(n * 3) % 5] }
    await Promise.all([
      call('createRisk', { title: `Meanwhile ${n}`, ...rating }),
      call('updateRisk', { id: ids[(n * 17) % ids.length], title: `Touched ${n}` }),
      call('createRiskBatch', { records: [{ title: `Batch ${n}`, ...rating }, { title: 'None' }] }),
    ])
  }
  expect((await over).state).toBe('succeeded')
  expect(await register.levelsByMatrix()).toEqual(await register.levels())
  const entries = await register.entries('Version 2 of the risk matrix')
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
})

test('what was judged by the version before and is written late is found all the same', async () => {
  const other = await openClient(one)
  await other.query('begin')
  const { id } = await call('createRisk', { title: 'Holder' })
  await other.query("update risks set external_id = 'taken' where id = $1", [id])
  const late = call('createRisk', {
    ...{ title: 'Late', externalId: 'taken', likelihood: 'possible', impact: 'major' },
  })
  await register.waitsForLocks(1)
  const changed = change(STRICTER)
  await register.waitsForLocks(2)
  const held = call('createRisk', { title: 'Behind', likelihood: 'possible', impact: 'major' })
  await other.query('rollback')
  await other.end()
  expect((await late).riskLevel).toBe('high')
  expect((await held).riskLevel).toBe('critical')
  await ended(await changed)
  expect((await call('getRisk', { id: (await late).id })).riskLevel).toBe('critical')
})

test('stopped in the middle it stays where it is, and goes on from there', async () => {
  await register.fill(12)
  const { job, release } = await register.stopInTheMiddle(() => change(STRICTER))
  const cancelled = call('cancelJob', { id: job })
  await register.waitsForLocks(2)
  await release()
  await cancelled
  const stopped = await ended(job)
  expect(stopped).toMatchObject({ state: 'cancelled', canResume: true, isSuperseded: false })
  expect(stopped.done).toBeLessThan(stopped.total)
  expect((await call('getRiskMatrix')).risksMoved).toBeNull()
  const before = await register.entries('Version 2 of the risk matrix')
  expect(before.length).toBeGreaterThan(0)
  expect((await call('getRiskMatrix')).recalculation).toMatchObject({ jobId: job, state: 'cancelled' })

  const resumer = await acme.person('admin')
  await as(resumer, 'resumeJob', { id: job })
  expect(await ended(job)).toMatchObject({
    ...{ state: 'succeeded', canResume: false },
    startedBy: { id: resumer.userId },
  })
  const entries = await register.entries('Version 2 of the risk matrix')
  expect(entries.slice(0, before.length)).toEqual(before)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  expect(entries.at(-1)!.actor.id).toBe(resumer.userId)
  const risksMoved = entries.filter(({ kind, changes }) => kind === 'risk' && changes.riskLevel).length
  expect((await call('getRiskMatrix')).risksMoved).toBe(risksMoved)
  expect(await register.levelsByMatrix()).toEqual(await register.levels())
  await expect(call('resumeJob', { id: job })).rejects.toMatchObject({ code: 'conflict' })
})

test('a second change takes its place: the first ends, is not resumed, and no record is told twice of one', async () => {
  await register.fill(12)
  const { job: first, release } = await register.stopInTheMiddle(() => change(STRICTER))
  const second = change({ cells: { possible: { moderate: { level: 'high' } } } })
  await register.waitsForLocks(2)
  await release()
  expect(await ended(await second)).toMatchObject({ state: 'succeeded' })
  expect(await ended(first)).toMatchObject({ state: 'cancelled', isSuperseded: true, canResume: false })
  await expect(call('resumeJob', { id: first })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Its work was taken over, or put back to be decided anew: there is nothing left for it to do.',
  })
  expect(await register.levelsByMatrix()).toEqual(await register.levels())
  const told = [
    ...(await register.entries('Version 2 of the risk matrix')),
    ...(await register.entries('Version 3 of the risk matrix')),
  ]
  for (const version of [2, 3]) {
    const ids = told.filter(({ reason }) => reason.startsWith(`Version ${version}`)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(0)
  }
})

test('who is no admin any more does not go on with it; another admin does', async () => {
  await register.fill(12)
  const second = await acme.person('admin')
  const { job, release } = await register.stopInTheMiddle(
    async () => (await as(second, 'updateRiskMatrix', STRICTER)).recalculation.jobId,
  )
  await one.administrator.query("update members set role = 'editor' where user_id = $1", [second.userId])
  await release()
  expect(await ended(job)).toMatchObject({ state: 'failed', canResume: true })
  await expect(as({ ...second, role: 'editor' }, 'resumeJob', { id: job })).rejects.toMatchObject({
    code: 'capability_required',
  })
  const viewer = await acme.person('viewer')
  await expect(as(viewer, 'resumeJob', { id: job })).rejects.toMatchObject({ code: 'not_found' })
  await call('resumeJob', { id: job })
  expect((await ended(job)).state).toBe('succeeded')
  expect(await register.levelsByMatrix()).toEqual(await register.levels())
})

test('another organization’s records stay as they are', async () => {
  const other = await one.organization()
  const theirs = registerOf(one, other)
  await theirs.fill(1)
  await register.fill(1)
  const before = await theirs.versions()
  await ended(await change(STRICTER))
  expect(await theirs.versions()).toEqual(before)
  const { riskLevel } = await as(other.admin, 'createRisk', {
    ...{ title: 'Elsewhere', likelihood: 'possible', impact: 'major' },
  })
  expect(riskLevel).toBe(cellOf((await as(other.admin, 'getRiskMatrix')).cells, 'possible', 'major')!.level)
})

test('an accepted risk that moves is accepted no longer, and its acceptance follows', async () => {
  const approver = await acme.person('editor')
  const rating = { status: 'assessed', likelihood: 'possible', impact: 'major' }
  const [{ id: riskId }, { id: other }] = await Promise.all([
    call('createRisk', { title: 'Accepted', ...rating }),
    call('createRisk', { title: 'Stays', ...rating, impact: 'minor' }),
  ])
  const accept = async (id: string) => {
    const acceptance = await call('createRiskAcceptance', {
      ...{ riskId: id, justification: 'Until spring', expiresAt: '2100-01-01' },
      approver: { type: 'user', refId: approver.userId },
    })
    await as(approver, 'approveRiskAcceptance', { id: acceptance.id })
    return acceptance.id as string
  }
  const [ends, stands] = [await accept(riskId), await accept(other)]
  expect((await ended(await change(STRICTER))).state).toBe('succeeded')
  expect(await call('getRisk', { id: riskId })).toMatchObject({
    ...{ riskLevel: 'critical', status: 'assessed', acceptance: null, acceptanceExpiresAt: null },
  })
  expect((await call('getRiskAcceptance', { id: ends })).status).not.toBe('approved')
  expect((await call('getRiskAcceptance', { id: stands })).status).toBe('approved')
  expect((await call('getRisk', { id: other })).status).toBe('accepted')
})
