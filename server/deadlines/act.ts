import type { Values } from '../../model/complaint.ts'
import { OVER } from '../../model/deadlines.ts'
import type { Deadline, Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { serviceCaller } from '../caller/service.ts'
import { CLOCK } from '../clock/clock.ts'
import { prepared, statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Parts, TransactionContext } from '../operation.ts'
import { THRESHOLDS } from '../records/deadline-thresholds.ts'
import { type Lapsing, lapseRecords, lockLapsing } from '../records/lapse.ts'
import type { DueMoment } from './due-listener.ts'

/** Records of one kind in one organization, of which a deadline is due. */
export interface Batch {
  readonly organizationId: string
  readonly kind: string
  readonly ids: ReadonlySet<string>
}

/** A deadline that is due, as it stands under its lock. */
interface Due {
  readonly recordId: string
  readonly name: string
  readonly date: string
  readonly endsAt: string
  readonly daysLeft: number
  readonly ownerId: string | null
  /** The latest threshold that has come; none, where the date has moved away meanwhile. */
  readonly threshold: number | null
  /** The last one that was told of this date. */
  readonly told: number | null
  /** When the next one comes. */
  readonly next: string | null
}

/**
 * Does what is due of these records, as the service and in one transaction: of each deadline the latest threshold that
 * has come, unless that or a later one was done of the same date; those before it were missed, and are passed over.
 * Records first and their deadlines then are locked in the order in which whoever writes a record has them.
 * @returns how many deadlines were looked at; none, where another process is at this organization
 */
export const actOn = (parts: Parts, { organizationId, kind: name, ids }: Batch): Promise<number> =>
  transaction(parts.database.tenant, organizationId, async (tx) => {
    const [mine] = await tx.read<{ mine: boolean }>(hold(organizationId))
    if (!mine!.mine) return 0
    const context = { tx, caller: serviceCaller(organizationId, CLOCK), parts }
    const kind = everyKind.find((one) => one.name === name)!
    const now = await tx.now
    const over = await tx.read<{ recordId: string; name: string }>(
      findOver(organizationId, name, [...ids], now),
    )
    const lapsing = await lockAll(context, kind, over)
    // Of what comes again the next is made, and it is changed by that.
    if (kind.repeats) await tx.read(lockRecords(kind)(organizationId, [...ids]))
    const due = await tx.read<Due>(lockDue(organizationId, name, [...ids], now))
    const lapsed = await lapseAll(context, kind, due, lapsing)
    const moments = due.flatMap((one) => momentOf(kind, one, lapsed))
    if (moments.length > 0) tx.write(noteMoments(organizationId, ...columnsOf(moments), now))
    tx.write(
      goOn(
        organizationId,
        due.map(({ recordId }) => recordId),
        due.map((one) => one.name),
        due.map(({ next }) => next),
      ),
    )
    for (const listener of moments.length > 0 ? parts.dueListeners : []) await listener(context, moments)
    return due.length
  })

/** By the state to which their deadline lapses: the records that are locked to be led there. */
type ByState = ReadonlyMap<string, Lapsing>

/** Locks those that lapse. */
async function lockAll(
  context: TransactionContext,
  kind: Kind,
  over: readonly { recordId: string; name: string }[],
): Promise<ByState> {
  const locked = new Map<string, Lapsing>()
  const lapsing = over.filter(({ name }) => deadlineOf(kind, name).lapses !== undefined)
  for (const [state, those] of Map.groupBy(lapsing, ({ name }) => deadlineOf(kind, name).lapses!))
    locked.set(
      state,
      await lockLapsing(
        context,
        kind,
        those.map(({ recordId }) => recordId),
      ),
    )
  return locked
}

async function lapseAll(
  context: TransactionContext,
  kind: Kind,
  due: readonly Due[],
  lapsing: ByState,
): Promise<Values[]> {
  const lapsed: Values[] = []
  for (const [state, { ids, parents }] of lapsing) {
    const over = due.filter(
      ({ name, threshold }) => threshold === OVER && deadlineOf(kind, name).lapses === state,
    )
    const those = ids.filter((id) => over.some(({ recordId }) => recordId === id))
    if (those.length > 0) lapsed.push(...(await lapseRecords(context, kind, state, { ids: those, parents })))
  }
  return lapsed
}

function momentOf(
  kind: Kind,
  { threshold, told, name, next: _, ...due }: Due,
  lapsed: readonly Values[],
): DueMoment[] {
  if (threshold === null || (told !== null && told <= threshold)) return []
  const { lapses = null, lapseTells = {} } = deadlineOf(kind, name)
  const lapsedTo = threshold === OVER ? lapses : null
  const record = lapsed.find(({ id }) => id === due.recordId)
  const alsoTold = Object.entries(lapsedTo === null ? {} : lapseTells).flatMap(([field, as]) => {
    const who = namedIn(record?.[field])
    return who === undefined ? [] : [{ who, as }]
  })
  return [{ kind, ...due, deadline: name, threshold, lapsedTo, alsoTold }]
}

/** Whom a field of a record names: who is to see to it, or who did something. */
const namedIn = (value: unknown): string | undefined => {
  const one = value as { refId?: string; id?: string } | null | undefined
  return one?.refId ?? one?.id
}

const deadlineOf = (kind: Kind, name: string): Deadline => kind.deadlines[name]!

/** A lock of its own, not that which writers share: nobody waits for the clock but the clock. */
const hold = statement(`select pg_try_advisory_xact_lock(hashtextextended('due in ' || $1::text, 0)) as mine`)

const lockRecords = ({ table }: Kind) =>
  prepared(`select from ${table} where organization_id = $1 and id = any($2) order by id for no key update`)

const findOver = statement(`
  select record_id as "recordId", name from deadlines
   where organization_id = $1 and kind = $2 and record_id = any($3) and due_at <= $4::timestamptz and ends_at <= $4`)

const lockDue = statement(`
  select d.record_id as "recordId", d.name, dated.date, d.ends_at as "endsAt", d.owner_id as "ownerId",
         coalesce(d.day, (d.ends_at at time zone (select deadline_zone($1)))::date)
           - ($4::timestamptz at time zone (select deadline_zone($1)))::date as "daysLeft",
         come.threshold, told.threshold as told, come.next
    from deadlines d
    join ${THRESHOLDS} on t.kind = d.kind and t.name = d.name
   cross join lateral (select coalesce(d.day::text,
           to_char(d.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as date) dated
   cross join lateral (
     select min(n) filter (where moment <= $4::timestamptz) as threshold,
            min(moment) filter (where moment > $4::timestamptz) as next
       from (select n, deadline_moment(d.day, d.ends_at, n, (select deadline_zone($1))) as moment from unnest(t.thresholds) n) moments) come
    left join lateral (
     select min(m.threshold) as threshold from due_moments m
      where m.organization_id = d.organization_id and m.record_id = d.record_id and m.deadline = d.name
        and m.date = dated.date) told on true
   where d.organization_id = $1 and d.kind = $2 and d.record_id = any($3) and d.due_at <= $4::timestamptz
   order by d.record_id, d.name
     for update of d skip locked`)

const columnsOf = (moments: readonly DueMoment[]) => [
  moments.map(({ recordId }) => recordId),
  moments.map(({ deadline }) => deadline),
  moments.map(({ date }) => date),
  moments.map(({ threshold }) => threshold),
  moments.map(({ lapsedTo }) => (lapsedTo === null ? 'told' : 'lapsed')),
]

const noteMoments = statement(`
  insert into due_moments (organization_id, record_id, deadline, date, threshold, outcome, done_at)
  select $1, record_id, deadline, date, threshold, outcome, $7::timestamptz
    from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::text[])
      as moments (record_id, deadline, date, threshold, outcome)`)

const goOn = statement(`
  update deadlines d set due_at = done.next, failures = 0
    from unnest($2::text[], $3::text[], $4::timestamptz[]) as done (record_id, name, next)
   where d.organization_id = $1 and d.record_id = done.record_id and d.name = done.name`)
