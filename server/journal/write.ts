import { once } from '../../model/once.ts'
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
 * Where this process has room to send them, the deliveries are written as claimed by it: the commit is the claim, and
 * they leave without anyone having to look for them. The others go into the queue.
 *
 * The deliveries' ids are drawn before, ten of them, since no more endpoints can exist.
 */
export type JournalledWrite = (
  values: unknown[],
  caller: Caller,
  event: AuditEvent,
  signal: Signal | null,
) => (reservation: Reservation) => Write

/** The statement, and what is sent of it. */
export interface Write {
  readonly query: Query
  /** From its rows to the deliveries that it made; none where it raises no signal. */
  readonly deliveriesOf: (rows: Row[]) => NewDelivery[]
}

/** Room that a process keeps for what a change is about to make, until its transaction has ended. */
export interface Reservation {
  /** What is made is claimed by it; null where there is no room. */
  readonly claimId: string | null
  readonly leaseMs: number
  /** Endpoints that have no room of their own, or where others wait. */
  readonly full: readonly string[]
  /** It is committed: what was claimed leaves now, and of the rest the dispatcher is told. */
  committed(deliveries: readonly NewDelivery[]): void
  /** It is rolled back, or nobody knows, as the error tells. */
  failed(error: unknown): void
}

/** A delivery as its change has made it. */
export interface NewDelivery {
  readonly organizationId: string
  readonly deliveryId: string
  readonly createdAt: string
  readonly endpointId: string
  readonly epoch: number
  readonly address: string
  readonly secretCipher: Buffer
  readonly secretVersion: number
  /** In UTF-8; one for all of a signal. */
  readonly body: Buffer
  readonly isClaimed: boolean
}

export interface Signal {
  readonly type: SignalType
  /** What stands in the body's `data`. */
  readonly data: unknown
}

declare module '../operation.ts' {
  interface Parts {
    /** Keeps room to send what a change of this organization makes, where there is some. */
    readonly reserveSends: (organizationId: string) => Reservation
    /** Tells that deliveries to these endpoints wait in the queue. */
    readonly wakeSends: (endpointIds: readonly string[]) => void
  }
}

/** An organization has at most this many endpoints, so a signal as many deliveries. */
export const ENDPOINTS_AT_MOST = 10

/**
 * Prepares a write with its journal.
 * @param write one INSERT, UPDATE or DELETE with parameters $1…$count
 * @param alongside what else is written of the rows that it returns, each `name as (…)` over `written`
 * @returns from the values of the write to the statement
 */
