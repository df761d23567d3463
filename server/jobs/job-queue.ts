import type pg from 'pg'
import type { Logger } from 'pino'
import type { Query } from '../database/connect.ts'
import { tryingOn } from '../database/errors.ts'
import { transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import type { Capacity } from '../queue/allotment.ts'
import type { Queue, Ran, Taken } from '../queue/queue.ts'
import type { AnyJobKind, ClaimedJob } from './job-kind.ts'
import { runTurn } from './run-job.ts'
import {
  claimJobs,
  claimSuspectJob,
  findWaiting,
  finishJob,
  handBackJobs,
  LEASE_MS,
  lockLanes,
  releaseClaim,
  retryJob,
  takeBackLost,
  takeBackOfGone,
} from './statements.ts'
import { isToldOf, tellStarter } from './tell-starter.ts'

/** Of one process. Jobs share the connections of the calls, which go first. */
const CAPACITY: Capacity = { slots: 8, organizationShare: 0.25, firstAttemptShare: 0, claimAtMost: 8 }

/** A fault of ours is tried again, later each time, and then ends the job. */
const RETRY_MS = [10_000, 60_000, 300_000, 900_000]

export interface JobQueueParts {
  readonly pool: pg.Pool
  readonly log: Logger
  readonly kinds: ReadonlyMap<string, AnyJobKind>
  readonly parts: () => Parts
  readonly isStopping: () => boolean
}

/** What became of a job's turn, beside what the queue is told. */
export interface JobRan {
  readonly ran: Ran
  /** Why it failed; null where it did not. */
  readonly failure: string | null
}

/** Of the jobs of a kind, how many came to this end. */
export interface Ending {
  readonly kind: string
  readonly state: 'succeeded' | 'failed' | 'cancelled'
  readonly count: number
}

/** Jobs, as the queue that they are: a lane for each kind and organization. */
export class JobQueue {
  readonly #parts: JobQueueParts
  /** How many this process ended, by kind and how. */
  readonly endings = new Map<string, Ending>()
  /** Claims of ours that could not be handed back while the database was away. */
  #unreturned: ClaimedJob[] = []

  constructor(parts: JobQueueParts) {
    this.#parts = parts
  }

  readonly queue = (): Queue<ClaimedJob> => {
    const { pool } = this.#parts
    return {
      name: 'jobs',
      channel: 'plumbline_jobs',
      capacity: CAPACITY,
      startWithinMs: LEASE_MS / 2,
      partitionOf: ({ lane }) => lane,
      organizationOf: ({ organizationId, lane }) => organizationId ?? lane,
      claim: ({ partitions, rooms, claimId }) => this.#claim(partitions, rooms, claimId),
      claimAlone: async (claimId) => taken((await pool.query<Claim>(claimSuspectJob(claimId))).rows),
      release: (claimId) => pool.query(releaseClaim(claimId)),
      recover: (living) => this.#takeBack(takeBackOfGone(living)),
      sweep: () => this.#sweep(),
      run: async (job, startBy) => {
        if (performance.now() <= startBy) return (await this.run(job)).ran
        await this.#handBack(job)
        return { handedBack: 'now' }
      },
    }
  }

  /** One turn, and what came of it written where the claim still stands. */
  async run(job: ClaimedJob): Promise<JobRan> {
    const { kinds, parts, isStopping, log } = this.#parts
    const startedAt = performance.now()
    const kind = kinds.get(job.kind)
    // Of a newer version, and claimed as a suspect.
    if (!kind) return { ran: await this.#retry(job), failure: null }
    const turn = await runTurn(parts(), kind, job, isStopping)
    // The next of its lane may have waited for it.
    const ended = (how: 'succeeded' | 'neutral'): Ran => ({
      ended: how,
      durationMs: performance.now() - startedAt,
      dueInMs: 0,
    })
    try {
      switch (turn.end) {
        case 'over':
          this.#count(kind.name, 'succeeded')
          return { ran: ended('succeeded'), failure: null }
        case 'lost':
          return { ran: { handedBack: 'later' }, failure: null }
        case 'turn':
          await this.#handBack(job)
          return { ran: { handedBack: 'now' }, failure: null }
        case 'away':
          throw turn.error
        case 'fault':
          log.error({ err: turn.error, jobId: job.id, kind: job.kind }, 'a fault of ours broke a job off')
          if (job.faults < RETRY_MS.length) return { ran: await this.#retry(job), failure: null }
          await this.#fail(kind, job, FAULT)
          return { ran: ended('neutral'), failure: FAULT }
        case 'failed':
          await this.#fail(kind, job, turn.failure)
          return { ran: ended('neutral'), failure: turn.failure }
        case 'succeeded':
        case 'cancelled':
          await this.#finish(job, turn.end, null)
          return { ran: ended('succeeded'), failure: null }
      }
    } catch (detail) {
      this.#unreturned.push(job)
      const cure = tryingOn(detail)
      return { ran: { fault: 'the database is away', detail, cure }, failure: null }
    }
  }

  #count(kind: string, state: Ending['state']): void {
    const key = `${kind} ${state}`
    this.endings.set(key, { kind, state, count: (this.endings.get(key)?.count ?? 0) + 1 })
  }

  async #claim(
    lanes: readonly string[],
    rooms: readonly number[],
    claimId: string,
  ): Promise<Taken<ClaimedJob>> {
    const { pool, kinds } = this.#parts
    const caps = lanes.map((lane) => kinds.get(kindOf(lane))?.perOrganization ?? 0)
    // Together in one burst: the second sees what was claimed before the first had its locks.
    const client = await pool.connect()
    let isLost = true
    try {
      const sent = [
        client.query('begin'),
        client.query(lockLanes(lanes)),
        client.query<Claim>(claimJobs(lanes, rooms, caps, claimId)),
        client.query('commit'),
      ] as const
      const settled = await Promise.allSettled(sent)
      const failed = settled.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      isLost = false
      return taken((await sent[2]).rows)
    } finally {
      client.release(isLost)
    }
  }

  async #sweep() {
    const { pool, kinds } = this.#parts
    await this.#takeBack(takeBackLost())
    const unreturned = this.#unreturned.splice(0)
    if (unreturned.length > 0) await this.#handBack(...unreturned)
    const { rows } = await pool.query<{ lane: string; dueInMs: number; alone: boolean }>(findWaiting())
    return {
      waiting: rows
        .filter(({ lane }) => kinds.has(kindOf(lane)))
        .map(({ lane, dueInMs }) => ({ partition: lane, organizationId: organizationOf(lane), dueInMs })),
      alone: rows[0]?.alone ?? false,
    }
  }

  async #takeBack(query: Query): Promise<void> {
    const { pool, log } = this.#parts
    const { rows } = await pool.query<{ id: string; kind: string; losses: number }>(query)
    for (const { id, kind, losses } of rows)
      if (losses >= 3)
        log.error(
          { jobId: id, kind, losses },
          'a job was lost with its process again and again: it may be the cause',
        )
  }

  async #handBack(...jobs: ClaimedJob[]): Promise<void> {
    const ids = jobs.map(({ id }) => id)
    const claimIds = jobs.map(({ claimId }) => claimId)
    await this.#parts.pool.query(handBackJobs(ids, claimIds)).catch((err) => {
      this.#unreturned.push(...jobs)
      throw err
    })
  }

  async #retry({ id, claimId, faults }: ClaimedJob): Promise<Ran> {
    await this.#parts.pool.query(retryJob(id, claimId, RETRY_MS[faults] ?? RETRY_MS.at(-1)))
    return { handedBack: 'later' }
  }

  /** With the notice of it in one transaction, where somebody is told. */
  async #fail(kind: AnyJobKind, job: ClaimedJob, failure: string): Promise<void> {
    if (!isToldOf(kind, job)) return this.#finish(job, 'failed', failure)
    const { tenant } = this.#parts.parts().database
    await transaction(tenant, job.organizationId!, async (tx) => {
      const [ended] = await tx.read<{ isLong: boolean }>(finishJob(job.id, job.claimId, 'failed', failure))
      if (ended) this.#count(kind.name, 'failed')
      if (ended?.isLong) tellStarter(tx, kind, job, 'failed')
    })
  }

  async #finish(
    { id, kind, claimId }: ClaimedJob,
    state: Ending['state'],
    failure: string | null,
  ): Promise<void> {
    const { rowCount } = await this.#parts.pool.query(finishJob(id, claimId, state, failure))
    if (rowCount) this.#count(kind, state)
  }
}

const FAULT = 'Something went wrong on our side: the log of the service says what. Start it again.'

type Claim = ClaimedJob & { readonly now: number }

const taken = (rows: readonly Claim[]): Taken<ClaimedJob> => ({ now: rows[0]?.now ?? 0, items: rows })

/** A lane is named by the organization, where there is one, and the kind. */
const kindOf = (lane: string) => lane.slice(lane.indexOf(':') + 1)
const organizationOf = (lane: string) => lane.slice(0, lane.indexOf(':')) || null
export const laneOf = (organizationId: string | null, kind: string) => `${organizationId ?? ''}:${kind}`
