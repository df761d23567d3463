import { progressOf } from '../../model/kinds/framework.ts'
import { statement } from '../database/connect.ts'
import { isAway } from '../database/errors.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'

/*
 * How far frameworks are, day by day: the figures of their progress as each day begins in the organization's zone, and as
 * they are activated. They are counted from the results that are kept, so a day costs one statement for an organization.
 */

/** Kept for so many years. */
export const KEPT_YEARS = 3

/** Writes the day that has begun of every organization that has none of it yet. */
export async function writeCoverageDays(parts: Parts): Promise<void> {
  const { rows } = await parts.database.engine.query(findDue())
  for (const { organizationId } of rows as { organizationId: string }[])
    await transaction(parts.database.tenant, organizationId, async (tx) => {
      tx.write(removeOld(organizationId))
      writeToday(tx, null)
    }).catch((err) => {
      if (isAway(err)) throw err
      parts.log.warn({ err, organizationId }, 'the coverage of a day could not be written')
    })
}

/** Writes today where there is none of it: of one framework, or of all that are followed. */
export function writeToday(tx: Transaction, frameworkId: string | null): void {
  tx.write(write(tx.organizationId, frameworkId))
  tx.write(noteWritten(tx.organizationId, frameworkId))
}

const TODAY = `(select (clock_now() at time zone o.timezone)::date from organizations o where o.id = $1)`

const findDue = statement(`
  select w.organization_id as "organizationId"
    from coverage_days_written w
    join organizations o on o.id = w.organization_id
   where w.day < (clock_now() at time zone o.timezone)::date
   limit 1000`)

const removeOld = statement(`
  delete from coverage_days where organization_id = $1 and day < ${TODAY} - interval '${KEPT_YEARS} years'`)

const write = statement(`
  insert into coverage_days (organization_id, framework_id, day, in_scope, met, partially_met, not_met, not_assessed)
  select f.organization_id, f.id, ${TODAY}, (p.progress ->> 'requirementsInScope')::int, (p.progress ->> 'met')::int,
         (p.progress ->> 'partiallyMet')::int, (p.progress ->> 'notMet')::int, (p.progress ->> 'notAssessed')::int
    from frameworks f
    cross join lateral (${progressOf('f.organization_id', 'f.id', 'f.implementation_group')}) p
   where f.organization_id = $1 and f.archived_at is null
     and (f.id = $2::text or ($2::text is null and f.status in ('active', 'retiring')))
  on conflict do nothing`)

/** Of all of them: one that is activated has its day, and the others have theirs when the clock comes. */
const noteWritten = statement(`
  insert into coverage_days_written (organization_id, day)
  values ($1, case when $2::text is null then ${TODAY} else date '2000-01-01' end)
  on conflict (organization_id) do update set day = greatest(coverage_days_written.day, excluded.day)`)