export function journalled(write: string, count: number, alongside: readonly string[] = []): JournalledWrite {
  const writes = [`written as (${write})`, ...alongside].join(', ')
  const silent = statement(`with ${writes} ${auditInsert(count)}`)
  const after = count + AUDIT_COLUMNS.length
  const audible = once((where: Where) =>
    statement(`with ${writes}, entry as (${auditInsert(count)}), ${fanOut(after, where)}`),
  )
  return (values, caller, event, signal) => {
    const row = [...values, ...entry(caller, event)]
    if (!signal) return () => ({ query: silent(...row), deliveriesOf: () => [] })
    const { organizationId } = caller
    const id = newId('sig')
    const body = bodyOf(organizationId, id, event, signal)
    return ({ claimId, leaseMs, full }) => ({
      query: audible(whereOf(claimId, full))(
        ...row,
        ...[organizationId, id, signal.type, event.time, event.subject.type, event.subject.id, body],
        ...[Array.from({ length: ENDPOINTS_AT_MOST }, () => newId('dlv')), claimId, leaseMs, full],
      ),
      deliveriesOf: (rows) => {
        const shared = { organizationId, createdAt: event.time, body: Buffer.from(body) }
        return rows.map((made) => ({ ...made, ...shared }) as NewDelivery)
      },
    })
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

function auditInsert(count: number, entries = 1): string {
  const rows = Array.from({ length: entries }, (_, row) => {
    const before = count + row * AUDIT_COLUMNS.length
    return `(${AUDIT_COLUMNS.map((_, index) => `$${before + index + 1}`).join(', ')})`
  })
  return `insert into audit_entries (${AUDIT_COLUMNS.join(', ')}) values ${rows.join(', ')}`
}

export function bodyOf(organizationId: string, id: string, event: AuditEvent, signal: Signal): string {
  const { type, id: subjectId } = event.subject
  const { type: signalType, data } = signal
  return JSON.stringify({
    id,
    type: signalType,
    time: event.time,
    organizationId,
    subject: { type, id: subjectId },
    data,
  })
}

/** The endpoints `e` that are on and subscribed. */
export const subscribed = (organization: string, type: string): string =>
  `webhook_endpoints e
        left join webhook_endpoint_states s on s.endpoint_id = e.id
       where e.organization_id = ${organization} and e.enabled and e.deleted_at is null
         and ${type} = any(e.signal_types) and s.tripped_epoch is distinct from e.epoch`

/**
 * Where deliveries go. Mostly all go the same way, and PostgreSQL begins and ends an insert into a table of which the
 * statement speaks, also where it puts nothing there: so each way has a statement of its own.
 */
type Where = 'queue' | 'lease' | 'either'

const whereOf = (claimId: string | null, full: readonly string[]): Where =>
  claimId === null ? 'queue' : full.length === 0 ? 'lease' : 'either'

const IS_CLAIMED = { queue: 'false', lease: 'true', either: 'claim_id is not null' }

/** The signal and its deliveries; parameters follow after `count`, as they are given above. */
function fanOut(count: number, where: Where): string {
  const [organization, id, type, time, subjectType, subjectId, body, deliveryIds, claimId, leaseMs, full] =
    Array.from({ length: 11 }, (_, index) => `$${count + index + 1}`)
  const at = `${time}::timestamptz`
  const until = `${at} + ${leaseMs}::int * interval '1 millisecond'`
  const isClaimed = IS_CLAIMED[where]
  const leased = `
    leased as (
      insert into delivery_leases (claim_id, organization_id, ends_at, delivery_ids, created_ats)
      select ${claimId}::uuid, ${organization}, ${until}, array_agg(id), array_agg(${at})
        from made where ${isClaimed} having count(*) > 0
    )`
  const queued = `
    queued as (
      insert into delivery_queue (organization_id, endpoint_id, epoch, due_at, delivery_id, created_at)
      select ${organization}, endpoint_id, epoch, ${at}, id, ${at} from made where not (${isClaimed})
    )`
  return `
    signal as (
      insert into signals (organization_id, id, type, time, subject_type, subject_id, body, created_at)
      values (${organization}, ${id}, ${type}, ${time}, ${subjectType}, ${subjectId}, ${body}, ${time})
    ),
    made as materialized (
      select (${deliveryIds}::text[])[row_number() over ()] as id, e.id as endpoint_id, e.epoch, e.address,
             e.secret_cipher, e.secret_version,
             case when ${where !== 'queue'} and e.id <> all(${full}::text[]) then ${claimId}::uuid end as claim_id
        from ${subscribed(organization!, type!)}
    ),
    logged as (
      insert into deliveries (organization_id, id, endpoint_id, signal_id, type, purpose, epoch, created_at, due_at,
        claim_id, claimed_at, claim_address, claim_count, attempt_number)
      select ${organization}, id, endpoint_id, ${id}, ${type}, 'signal', epoch, ${at},
             case when ${isClaimed} then ${until} else ${at} end, claim_id,
             case when ${isClaimed} then ${at} end, case when ${isClaimed} then address end,
             (${isClaimed})::int, (${isClaimed})::int
        from made
    ),
    ${{ queue: queued, lease: leased, either: `${leased}, ${queued}` }[where]}
    select id as "deliveryId", endpoint_id as "endpointId", epoch, address, secret_cipher as "secretCipher",
           secret_version as "secretVersion", ${isClaimed} as "isClaimed"
      from made`
}
