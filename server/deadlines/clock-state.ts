import type pg from 'pg'
import { statement } from '../database/connect.ts'

/** How the clock keeps up with the deadlines of all organizations. */
export interface ClockState {
  /** How long what has waited longest has been due, in seconds; what rests after a failure does not count. */
  readonly lateSeconds: number
  /** Deadlines that are due and not done yet. */
  readonly waiting: number
  /** Deadlines that could not be done, and are tried again later. */
  readonly failed: number
}

/** Counts go up to here. */
export const CLOCK_COUNTED_AT_MOST = 100_000

export async function readClockState(engine: pg.Pool): Promise<ClockState> {
  const { rows } = await engine.query<ClockState>(read(CLOCK_COUNTED_AT_MOST))
  return rows[0]!
}

const read = statement(`
  with now as materialized (select clock_now() as at)
  select coalesce(extract(epoch from (select at from now) - (
           select due_at from deadlines where due_at <= (select at from now) and failures = 0
            order by due_at limit 1)), 0)::float as "lateSeconds",
         (select count(*)::int from (
           select from deadlines where due_at <= (select at from now) limit $1::int) due) as waiting,
         (select count(*)::int from (select from deadlines where failures > 0 limit $1::int) rest) as failed`)
