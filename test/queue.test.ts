/**
 * Promise: any table with rows that are due can be a queue. What is due is worked once, in turn, by whoever has room for
 * it, and what was held by a process that is gone or slow is worked by another.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../server/database/connect.ts'
import { ClaimLoop } from '../server/queue/claim-loop.ts'
import type { Queue, Ran, Taken } from '../server/queue/queue.ts'
import { ResultsBuffer } from '../server/queue/results-buffer.ts'
import { Worker } from '../server/queue/worker.ts'
import { WorkerConnection } from '../server/queue/worker-connection.ts'
import { startTestService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const LEASE_MS = 60_000

interface Letter {
  readonly id: number
  readonly organizationId: string
  readonly box: string
  readonly claimId: string
  readonly failures: number
}

interface Result {
  readonly letter: Letter
  readonly by: string
  /** Null where it is done. */
  readonly waitMs: number | null
}

/** What a process does with a letter: how long until it is tried again, or null where it is done. */
type Work = (letter: Letter) => Promise<number | null> | number | null

let one: TestService
const closing: (() => Promise<unknown>)[] = []
const hung: (() => void)[] = []

beforeAll(async () => {
  one = await startTestService()
  await one.administrator.query(`
    create table letters (
      id int generated always as identity primary key, box text not null, organization_id text not null,
      due_at timestamptz, claim_id uuid, failures int not null default 0, done_by text
    );
    grant select, update on letters to plumbline_engine`)
})
afterEach(async () => {
  for (const letGo of hung.splice(0)) letGo()
  for (const close of closing.splice(0).reverse()) await close()
  await one.administrator.query('truncate letters')
})
afterAll(() => one.close())

const CLAIM = `
  with due as materialized (
    select l.id from unnest($1::text[], $2::int[]) as lane (box, room) cross join lateral (
      select id from letters where box = lane.box and due_at <= clock_now()
       order by due_at limit lane.room for update skip locked) l
  )
  update letters l set due_at = clock_now() + $4::int * interval '1 millisecond', claim_id = $3::uuid
    from due where l.id = due.id
  returning l.id, l.box, l.organization_id as "organizationId", l.failures, l.claim_id as "claimId"`

const FINISH = `
  update letters l
     set claim_id = null, due_at = clock_now() + r.wait_ms * interval '1 millisecond',
         failures = l.failures + (r.wait_ms is not null)::int, done_by = case when r.wait_ms is null then r.worker end
    from unnest($1::int[], $2::uuid[], $3::text[], $4::float8[]) as r (id, claim_id, worker, wait_ms)
   where l.id = r.id and l.claim_id = r.claim_id`

const RECOVER = `
  update letters set due_at = clock_now() where claim_id is not null and left(claim_id::text, 8) <> all($1::text[])`

const SWEEP = `
  select box as partition, organization_id as "organizationId",
         (extract(epoch from min(due_at) - clock_now()) * 1000)::float8 as "dueInMs"
    from letters where due_at is not null group by box, organization_id`

/** As a process of its own: its own pools, its own connection to live by. */
async function startProcess(
  by: string,
  work: Work,
  changed: (queue: Queue<Letter>) => Partial<Queue<Letter>> = () => ({}),
) {
  const database = connect(one.database.url)
  const pool = database.engine
  const { log } = one.service
  const connection = new WorkerConnection(database.listener, log)
  const resultsBuffer = new ResultsBuffer<Result>({
    name: 'letters',
    log,
    write: async (results) => {
      await pool.query(FINISH, [
        results.map(({ letter }) => letter.id),
        results.map(({ letter }) => letter.claimId),
        results.map((result) => result.by),
        results.map(({ waitMs }) => waitMs),
      ])
    },
    refused: () => {},
  })
  const queue: Queue<Letter> = {
    name: 'letters',
    channel: 'letters',
    capacity: { slots: 10, organizationShare: 0.2, firstAttemptShare: 0, claimAtMost: 10 },
    startWithinMs: LEASE_MS,
    partitionOf: ({ box }) => box,
    organizationOf: ({ organizationId }) => organizationId,
    claim: async ({ partitions, rooms, claimId }): Promise<Taken<Letter>> => {
      const { rows } = await pool.query(CLAIM, [partitions, rooms, claimId, LEASE_MS])
      return { now: 0, items: rows }
    },
    recover: (living) => pool.query(RECOVER, [living]),
    sweep: async () => ({ waiting: (await pool.query(SWEEP)).rows, alone: false }),
    run: async (letter): Promise<Ran> => {
      const waitMs = await work(letter)
      const written = resultsBuffer.add({ letter, by, waitMs })
      return { ended: waitMs === null ? 'succeeded' : 'failed', durationMs: 1, dueInMs: waitMs, written }
    },
  }
  const worker = new Worker({ ...queue, ...changed(queue) }, { pool, log, connection, resultsBuffer })
  await connection.begin()
  closing.push(async () => {
    worker.cease()
    await worker.quiet()
    await resultsBuffer.drain()
    await connection.end()
    await database.close()
  })
  return { worker, connection }
}

