import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { newClaimId } from '../queue/living-workers.ts'
import { Worker } from '../queue/worker.ts'
import type { WorkerConnection } from '../queue/worker-connection.ts'
import type { AnyJobKind, ClaimedJob } from './job-kind.ts'
import { type Ending, JobQueue } from './job-queue.ts'
import { countJobs } from './statements.ts'

/**
 * What takes longer than a call: the part of the service that works jobs, and that others start them by
 * (start-job.ts). A job is a row (0044-jobs.sql), written with the change that asks for it; any process that is no
 * mere `ROLE=api` works it.
 */
export interface Jobs {
  readonly kinds: ReadonlyMap<string, AnyJobKind>
  /** Something of a lane may be due. A hint: what it misses, the sweep finds. */
  wake(lane: string): void
  /** A claim of this process, for a job that is worked as soon as it is made. */
  newClaim(): string
  /**
   * Works such a job, while somebody waits for what comes of it.
   * @returns why it failed, or null
   */
  runNow(job: ClaimedJob): Promise<string | null>
  /** Does something behind an answer; what fails there is logged. */
  behind(work: Promise<unknown>): void
  /** Begins to work, unless this process only serves calls. */
  start(): Promise<void>
  /** Ends after the piece that is under way, within 12 seconds; what is not over is handed back. */
  stop(): Promise<void>
  /** What this process ended since its start. */
  endings(): readonly Ending[]
  /** What is there to do, by kind, whoever does it; of kinds with nothing to do there is none. */
  now(): Promise<ReadonlyMap<string, JobCounts>>
  /** Looks at once for everything that is due, as it does each second. */
  sweep(): Promise<void>
}

export interface JobCounts {
  /** Not worked at the moment, and not over. */
  readonly waiting: number
  readonly running: number
  /** Since when the oldest of those is there that have not had their first turn. */
  readonly oldestSeconds: number
}

declare module '../operation.ts' {
  interface Parts {
    readonly jobs: Jobs
  }
}

export interface JobsParts {
  readonly config: Pick<Config, 'role'>
  readonly log: Logger
  readonly database: Database
  readonly connection: WorkerConnection
  readonly kinds: readonly AnyJobKind[]
  /** What kinds are given; asked for when the first job is worked. */
  readonly parts: () => Parts
}

const FINISH_WITHIN_MS = 12_000

export function openJobs({ config, log, database, connection, kinds: list, parts }: JobsParts): Jobs {
  const kinds = new Map(list.map((kind) => [kind.name, kind]))
  const pool = database.engine
  let stopped: Promise<void> | null = null
  const jobQueue = new JobQueue({ pool, log, kinds, parts, isStopping: () => stopped !== null })
  const worker = new Worker(jobQueue.queue(), { pool, log, connection })
  const underWay = new Set<Promise<unknown>>()

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    const ended = () => void underWay.delete(work)
    work.then(ended, ended)
    return work
  }

  async function finish(): Promise<void> {
    worker.cease()
    const late = new AbortController()
    const done = (async () => {
      // What is under way may ask for more.
      while (underWay.size > 0) await Promise.allSettled(underWay)
      await worker.quiet()
    })().catch(() => {})
    await Promise.race([done, sleep(FINISH_WITHIN_MS, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
    await worker.tellHints()
  }

  return {
    kinds,
    wake: (lane) => worker.wake([lane]),
    newClaim: () => newClaimId(connection.worker),
    runNow: async (job) => (await track(jobQueue.run(job))).failure,
    behind: (work) =>
      void track(work).catch((err) => log.warn({ err }, 'what was to be done behind an answer failed')),
    start: async () => {
      await connection.begin()
      if (config.role !== 'api' && !stopped) await worker.begin()
    },
    stop: () => (stopped ??= finish()),
    endings: () => [...jobQueue.endings.values()],
    now: async () => {
      const { rows } = await pool.query<JobCounts & { kind: string }>(countJobs())
      return new Map(rows.map(({ kind, ...counts }) => [kind, counts]))
    },
    sweep: () => worker.sweep(),
  }
}
