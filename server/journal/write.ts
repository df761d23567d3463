import type { SignalType } from '../../model/signal-types.ts'
import type { Caller } from '../caller/caller.ts'
import { type Query, type Row, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { AUDIT_COLUMNS, type AuditEvent, entry } from './audit.ts'

/**
 * The one write of what happened: the record, its audit entry, its signal and one delivery for each
 * endpoint that is on and subscribed, in one statement.
 *
 * One statement because each round trip costs more than the rows it carries; inside the transaction,
 * because that makes three promises true by construction: nothing is lost in a crash, nothing is sent for
 * a change that was rolled back, and nothing is kept for an endpoint that is off. As the statement is the
 * last before the commit, "on and subscribed" is as its snapshot sees it. It takes no lock on endpoints: a
 * lock made turning one off wait behind every writer, and the epoch written into each delivery already
 * keeps a delivery of before from leaving after.
 *
 * The deliveries' ids are drawn before, ten of them, since no more endpoints can exist.
 */
export type JournalledWrite = (
  values: unknown[],
  caller: Caller,
  event: AuditEvent,
  signal: Signal | null,
) => Query

export interface Signal {
  readonly type: SignalType
  /** What stands in the body's `data`. */
  readonly data: unknown
}

declare module '../operation.ts' {
  interface Parts {
    /** Told of the endpoints that new deliveries have just been committed for, so that they leave at once. */
    readonly wakeDispatcher: (endpointIds: readonly string[]) => void
  }
}

/** An organization has at most this many endpoints, so a signal as many deliveries. */
export const ENDPOINTS_AT_MOST = 10

/**
 * Prepares a write with its journal.
 * @param write one INSERT, UPDATE or DELETE with parameters $1…$count
 * @returns from the values of the write to the statement; its rows are the endpoints that got a delivery
 */
export function journalled(write: string, count: number): JournalledWrite {
  const silent = statement(`with written as (${write}) ${auditInsert(count)}`)
  const after = count + AUDIT_COLUMNS.length
  const audible = statement(`
    with written as (${write}), entry as (${auditInsert(count)}), ${fanOut(after)}`)
  return (values, caller, event, signal) => {
    const audit = entry(caller, event)
    return signal
      ? audible(...values, ...audit, ...signalRow(caller.organizationId, event, signal))
      : silent(...values, ...audit)
  }
}

/**
 * Prepares a write that raises no signal, with as many audit entries as it has subjects.
 * @param write one INSERT, UPDATE or DELETE with parameters $1…$count
 */
export function audited(write: string, count: number, subjects: number) {
  const both = statement(`with written as (${write}) ${auditInsert(count, subjects)}`)
  return (values: unknown[], caller: Caller, events: readonly AuditEvent[]): Query =>
    both(...values, ...events.flatMap((event) => entry(caller, event)))
}

/** The endpoints that got a delivery, of the rows of a journalled write. */
export const endpointsOf = (rows: Row[]): string[] => rows.flatMap((row) => (row.endpoint_id as string) ?? [])

function auditInsert(count: number, entries = 1): string {
  const rows = Array.from({ length: entries }, (_, row) => {
    const before = count + row * AUDIT_COLUMNS.length
    return `(${AUDIT_COLUMNS.map((_, index) => `$${before + index + 1}`).join(', ')})`
  })
  return `insert into audit_entries (${AUDIT_COLUMNS.join(', ')}) values ${rows.join(', ')}`
}

function signalRow(organizationId: string, event: AuditEvent, signal: Signal): unknown[] {
  const id = newId('sig')
  const { type, id: subjectId } = event.subject
  const body = {
    id,
    type: signal.type,
    time: event.time,
    organizationId,
    subject: { type, id: subjectId },
    data: signal.data,
  }
  const deliveryIds = Array.from({ length: ENDPOINTS_AT_MOST }, () => newId('dlv'))
  return [organizationId, id, signal.type, event.time, type, subjectId, JSON.stringify(body), deliveryIds]
}

/** The signal and its deliveries; parameters follow after `count`, as `signalRow` gives them. */
function fanOut(count: number): string {
  const [organization, id, type, time, subjectType, subjectId, body, deliveryIds] = Array.from(
    { length: 8 },
    (_, index) => `$${count + index + 1}`,
  )
  return `
    signal as (
      insert into signals (organization_id, id, type, time, subject_type, subject_id, body, created_at)
      values (${organization}, ${id}, ${type}, ${time}, ${subjectType}, ${subjectId}, ${body}, ${time})
    )
    insert into deliveries (organization_id, id, endpoint_id, signal_id, type, epoch, due_at, created_at)
    select e.organization_id, (${deliveryIds}::text[])[row_number() over ()], e.id, ${id}, ${type}, e.epoch,
           ${time}::timestamptz, ${time}::timestamptz
      from webhook_endpoints e
      left join webhook_endpoint_states s on s.endpoint_id = e.id
     where e.organization_id = ${organization} and e.enabled and e.deleted_at is null
       and ${type} = any(e.signal_types) and s.tripped_epoch is distinct from e.epoch
    returning endpoint_id`
}
