import { statement } from '../database/connect.ts'
import { isAway } from '../database/errors.ts'
import type { Parts } from '../operation.ts'
import { LIVING_WORKERS, NO_WORKER } from '../queue/living-workers.ts'
import { inUnit } from '../unit-of-work.ts'

/**
 * Sets work aside that ends its process again and again.
 *
 * A process can end in ways that no handler sees: it runs out of memory, or its supervisor kills it because it
 * hangs. What it worked on is still due, so the next process takes it, and ends too. Work of a queue counts its losses in
 * its own row. Work of the clock has no such row, so it is marked while it runs: a mark whose process is gone is a loss.
 */
export interface Begun {
  /** How often in a row it was lost with its process. */
  readonly losses: number
  /** It was lost so often that it rests now, and is not to be begun. */
  readonly rests: boolean
}

/** Lost so often in a row, it rests: for an hour, and twice as long after each further loss, up to a day. */
const RESTS_AFTER = 3

/**
 * Does one part of a task, such as the mail to one person, so that its fault keeps no other part. A part that fails, or
 * ends its process, three times in a row is left out while it rests.
 * @returns null where it failed or rests
 * @throws what the database is away with
 */
export async function tryPart<T>(
  parts: Parts,
  task: string,
  unit: string,
  work: () => Promise<T>,
): Promise<T | null> {
  if ((await beginWork(parts, task, unit)).rests) return null
  try {
    const done = await inUnit('task', `${task} ${unit}`, work)
    await endWork(parts, task, unit)
    return done
  } catch (err) {
    if (isAway(err)) throw err
    parts.log.error({ err, task, unit }, 'a part of a task of the clock failed; it is tried again later')
    await parts.database.gate.query(lose(task, unit, parts.worker()))
    return null
  }
}

/** Marks the work, unless it rests. */
export async function beginWork(parts: Parts, task: string, unit: string): Promise<Begun> {
  const { rows } = await parts.database.gate.query<Begun & { isNew: boolean }>(
    mark(task, unit, parts.worker()),
  )
  const { losses, rests, isNew } = rows[0]!
  if (isNew)
    parts.log.error(
      { task, unit, losses, rests },
      rests
        ? 'work of the clock ended its process again and again: it is set aside, and tried again later'
        : 'work of the clock was lost with its process: it may be the cause',
    )
  return { losses, rests }
}

/** It is over, and its process lives. */
export async function endWork({ database, worker }: Parts, task: string, unit: string): Promise<void> {
  await database.gate.query(unmark(task, unit, worker()))
}

/** How many units of work rest now. */
export async function countSetAside({ database }: Parts): Promise<number> {
  const { rows } = await database.gate.query<{ count: number }>(countResting())
  return rows[0]!.count
}

const countResting = statement(
  'select count(*)::int as count from work_losses where rests_until > clock_now()',
)

/** Adds to the losses of a unit. Parameters 1 and 2: task, unit. */
const lost = (count: string, when: string) => `
    insert into work_losses as l (task, unit, losses) select $1, $2, ${count} ${when}
    on conflict (task, unit) do update
       set losses = l.losses + excluded.losses,
           rests_until = case when l.losses + excluded.losses >= ${RESTS_AFTER} then clock_now()
             + least(interval '1 day', interval '1 hour' * power(2, least(5, l.losses + excluded.losses - ${RESTS_AFTER}))) end
    returning losses, rests_until`

const mark = statement(`
  with gone as (
    delete from work_under_way
     where task = $1 and unit = $2 and worker <> $3 and worker not in (${LIVING_WORKERS}) returning 1),
  lost as (${lost('count(*)', 'from gone having count(*) > 0')}),
  standing as (
    select losses, rests_until, true as is_new from lost
    union all
    select losses, rests_until, false from work_losses
     where task = $1 and unit = $2 and not exists (select from lost)),
  begun as (
    insert into work_under_way (task, unit, worker) select $1, $2, $3
     where $3 <> ${NO_WORKER} and not exists (select from standing where rests_until > clock_now())
    on conflict do nothing)
  select coalesce(max(losses), 0)::int as losses, coalesce(bool_or(rests_until > clock_now()), false) as rests,
         coalesce(bool_or(is_new), false) as "isNew"
    from standing`)

const unmark = statement(`
  with gone as (delete from work_under_way where task = $1 and unit = $2 and worker = $3)
  delete from work_losses where task = $1 and unit = $2`)

const lose = statement(`
  with gone as (delete from work_under_way where task = $1 and unit = $2 and worker = $3)
  ${lost('1', '')}`)

declare module '../operation.ts' {
  interface Parts {
    /** The number under which this process shows that it lives; 0 where it does not. */
    readonly worker: () => number
  }
}
