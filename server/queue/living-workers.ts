import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { statement } from '../database/connect.ts'

/*
 * Who claimed what: each process that works has a number, and its claims begin with it. That it lives is shown by an
 * advisory lock under that number, which ends with its connection (worker-connection.ts). So whoever comes tells claims
 * that are worked from those that were left behind, and need not wait for their leases to end.
 */

/** The class of the locks; the same in every version that may run beside this one. */
const WORKER_LOCK = 0x706c_7773

/** A process without a lock of its own: what it leaves behind shows when the lease ends. */
export const NO_WORKER = 0

/** A claim's first eight hexadecimal digits are its worker's number. */
const prefixOf = (worker: number): string => (worker >>> 0).toString(16).padStart(8, '0')

export const newClaimId = (worker: number): string => prefixOf(worker) + randomUUID().slice(8)

export const newWorker = (): number => Number.parseInt(randomUUID().slice(0, 7), 16) + 1

const takeLock = statement(`select pg_advisory_lock_shared(${WORKER_LOCK}, $1)`)

/** Shows that a worker lives, for as long as the connection does. */
export async function showLife(on: pg.Client, worker: number): Promise<void> {
  await on.query(takeLock(worker))
}

/** The numbers of the workers that live, as a query. */
export const LIVING_WORKERS = `
  select objid::bigint as worker from pg_locks
   where locktype = 'advisory' and classid = ${WORKER_LOCK}::oid and objsubid = 2
     and database = (select oid from pg_database where datname = current_database())`

const findLiving = statement(LIVING_WORKERS)

/** The numbers of the workers that live, in every process. */
export async function livingWorkers(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query(findLiving())
  return rows.map((row) => row.worker as number)
}

/** What claims begin with that are not to be taken from whoever made them. */
export async function livingPrefixes(pool: pg.Pool): Promise<string[]> {
  return [NO_WORKER, ...(await livingWorkers(pool))].map(prefixOf)
}