/** So many letters in a box, due now. */
const put = (box: string, count = 1, organizationId = box) =>
  one.administrator.query(
    `insert into letters (box, organization_id, due_at)
     select $1, $3, clock_now() from generate_series(1, $2::int)`,
    [box, count, organizationId],
  )

const doneBy = async (): Promise<(string | null)[]> =>
  (await one.administrator.query('select done_by from letters order by id')).rows.map((row) => row.done_by)

const allDone = () => until(async () => (await doneBy()).every((by) => by !== null))

/** Work that hangs until it is let go. */
function hanging() {
  const { promise, resolve } = Promise.withResolvers<null>()
  const letGo = () => resolve(null)
  hung.push(letGo)
  let begun = 0
  const work: Work = () => {
    begun += 1
    return promise
  }
  return { work, letGo, begun: () => begun }
}

test('two processes at work on one table work everything once', async () => {
  const worked: number[] = []
  const work: Work = ({ id }) => {
    worked.push(id)
    return null
  }
  for (let box = 0; box < 20; box += 1) await put(`box ${box}`, 20)
  const processes = [await startProcess('a', work), await startProcess('b', work)]
  await Promise.all(processes.map(({ worker }) => worker.begin()))
  await allDone()
  expect(worked).toHaveLength(400)
  expect(new Set(worked).size).toBe(400)
})

test('an organization with much to do does not hold up another', async () => {
  const order: string[] = []
  for (let box = 0; box < 10; box += 1) await put(`busy ${box}`, 20, 'busy')
  await put('modest', 5)
  const { worker } = await startProcess('a', ({ organizationId }) => {
    order.push(organizationId)
    return null
  })
  await worker.begin()
  await allDone()
  expect(order.slice(0, 10).filter((organizationId) => organizationId === 'modest')).toHaveLength(5)
})

test('whoever lost its lease changes nothing any more', async () => {
  await put('box')
  const slow = hanging()
  const a = await startProcess('a', slow.work)
  await a.worker.begin()
  await until(() => slow.begun() === 1)
  const b = await startProcess('b', () => null)
  await b.worker.begin()
  await b.worker.sweep()
  expect(await doneBy()).toEqual([null])
  await one.moveClock(LEASE_MS)
  a.worker.cease()
  await b.worker.sweep()
  await allDone()
  slow.letGo()
  await a.worker.quiet()
  await closing.pop()!()
  await closing.pop()!()
  expect(await doneBy()).toEqual(['b'])
})

test('what failed is tried again when it is due, and not before', async () => {
  await put('box')
  const failures: number[] = []
  const { worker } = await startProcess('a', (letter) => {
    failures.push(letter.failures)
    return letter.failures < 2 ? 30_000 * 2 ** letter.failures : null
  })
  await worker.begin()
  const failed = (times: number) =>
    until(async () => {
      const { rows } = await one.administrator.query('select failures from letters where claim_id is null')
      return rows[0]?.failures === times
    })
  await failed(1)
  await worker.sweep()
  await worker.quiet()
  expect(failures).toEqual([0])
  await one.moveClock(30_000)
  await worker.sweep()
  await failed(2)
  await one.moveClock(30_000)
  await worker.sweep()
  await worker.quiet()
  expect(failures).toEqual([0, 1])
  await one.moveClock(30_000)
  await worker.sweep()
  await allDone()
  expect(failures).toEqual([0, 1, 2])
})

