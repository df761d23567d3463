/**
 * Promise: a job is done piece by piece, each once, with the rights of whoever started it, and nobody waits for the many
 * jobs of another organization.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../server/caller/caller.ts'
import { runDue } from '../server/clock/clock.ts'
import { statement } from '../server/database/connect.ts'
import { newId } from '../server/database/ids.ts'
import { transaction } from '../server/database/transaction.ts'
import { jobKind } from '../server/jobs/job-kind.ts'
import { jobTasks } from '../server/jobs/scheduled-tasks.ts'
import { startJob, startJobAlone, startJobOfService } from '../server/jobs/start-job.ts'
import { operation, scope } from '../server/operation.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

let one: TestService
let door: Door
let acme: TestOrganization
let zenith: TestOrganization

/** What each piece of a test's job does, beside counting. */
let meanwhile: (job: string, n: number, caller?: Caller) => Promise<unknown> | undefined

const insertPiece = statement(
  'insert into pieces (organization_id, job, n, worked_as) values ($1, $2, $3, $4)',
)

const Count = z.object({ to: z.number(), name: z.string().default('a job') })

/** Writes a row for each number, a piece each. */
const count = jobKind<typeof Count, { after: number }>({
  name: 'count',
  title: 'Count',
  input: Count,
  needs: scope('write:risks'),
  perOrganization: 3,
  keptDays: 7,
  run: async ({ input, step }) => {
    while (
      await step(async ({ tx, caller, place, progress }) => {
        const n = (place?.after ?? 0) + 1
        tx.write(insertPiece(tx.organizationId, input.name, n, caller.userId))
        progress(n, input.to)
        await meanwhile(input.name, n, caller)
        return n < input.to ? { after: n } : null
      })
    );
    return undefined
  },
})

/** One at a time in an organization; reports what it finds. */
const Check = z.object({ faults: z.number().default(0) })
const check = jobKind<typeof Check>({
  name: 'check',
  title: 'Check',
  input: Check,
  needs: scope('write:risks'),
  perOrganization: 1,
  waitingAtMost: 4,
  waitingAtMostEach: 2,
  keptDays: 1,
  run: async ({ job, input, step }) => {
    await step(async ({ error, result, place }) => {
      await meanwhile(job.id, 1)
      for (let row = 1; row <= input.faults; row += 1) error({ row, field: 'title', message: 'is missing' })
      result({ name: 'found.csv', type: 'text/csv', bytes: Buffer.from(`${place}`.repeat(50)) })
      return 'checked'
    })
    await step(async () => null)
    return undefined
  },
})

const startCount = operation({
  name: 'startCount',
  method: 'POST',
  path: '/v1/counts',
  needs: scope('write:risks'),
  writes: true,
  title: 'Count',
  input: z.strictObject({ to: z.number(), name: z.string() }),
  output: z.object({ id: z.string() }),
  run: async (context, input) => ({ id: await startJob(context, count, input) }),
})

const startCheck = operation({
  name: 'startCheck',
  method: 'POST',
  path: '/v1/checks',
  needs: scope('write:risks'),
  writes: true,
  title: 'Check',
  input: z.strictObject({ faults: z.number() }),
  output: z.object({ id: z.string() }),
  refusals: ['conflict'],
  run: async (context, input) => ({ id: await startJob(context, check, input) }),
})

beforeAll(async () => {
  one = await startTestService({}, [startCount, startCheck], [count, check])
  await one.administrator.query(`
    create table pieces (
      id int generated always as identity, organization_id text, job text, n int, worked_as text,
      at timestamptz not null default clock_timestamp());
    grant select, insert on pieces to plumbline_tenant`)
  door = await one.listen()
  acme = await one.organization()
  zenith = await one.organization()
})
beforeEach(() => {
  meanwhile = () => undefined
})
afterAll(() => one.close())

interface Told {
  readonly id: string
  readonly state: string
  readonly done: number
  readonly failure: string | null
  readonly errorCount: number
  readonly errors: { row: number }[] | null
}

const start = async (by: Caller, name: string, to = 3): Promise<string> =>
  ((await one.call(by, 'startCount', { to, name })).body as Told).id
const read = async (by: Caller, id: string): Promise<Told> => (await one.call(by, 'getJob', { id })).body
const ended = (by: Caller, id: string): Promise<Told> =>
  until(async () => {
    const told = await read(by, id)
    return ['waiting', 'running'].includes(told.state) ? false : told
  }, 'the end of a job')
const piecesOf = async (name: string): Promise<number[]> =>
  (await one.administrator.query('select n from pieces where job = $1 order by id', [name])).rows.map(
    ({ n }) => n,
  )
