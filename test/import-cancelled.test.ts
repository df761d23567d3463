import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf, type TestBulkChange } from './support/sheets.ts'
import { until } from './support/until.ts'

/*
 * Promise: an import that is cancelled in the middle keeps what it wrote, each row with what became of it, writes
 * nothing more, and says how much of how much that is; it can go on where it ended, or be planned anew. All or nothing
 * stays that, and one change of many records is taken back as far as it came.
 */

const ROWS = 500
/** A row in the middle, whose record is linked with what somebody else holds. */
const HELD = 250

let one: TestService
let acme: TestOrganization
let sheets: ReturnType<typeof sheetsOf>
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
})
afterAll(() => one.close())

/** In an organization of its own: a planned file, and what ends the wait of its row in the middle. */
async function plannedFile(wrong: readonly string[] = []) {
  acme = await one.organization()
  sheets = sheetsOf(one, acme.admin)
  const control = await sheets.ask<{ id: string; reference: string }>('createControl', {
    code: 'C-1',
    title: 'Held',
  })
  const rows = Array.from({ length: ROWS }, (_, at) => `Risk ${at},${at === HELD ? control.reference : ''}`)
  const planned = await sheets.bring('risk', ['Title,Controls', ...rows, ...wrong].join('\n'))
  expect(planned.planned).toMatchObject({ create: ROWS, error: wrong.length })
  const holder = new pg.Client({ connectionString: one.database.administratorUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from controls where id = $1 for update', [control.id])
  return { planned, letGo: () => holder.end() }
}

/**
 * Carries it out until it waits in the middle, and cancels it then. Whoever cancels is slow to go on once it may, as on
 * a busy machine.
 */
async function cancelledInTheMiddle(rows: 'all' | 'good') {
  // What is wrong is not written, and is no part of what is left.
  const { planned, letGo } = await plannedFile(rows === 'good' ? [',CTL-1'] : [])
  const { job } = await sheets.ask<TestBulkChange>('applyBulkChange', { id: planned.id, rows })
  await until(() => waiting(1))
  const [worker] = await waits()
  const cancelling = refusal(sheets.ask('cancelJob', { id: job!.id }))
  await until(() => waiting(2))
  const canceller = (await waits()).find((pid) => pid !== worker)!
  process.kill(canceller, 'SIGSTOP')
  try {
    await letGo()
    await until(async () => (await isNextPieceWaiting(canceller)) || (await count('risks')) === ROWS)
  } finally {
    process.kill(canceller, 'SIGCONT')
  }
  return { planned, job: job!, refused: await cancelling }
}

/** The processes of the database that wait for another. */
const waits = async (): Promise<number[]> => {
  const { rows } = await one.administrator.query(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.map(({ pid }) => pid)
}

const isNextPieceWaiting = async (canceller: number): Promise<boolean> => {
  const { rows } = await one.administrator.query(
    `select from pg_locks where locktype = 'advisory' and not granted and pid <> $1
        and database = (select oid from pg_database where datname = current_database())`,
    [canceller],
  )
  return rows.length > 0
}

const waiting = async (count: number) => (await waits()).length === count

const count = async (table: string): Promise<number> => {
  const { rows } = await one.administrator.query(
    `select count(*)::int as count from ${table} where organization_id = $1`,
    [acme.id],
  )
  return rows[0].count
}

const read = (id: string) => sheets.ask<TestBulkChange>('getBulkChange', { id })
const ended = (id: string, state: string) =>
  until(async () => (await sheets.ask<{ state: string }>('getJob', { id })).state === state)

/** What was written is told row by row, and what was not as well. */
async function expectWritten({ id }: TestBulkChange, written: number): Promise<void> {
  expect(await count('risks')).toBe(written)
  expect(await count('known_records')).toBeGreaterThanOrEqual(written)
  const { rows } = await one.administrator.query(
    `select count(distinct record_id) filter (where done = 'created')::int as created,
            count(*) filter (where done is null and planned is distinct from 'error')::int as left
       from bulk_change_rows where bulk_change_id = $1`,
    [id],
  )
  expect(rows[0]).toEqual({ created: written, left: ROWS - written })
  const { rows: signals } = await one.administrator.query(
    `select count(*)::int as count from signals where organization_id = $1 and type = 'risk.created'`,
    [acme.id],
  )
  expect(signals[0].count).toBe(written)
}

test('what was written stays with what became of each row, and it goes on where it ended', async () => {
  const { planned, job } = await cancelledInTheMiddle('good')
  await ended(job.id, 'cancelled')
  const cancelled = await read(planned.id)
  const written = cancelled.done!.created
  expect(written).toBeGreaterThan(HELD)
  expect(written).toBeLessThan(ROWS)
  expect(cancelled).toMatchObject({
    stage: 'applying',
    left: ROWS - written,
    job: { state: 'cancelled', done: written, total: ROWS, canResume: true },
  })
  await expectWritten(planned, written)
  await sheets.ask('resumeJob', { id: job.id })
  await ended(job.id, 'succeeded')
  expect(await read(planned.id)).toMatchObject({ stage: 'applied', done: { created: ROWS, refused: 0 } })
  await expectWritten(planned, ROWS)
})

test('the rest can be planned anew, and carried out wholly', async () => {
  const { planned, job } = await cancelledInTheMiddle('good')
  await ended(job.id, 'cancelled')
  const written = (await read(planned.id)).done!.created
  expect((await sheets.plan(planned)).planned).toMatchObject({ create: ROWS - written, error: 1 })
  await expectWritten(planned, written)
  expect((await sheets.apply(planned.id)).done).toMatchObject({ created: ROWS, refused: 0 })
  await expectWritten(planned, ROWS)
  // What was stopped has nothing left of its own.
  expect(await sheets.ask('getJob', { id: job.id })).toMatchObject({ canResume: false, isSuperseded: true })
  expect(await refusal(sheets.ask('resumeJob', { id: job.id }))).toMatchObject({ code: 'conflict' })
  await expectWritten(planned, ROWS)
})

test('one that is cancelled before its turn has written nothing, and says so', async () => {
  const { planned, letGo } = await plannedFile()
  const other = await sheets.bring(
    'risk',
    ['Title', ...Array.from({ length: 101 }, (_, at) => at)].join('\n'),
  )
  const first = await sheets.ask<TestBulkChange>('applyBulkChange', { id: planned.id, rows: 'good' })
  const { job } = await sheets.ask<TestBulkChange>('applyBulkChange', { id: other.id, rows: 'good' })
  await sheets.ask('cancelJob', { id: job!.id })
  const nothing = { stage: 'applying', done: null, left: 101, job: { state: 'cancelled', done: 0 } }
  expect(await read(other.id)).toMatchObject(nothing)
  await letGo()
  await ended(first.job!.id, 'succeeded')
  expect(await count('risks')).toBe(ROWS)
  expect((await sheets.plan(other)).planned).toMatchObject({ create: 101 })
})

test('what a change of a selection wrote before it was cancelled can be taken back', async () => {
  const { planned, letGo } = await plannedFile()
  await letGo()
  await sheets.apply(planned.id, 'all')
  const change = { category: 'legal' }
  const begun = await sheets.ask<TestBulkChange>('startBulkEdit', { type: 'risk', filters: {}, change })
  await sheets.planned(begun.id)
  const [, held] = await sheets.rows(begun.id)
  const holder = new pg.Client({ connectionString: one.database.administratorUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from bulk_change_rows where bulk_change_id = $1 and number = $2 for update', [
    begun.id,
    held!.number,
  ])
  const { job } = await sheets.ask<TestBulkChange>('applyBulkChange', { id: begun.id, rows: 'good' })
  await until(() => waiting(1))
  const cancelling = sheets.ask('cancelJob', { id: job!.id })
  await until(() => waiting(2))
  await holder.end()
  await cancelling
  await ended(job!.id, 'cancelled')
  const { done, left } = await read(begun.id)
  expect(done!.changed).toBeGreaterThan(0)
  expect(done!.changed + left).toBe(ROWS)
  const back = await sheets.ask<TestBulkChange>('undoBulkChange', { id: begun.id })
  expect((await sheets.planned(back.id)).planned).toMatchObject({ change: done!.changed, error: 0 })
  await sheets.apply(back.id)
  expect(
    (await sheets.ask<{ total: number }>('summarizeRisks', { category: ['legal'], counted: ['total'] }))
      .total,
  ).toBe(0)
})

test('all or nothing is written whole before it can be cancelled, or not at all', async () => {
  const { planned, job, refused } = await cancelledInTheMiddle('all')
  expect(refused).toMatchObject({ code: 'conflict' })
  await ended(job.id, 'succeeded')
  await expectWritten(planned, ROWS)
})