test('a process that only writes wakes one that works', async () => {
  const blind = () => ({ sweep: async () => ({ waiting: [], alone: false }) })
  const a = await startProcess('a', () => null, blind)
  const b = await startProcess('b', () => null)
  await a.worker.begin()
  await put('box')
  b.worker.wake(['box'])
  await allDone()
  expect(await doneBy()).toEqual(['a'])
})

test('what a process held that is gone is worked at once, before its lease ends', async () => {
  await put('box', 3)
  const slow = hanging()
  const a = await startProcess('a', slow.work)
  await a.worker.begin()
  await until(() => slow.begun() === 3)
  // As its end by SIGKILL looks to the database.
  a.worker.cease()
  await a.connection.end()
  const b = await startProcess('b', () => null)
  await b.worker.begin()
  await allDone()
  slow.letGo()
  await a.worker.quiet()
  expect(await doneBy()).toEqual(['b', 'b', 'b'])
})

test('a fault of our own is waited out, and what was claimed with it is let go', async () => {
  await put('box')
  const [claimed, released]: string[][] = [[], []]
  const { worker } = await startProcess(
    'a',
    () => null,
    (queue) => ({
      claim: async (wanted) => {
        const taken = await queue.claim(wanted)
        claimed!.push(wanted.claimId)
        if (claimed!.length > 1) return taken
        throw Object.assign(new Error('terminating connection'), { code: '57P01' })
      },
      release: async (claimId) => {
        released!.push(claimId)
        await one.administrator.query(
          'update letters set claim_id = null, due_at = clock_now() where claim_id = $1',
          [claimId],
        )
      },
    }),
  )
  await worker.begin()
  await until(() => claimed!.length === 1)
  await worker.sweep()
  await allDone()
  expect(new Set(released)).toEqual(new Set([claimed![0]]))
})

test('a claim that comes to stand after its sender was lost is let go as well', async () => {
  await put('box')
  let claims = 0
  let releases = 0
  const { worker } = await startProcess(
    'a',
    () => null,
    (queue) => ({
      claim: async (wanted) => {
        claims += 1
        if (claims > 1) return queue.claim(wanted)
        await one.administrator.query(
          `update letters set claim_id = $1, due_at = clock_now() + interval '1 hour'`,
          [wanted.claimId],
        )
        throw Object.assign(new Error('terminating connection'), { code: '57P01' })
      },
      release: async (claimId) => {
        releases += 1
        // The first finds nothing yet.
        if (releases > 1)
          await one.administrator.query(
            'update letters set claim_id = null, due_at = clock_now() where claim_id = $1',
            [claimId],
          )
      },
    }),
  )
  await worker.begin()
  await until(() => claims > 0)
  await until(() => releases > 0)
  await until(async () => (await doneBy()).includes('a'), 'what was let go late', 20_000)
})

test('what is worked alone leaves the others nine tenths of the time', async () => {
  const { log } = one.service
  let [now, times] = [1_000_000, 0]
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const queue: Queue<string> = {
    name: 'letters that hang',
    capacity: { slots: 10, organizationShare: 1, firstAttemptShare: 0, claimAtMost: 10 },
    startWithinMs: 500,
    partitionOf: (letter) => letter,
    organizationOf: () => 'acme',
    claim: async () => ({ now: 0, items: [] }),
    claimAlone: async () => ({ now: 0, items: ['a letter'] }),
    sweep: async () => ({ waiting: [], alone: true }),
    run: async () => {
      times += 1
      now += 10_000
      return { ended: 'timed_out', durationMs: 10_000, dueInMs: null }
    },
  }
  const loop = new ClaimLoop(queue, { log }, randomUUID, () => {})
  const timesAfter = async (milliseconds: number) => {
    now += milliseconds
    await loop.runAlone()
    return times
  }
  try {
    loop.begin()
    expect([await timesAfter(0), await timesAfter(89_999), await timesAfter(1)]).toEqual([1, 1, 2])
  } finally {
    loop.cease()
    clock.mockRestore()
  }
})