const refusal = (work: Promise<unknown>): Promise<{ code: string; message: string }> =>
  work.then(
    () => ({ code: 'none', message: '' }),
    ({ code, message }) => ({ code, message }),
  )

/** So many pieces that whoever waits for one gets its turn before the last. */
const MANY = 200

/** Until a statement waits for a row that a piece holds. */
const someoneWaits = () =>
  until(async () => {
    const { rows } = await one.service.database.gate.query(
      `select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and l.locktype in ('transactionid', 'advisory') and a.datname = current_database()`,
    )
    return rows[0].n > 0
  }, 'who waits for a piece')

/** Holds a job's piece back once it has begun, until it is let go. */
function holdPiece(at: number) {
  const begun = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  meanwhile = (_, n) => {
    if (n !== at) return undefined
    begun.resolve()
    return promise
  }
  return { begun: begun.promise, letGo: resolve }
}

test('a job is done piece by piece, and tells how far it has come', async () => {
  const held = holdPiece(3)
  const id = await start(acme.admin, 'told', 5)
  await held.begun
  expect(await piecesOf('told')).toEqual([1, 2])
  expect(await read(acme.admin, id)).toMatchObject({ state: 'running', done: 2, total: 5, endedAt: null })
  held.letGo()
  expect(await ended(acme.admin, id)).toMatchObject({
    kind: 'count',
    title: 'Count',
    state: 'succeeded',
    done: 5,
    total: 5,
    failure: null,
    errors: [],
    startedBy: { type: 'user', id: acme.admin.userId },
  })
  expect(await piecesOf('told')).toEqual([1, 2, 3, 4, 5])
})

test('who cancels it ends it between two pieces, and what was done stays', async () => {
  const held = holdPiece(2)
  const id = await start(acme.admin, 'cancelled', MANY)
  await held.begun
  // It waits for the piece that is under way.
  const cancelling = one.call(await acme.person('admin'), 'cancelJob', { id })
  await someoneWaits()
  held.letGo()
  await cancelling
  const told = await ended(acme.admin, id)
  expect(told).toMatchObject({ state: 'cancelled', failure: null })
  expect(await piecesOf('cancelled')).toHaveLength(told.done)
  expect(told.done).toBeLessThan(MANY)
  expect((await refusal(one.call(acme.admin, 'cancelJob', { id }))).code).toBe('conflict')
})

test('of a kind that takes turns one is done after the other, and one too many is refused', async () => {
  const held = Promise.withResolvers<void>()
  const begun: string[] = []
  meanwhile = (job) => {
    begun.push(job)
    return held.promise
  }
  const startOne = async () => ((await one.call(acme.admin, 'startCheck', { faults: 0 })).body as Told).id
  const first = await startOne()
  await until(() => begun.length === 1)
  const second = await startOne()
  expect((await refusal(startOne())).code).toBe('conflict')
  // Who has started none yet is not shut out by that.
  const editor = await acme.person('editor')
  const others = await one.call(editor, 'startCheck', { faults: 0 })
  await one.call(editor, 'cancelJob', { id: (others.body as Told).id })
  // One that waits is cancelled at once.
  await one.call(acme.admin, 'cancelJob', { id: second })
  expect(await read(acme.admin, second)).toMatchObject({ state: 'cancelled', begunAt: null })
  const third = await startOne()
  await one.service.jobs.sweep()
  expect(begun).toEqual([first])
  held.resolve()
  expect(await ended(acme.admin, third)).toMatchObject({ state: 'succeeded' })
  expect(begun).toEqual([first, third])
})

test('errors are counted, and the first hundred told; its file takes the right that it took', async () => {
  const key = await acme.key(['write:risks'])
  const reader = await acme.key(['read:risks'])
  const { body } = await door.send(key.secret, 'POST', '/v1/checks', { body: { faults: 120 } })
  const told = await until(async () => {
    const reply = await door.send(key.secret, 'GET', `/v1/jobs/${body.id}`)
    return reply.body.state === 'succeeded' && reply.body
  })
  expect(told).toMatchObject({ errorCount: 120, result: { name: 'found.csv', type: 'text/csv', bytes: 200 } })
  expect(told.errors).toHaveLength(100)
  expect(told.errors[99]).toEqual({ row: 100, field: 'title', message: 'is missing' })
  const file = (headers: Record<string, string> = {}) =>
    fetch(`${door.base}/v1/jobs/${body.id}/result`, {
      headers: { authorization: `Bearer ${key.secret}`, ...headers },
    })
  expect(await (await file()).text()).toBe('null'.repeat(50))
  const some = await file({ range: 'bytes=2-5' })
  expect([some.status, some.headers.get('content-range'), await some.text()]).toEqual([
    206,
    'bytes 2-5/200',
    'llnu',
  ])

  // What acts for one person may have different rights: a program sees what it started, and no more.
  for (const path of ['', '/result'])
    expect((await door.send(reader.secret, 'GET', `/v1/jobs/${body.id}${path}`)).status).toBe(404)
  expect((await door.send(reader.secret, 'POST', `/v1/jobs/${body.id}/cancel`)).status).toBe(404)
  expect((await door.send(reader.secret, 'GET', '/v1/jobs')).body.data).toEqual([])
  expect((await door.send(key.secret, 'GET', '/v1/jobs')).body.data).toHaveLength(1)
})

