import type { Caller } from '../caller/caller.ts'
import { type Query, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { AUDIT_COLUMNS, type AuditEvent, columnsOfEntries, entry, insertOfEntries } from './audit.ts'
import { bodyOf, ENDPOINTS_AT_MOST, type Signal, subscribed } from './write.ts'

/**
 * The one write of what happened (write.ts), for many records at once: their rows, audit entries, signals and
 * deliveries in one statement, whatever their number.
 *
 * Its deliveries go into the queue. What is sent as it is written needs room for each of them, which many have not.
 */
export type JournalledWrites = (rows: string, caller: Caller, events: readonly JournalledEvent[]) => Query

export interface JournalledEvent {
  readonly event: AuditEvent
  /** Of all of them of one type, or of none. */
  readonly signal: Signal | null
}

/**
 * Prepares a write of many rows with their journal.
 * @param write one INSERT, UPDATE or DELETE of the rows that `$1` holds, as JSON
 * @param alongside what else is written of the rows that it returns, each `name as (…)` over `written`
 * @returns from the rows, their events and signals to the statement; its rows name the endpoints it made deliveries for
 */
export function journalledMany(write: string, alongside: readonly string[] = []): JournalledWrites {
  const writes = [`written as (${write})`, ...alongside].join(', ')
  const silent = statement(`with ${writes} ${insertOfEntries(1)}`)
  const audible = statement(`
    with ${writes}, entry as (${insertOfEntries(1)}), ${fanOut(1 + AUDIT_COLUMNS.length)}`)
  return (rows, caller, events) => {
    const entries = columnsOfEntries(events.map(({ event }) => entry(caller, event)))
    const [first] = events
    if (!first?.signal) return silent(rows, ...entries)
    const { organizationId } = caller
    const ids = newIds('sig', events.length)
    const bodies = events.map(({ event, signal }, index) =>
      bodyOf(organizationId, ids[index]!, event, signal!),
    )
    const { subject, time } = first.event
    return audible(
      rows,
      ...entries,
      ...[organizationId, first.signal.type, time, subject.type],
      ...[ids, events.map(({ event }) => event.subject.id), bodies],
      newIds('dlv', events.length * ENDPOINTS_AT_MOST),
    )
  }
}

/** New ids, ascending: what was made in one moment stands in the order in which it was given. */
export const newIds = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, () => newId(prefix)).sort()

/** The signals and their deliveries; parameters follow after `count`, as they are given above. */
function fanOut(count: number): string {
  const [organization, type, time, subjectType, ids, subjectIds, bodies, deliveryIds] = Array.from(
    { length: 8 },
    (_, index) => `$${count + index + 1}`,
  )
  const at = `${time}::timestamptz`
  return `
    signal as (
      insert into signals (organization_id, id, type, time, subject_type, subject_id, body, created_at)
      select ${organization}, id, ${type}, ${at}, ${subjectType}, subject_id, body, ${at}
        from unnest(${ids}::text[], ${subjectIds}::text[], ${bodies}::text[]) as signals (id, subject_id, body)
    ),
    made as materialized (
      select (${deliveryIds}::text[])[row_number() over (order by place)] as id, signal_id, endpoint_id, epoch
        from unnest(${ids}::text[]) with ordinality as signals (signal_id, place)
       cross join (select e.id as endpoint_id, e.epoch from ${subscribed(organization!, type!)}) endpoints
    ),
    logged as (
      insert into deliveries (organization_id, id, endpoint_id, signal_id, type, purpose, epoch, created_at, due_at,
        claim_count, attempt_number)
      select ${organization}, id, endpoint_id, signal_id, ${type}, 'signal', epoch, ${at}, ${at}, 0, 0 from made
    ),
    queued as (
      insert into delivery_queue (organization_id, endpoint_id, epoch, due_at, delivery_id, created_at)
      select ${organization}, endpoint_id, epoch, ${at}, id, ${at} from made
    )
    select distinct endpoint_id as "endpointId" from made`
}
