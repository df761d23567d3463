import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { THRESHOLDS } from './deadline-thresholds.ts'

/**
 * Moves the deadlines of an organization to the zone that it has from now on: those of days begin and end otherwise, and
 * instants are so many days of another zone ahead. What was told of a date is not told again, though it may come anew.
 * Whoever is writing a deadline by the zone of before is waited for, and so it is called before that is changed.
 */
export function movingDeadlines(tx: Transaction, zone: string): () => void {
  tx.write(hold(tx.organizationId))
  return () => tx.write(move(tx.organizationId, zone))
}

const hold = statement('select hold_deadlines($1)')

const move = statement(`
  update deadlines d
     set ends_at = case when d.day is null then d.ends_at else deadline_moment(d.day, null, -1, $2) end,
         due_at = (select min(deadline_moment(d.day, d.ends_at, n, $2)) from unnest(t.thresholds) n
                    where (n < 0 and t.lapses) or n < coalesce((
                      select min(m.threshold) from due_moments m
                       where m.organization_id = d.organization_id and m.record_id = d.record_id and m.deadline = d.name
                         and m.date = coalesce(d.day::text,
                               to_char(d.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), 1000)),
         failures = 0
    from ${THRESHOLDS}
   where d.organization_id = $1 and t.kind = d.kind and t.name = d.name`)