test('it is there for whoever started it and for admins, and for no other organization', async () => {
  const editor = await acme.person('editor')
  const other = await acme.person('editor')
  const id = await start(editor, 'seen')
  await ended(acme.admin, id)
  const codes = await Promise.all(
    [editor, acme.admin, other, zenith.admin].map(async (caller) => [
      (await refusal(one.call(caller, 'getJob', { id }))).code,
      (await refusal(one.call(caller, 'getJobResult', { id }))).code,
      (await refusal(one.call(caller, 'cancelJob', { id }))).code,
    ]),
  )
  expect(codes).toEqual([
    ['none', 'conflict', 'conflict'],
    ['none', 'conflict', 'conflict'],
    ['not_found', 'not_found', 'not_found'],
    ['not_found', 'not_found', 'not_found'],
  ])
  const listed = async (by: Caller) =>
    ((await one.call(by, 'listJobs', { limit: 200 })).body as { data: Told[] }).data.map((told) => told.id)
  expect(await listed(editor)).toEqual([id])
  expect(await listed(other)).toEqual([])
  expect(await listed(zenith.admin)).toEqual([])
  expect(await listed(acme.admin)).toContain(id)
  // Whoever lost the right reads how it went, and neither its errors nor its file.
  const { body } = await one.call(editor, 'startCheck', { faults: 1 })
  const checked = (body as Told).id
  expect(await ended(editor, checked)).toMatchObject({ errors: [{ row: 1 }] })
  const demoted: Caller = { ...editor, role: 'viewer' }
  expect(await read(demoted, checked)).toMatchObject({ errorCount: 1, errors: null })
  expect((await refusal(one.call(demoted, 'getJobResult', { id: checked }))).code).toBe('capability_required')
})

test.each([
  ['is demoted', "update members set role = 'viewer' where user_id = $1", /which does not allow write:risks/],
  ['leaves', "update members set status = 'disabled' where user_id = $1", /no longer active/],
])('it ends where whoever started it %s meanwhile', async (what, change, why) => {
  const editor = await acme.person('editor')
  const held = holdPiece(2)
  const id = await start(editor, what, 9)
  await held.begun
  await one.administrator.query(change, [editor.userId])
  held.letGo()
  const told = await ended(acme.admin, id)
  expect(told).toMatchObject({ state: 'failed', failure: expect.stringMatching(why) })
  // The piece that was under way is done.
  expect(await piecesOf(what)).toEqual([1, 2])
})

test('it ends where the key that started it is revoked', async () => {
  const { id: keyId, secret } = await acme.key(['write:risks'])
  const held = holdPiece(1)
  const { body } = await door.send(secret, 'POST', '/v1/counts', { body: { to: 5, name: 'revoked' } })
  await held.begun
  await one.administrator.query('update api_keys set revoked_at = clock_now() where id = $1', [keyId])
  held.letGo()
  expect(await ended(acme.admin, body.id)).toMatchObject({
    state: 'failed',
    failure: 'It was stopped: the key or app that started it was revoked or has expired.',
    startedBy: { type: 'api_key', id: keyId },
  })
})

test('a fault of ours is tried again, and goes on where it was', async () => {
  let broken = 2
  meanwhile = async (_, n) => {
    if (n === 2 && broken-- > 0) throw new Error('a fault')
  }
  const id = await start(acme.admin, 'broken')
  const waits = () =>
    until(async () => {
      const { rows } = await one.administrator.query(
        'select faults from jobs where id = $1 and claim_id is null and due_at > clock_now()',
        [id],
      )
      return rows[0]
    })
  expect(await waits()).toEqual({ faults: 1 })
  await one.moveClock(11_000)
  await one.service.jobs.sweep()
  await until(() => broken === 0)
  expect(await waits()).toEqual({ faults: 2 })
  await one.moveClock(61_000)
  await one.service.jobs.sweep()
  expect(await ended(acme.admin, id)).toMatchObject({ state: 'succeeded', done: 3 })
  expect(await piecesOf('broken')).toEqual([1, 2, 3])
})

