import { z } from 'zod'
import { statement } from '../database/connect.ts'

/*
 * How many rows of a change of many records come to what. Where no job is at it they stay as they are, and are kept
 * with it (`counted`): a list of changes counts no rows, of which each may have many thousands.
 */

export const PLANNED = ['create', 'change', 'delete', 'leave', 'error'] as const
export const DONE = ['created', 'changed', 'deleted', 'unchanged', 'refused'] as const

/** Those that write something, in SQL as well. */
const WRITING: ReadonlySet<string> = new Set(['create', 'change', 'delete'])
export const WRITES = `planned in (${[...WRITING].map((name) => `'${name}'`).join(', ')})`

/** Rows that come to the same. */
export interface CountedRows {
  readonly planned: string | null
  readonly done: string | null
  readonly count: number
}

const counts = (names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])))

export const ROW_COUNTS = {
  planned: counts(PLANNED).nullable().describe('Rows, by what they would come to'),
  done: counts(DONE).nullable().describe('Rows, by what became of them'),
  doneBefore: counts(DONE)
    .nullable()
    .describe(
      'Of these, the rows that were written before it was planned again for the others; null where it was not',
    ),
  left: z.int().describe('Rows that are planned to be written and are not, as where a job was cancelled'),
}

/** As they are answered. */
export function shownCounts(rows: readonly CountedRows[]) {
  const of = (what: 'planned' | 'done', names: readonly string[], among = rows) => {
    const counted = among.filter((row) => row[what] !== null)
    if (counted.length === 0) return null
    const count = (name: string) =>
      counted.reduce((sum, row) => sum + (row[what] === name ? row.count : 0), 0)
    return Object.fromEntries(names.map((name) => [name, count(name)]))
  }
  return {
    planned: of('planned', PLANNED),
    done: of('done', DONE),
    // A plan leaves those that were written before without one.
    doneBefore: of(
      'done',
      DONE,
      rows.filter(({ planned }) => planned === null),
    ),
    left: rows.reduce((sum, { planned, done, count }) => sum + (isLeft(planned, done) ? count : 0), 0),
  }
}

const isLeft = (planned: string | null, done: string | null): boolean =>
  done === null && WRITING.has(planned ?? '')

/** Of the row `r` of `bulk_change_rows`, that no change has taken it back. */
export const STAYS = `not exists (
  select from bulk_changes u join bulk_change_rows t on t.organization_id = u.organization_id and t.bulk_change_id = u.id
   where u.organization_id = r.organization_id and u.undoes = r.bulk_change_id
     and t.number = r.number and t.done in ('changed', 'deleted'))`
/** That it was written, and can be taken back. */
export const STANDS = `(done = 'changed' and back is not null or done = 'created' and written_version is not null)
  and ${STAYS}`

export const countStanding = statement(`
  select count(*)::int as count from bulk_change_rows r
   where organization_id = $1 and bulk_change_id = $2 and ${STANDS}`)

/** Of the row `b` of `bulk_changes`, counted anew. */
const COUNTING = `coalesce((
  select jsonb_agg(to_jsonb(c)) from (
    select planned, done, count(*)::int as count from bulk_change_rows r
     where r.organization_id = b.organization_id and r.bulk_change_id = b.id group by planned, done) c), '[]')`

/** The same, as it is kept where nothing is at its rows. */
export const COUNTED = `coalesce(b.counted, ${COUNTING})`

/**
 * Of the row `b` of `bulk_changes` how many rows still stand once the last change that took it back is done, by what is
 * kept of that one; null before, and where none did.
 */
export const LEFT_BY_UNDOING = `(
  select coalesce((select sum(c.count) from jsonb_to_recordset(u.counted) as c (done text, count int)
                    where c.done is null or c.done not in ('changed', 'deleted')), 0)::int
    from bulk_changes u
   where u.organization_id = b.organization_id and u.undoes = b.id and u.stage = 'applied' and u.counted is not null
     and not exists (select from bulk_changes n where n.organization_id = u.organization_id and n.undoes = u.undoes
                        and n.stage in ('applying', 'applied') and n.id > u.id))`

export const readCounts = statement(`
  select ${COUNTED} as counted from bulk_changes b where organization_id = $1 and id = $2`)

/** After its rows have changed while nothing was at them. */
export const recount = statement(`
  update bulk_changes b set counted = ${COUNTING} where organization_id = $1 and id = $2`)

/** What it has come to, with the job that is at it from here on. */
export const underWay = statement(`
  update bulk_changes b
     set stage = $3, job_id = $4, counted = case when $3 in ('planned', 'applied') then ${COUNTING} end
   where organization_id = $1 and id = $2`)

/** What a job has led to, unless another has taken its place meanwhile. */
export const stageOf = statement(`
  update bulk_changes b
     set stage = $3, counted = case when $3 in ('planned', 'applied') then ${COUNTING} end
   where organization_id = $1 and id = $2 and job_id = $4`)