test('what a process left behind that is gone goes on where it was, and what it brings late is not written', async () => {
  const held = holdPiece(2)
  const id = await start(acme.admin, 'left behind', MANY)
  await held.begun
  // As if this process had slept past its lease: its piece holds the row, and once that is done the claim is another's.
  const taken = one.administrator.query('update jobs set claim_id = $2, losses = 0 where id = $1', [
    id,
    'ffffffff-0000-4000-8000-000000000000',
  ])
  await someoneWaits()
  held.letGo()
  await taken
  expect((await piecesOf('left behind')).length).toBeLessThan(MANY)
  await one.moveClock(61_000)
  await one.service.jobs.sweep()
  expect(await ended(acme.admin, id)).toMatchObject({ state: 'succeeded' })
  expect(await piecesOf('left behind')).toEqual(Array.from({ length: MANY }, (_, n) => n + 1))
})

/** By nobody's asking. */
const startOfService = async (name: string, to: number, { id } = acme): Promise<string> =>
  (await transaction(one.service.database.tenant, id, (tx) =>
    startJobOfService(one.service, tx, count, { to, name }),
  ))!

test('of a job of the service what is brought late is not written', async () => {
  const held = holdPiece(2)
  const id = await startOfService('late', 5)
  await held.begun
  await one.administrator.query('update jobs set claim_id = $2, losses = 0 where id = $1', [
    id,
    'ffffffff-0000-4000-8000-000000000000',
  ])
  // The piece has what it needs, and comes to its end with a claim that is another's.
  held.letGo()
  await one.service.jobs.sweep()
  expect(await piecesOf('late')).toEqual([1])
  expect(await read(acme.admin, id)).toMatchObject({ state: 'running', done: 1 })
  await one.moveClock(61_000)
  await one.service.jobs.sweep()
  expect(await ended(acme.admin, id)).toMatchObject({ state: 'succeeded' })
  expect(await piecesOf('late')).toEqual([1, 2, 3, 4, 5])
})

test('a job of the service that is cancelled ends between two pieces, and what was done stays', async () => {
  const held = holdPiece(2)
  const id = await startOfService('cancelled by an admin', 5)
  await held.begun
  await one.call(acme.admin, 'cancelJob', { id })
  held.letGo()
  expect(await ended(acme.admin, id)).toMatchObject({ state: 'cancelled', done: 1 })
  expect(await piecesOf('cancelled by an admin')).toEqual([1])
})

test('a piece of the service whose organization is allowed more meanwhile is begun anew with that', async () => {
  const other = await one.organization()
  const held = holdPiece(2)
  const hold = meanwhile
  const gone: string[] = []
  meanwhile = (job, n, caller) => {
    gone.push(`${n} ${Object.keys(caller!.features)}`)
    return hold(job, n)
  }
  const id = await startOfService('allowed', 3, other)
  await held.begun
  await one.call(other.admin, 'updateOrganization', { features: { supplierRiskManagement: true } })
  held.letGo()
  expect(await ended(other.admin, id)).toMatchObject({ state: 'succeeded' })
  expect(gone).toEqual(['1 ', '2 ', '2 supplierRiskManagement', '3 supplierRiskManagement'])
  expect(await piecesOf('allowed')).toEqual([1, 2, 3])
})

test('the many jobs of one organization hold nobody up', async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => one.organization()))
  const many = 100
  const held = Promise.withResolvers<void>()
  meanwhile = (name) => (name === 'many 0' ? held.promise : undefined)
  for (let n = 0; n < many; n += 1) await startOfService(`many ${n}`, 1)
  for (const other of others) await startOfService('few', 1, other)
  await until(async () => (await piecesOf('few')).length === others.length)
  held.resolve()
  await until(async () => {
    const { rows } = await one.administrator.query(
      "select count(*)::int as n from pieces where job like 'many %'",
    )
    return rows[0].n === many
  })
})

test('it goes when it was kept long enough', async () => {
  const id = await start(acme.admin, 'kept')
  await ended(acme.admin, id)
  await one.moveClock(6 * 86_400_000)
  await runDue(one.service, jobTasks)
  expect(await read(acme.admin, id)).toMatchObject({ state: 'succeeded' })
  await one.moveClock(2 * 86_400_000)
  await runDue(one.service, jobTasks)
  expect((await refusal(read(acme.admin, id))).code).toBe('not_found')
})

test('a job of no organization is seen by nobody', async () => {
  const id = await startJobAlone(one.service, count, { to: 2, name: 'nobody’s' })
  await until(async () => (await piecesOf('nobody’s')).length === 2)
  expect((await refusal(read(acme.admin, id!))).code).toBe('not_found')
  expect((await refusal(read(acme.admin, newId('job')))).code).toBe('not_found')
})
