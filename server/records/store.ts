import { callsOf } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import { givenFields, type Kind, type Source } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { linkedIds } from '../../model/relations.ts'
import { nameOf } from '../../model/roles.ts'
import { pastReasons } from '../../model/states.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { newId } from '../database/ids.ts'
import { refuseMoved } from '../input.ts'
import { answer, tell } from '../journal/tell.ts'
import type { NewDelivery } from '../journal/write.ts'
import { newIds } from '../journal/write-many.ts'
import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { complain, differs, refuseCleared, refuseLeaving, refuseUnwritable } from './change-rules.ts'
import { holdThere, noLongerStanding, parentIn } from './children.ts'
import { refuseCircles } from './circles.ts'
import { complete } from './complete.ts'
import { type Definition, definitionsOf } from './custom-fields/definitions.ts'
import { takeCustomFields } from './custom-fields/take.ts'
import { refuseAlias } from './external-id-aliases.ts'
import { readFacts } from './facts.ts'
import { keepItemIds, withItemIds } from './item-ids.ts'
import { backOf, type Gained, lockLinked, preparingLinks } from './link-changes.ts'
import { nextRecord } from './next-record.ts'
import { answeredBy, noticesOf, type WrittenRecord } from './notices.ts'
import { resolvePrincipals } from './principals.ts'
import { changeOf, creationOf, type RecordMove } from './record-events.ts'
import { referenceOf } from './reference.ts'
import { asRefusal } from './row-refusal.ts'
import { serviceShape } from './schemas.ts'
import { lockRecord } from './stored-record.ts'
import { type Table, tableOf } from './table.ts'
import { inStatesOf, isUndo, unmovedStates } from './take-back.ts'

/*
 * The record engine: create and change records of any kind; stored-record.ts reads one, and removal.ts has their end.
 *
 * Each write is two bursts to PostgreSQL. The first reads what the rules need, under the record's lock; the
 * rules run here; the second carries the record, its journal and the commit. The answer is the record as
 * just written, made from the same values that the signal carries, so nothing is read again.
 *
 * A record's `updatedAt` and the `time` of its signal are one instant, taken under the lock and at least a
 * millisecond after the last: signals ordered by `time` are in the order of versions.
 */

/** What a write asks for, and who asks it. */
export interface RecordValues {
  /** What a caller sent: judged by what they may write, and by the rules of the fields. */
  readonly given?: Values
  /**
   * What an operation decides: a field that only the service sets, one that the caller could not write, a state that no
   * edit leads to and no record begins in. It goes before what was given, and what its state asks for is asked all the
   * same. As a function it is given the moment of the write: the record's `updatedAt`, and the time of its entry.
   */
  readonly set?: Values | ((time: string) => Values)
  /** Where it comes from, of what an operation adds otherwise than by its caller's hand. */
  readonly source?: Source
}

/**
 * Adds one record as a caller asks and as an operation decides.
 * @throws {Refusal} `validation_failed`, `conflict` for a value that is another's, `principal_not_found`,
 *   `principal_inactive`; `not_found` for a parent that is not here
 */
export async function createRecord(
  context: TransactionContext,
  kind: Kind,
  values: RecordValues,
): Promise<Values> {
  const { record, number, countLinks, writeLinks } = await newRecord(
    context,
    kind,
    values,
    newId(kind.idPrefix),
  )
  countLinks(new Map())
  const { event, signal } = creationOf(kind, record)
  const table = tableOf(kind)
  journal(context, table.insert(table.insertValues(record, number), context.caller, event, signal))
  tellOf(context, kind, [{ before: null, after: record }])
  writeLinks()
  return record
}

/**
 * Adds many records of a kind as `createRecord` adds one, in one statement: all of those that their own rules let in.
 * @returns of each, in their order, the record, or why it is none
 * @throws what one of them alone would be refused for by the database, such as `conflict`; then none is added
 */
export async function createRecords(
  context: TransactionContext,
  kind: Kind,
  all: readonly RecordValues[],
): Promise<(Values | Refusal)[]> {
  const { tx, caller } = context
  // Made in one moment, they stand in the order in which they were given.
  const ids = newIds(kind.idPrefix, all.length)
  lockLinked(
    tx,
    kind,
    all.map(({ given = {} }) => given),
  )
  const prepared = await Promise.allSettled(
    all.map((values, index) => newRecord(context, kind, values, ids[index]!)),
  )
  const gained: Gained = new Map()
  const judged = prepared.map((one) =>
    asRefusal(() => {
      if (one.status === 'rejected') throw one.reason
      one.value.countLinks(gained)
      return one.value
    }),
  )
  const made = judged.flatMap((one) => (one instanceof Refusal ? [] : [one]))
  if (made.length > 0) {
    const table = tableOf(kind)
    const creations = made.map(({ record }) => creationOf(kind, record))
    journalMany(context, table.insertMany(table.insertRows(made), caller, creations))
    tellOf(
      context,
      kind,
      made.map(({ record }) => ({ before: null, after: record })),
    )
    for (const { writeLinks } of made) writeLinks()
  }
  return judged.map((one) => (one instanceof Refusal ? one : one.record))
}

/** A record as it is to be written, the number of its reference, and the links that it begins with. */
interface NewRecord {
  readonly record: Record<string, unknown>
  readonly number: number
  /** @throws {Refusal} `link_limit_reached` */
  readonly countLinks: (gained: Gained) => void
  readonly writeLinks: () => void
}

/** @throws as `createRecord` does */
const newRecord = (
  context: TransactionContext,
  kind: Kind,
  values: RecordValues,
  id: string,
): Promise<NewRecord> =>
  kind.referencedBy
    ? prepareRecord(context, kind, values, id, NO_NUMBER)
    : context.parts.references.drawFor(context.caller.organizationId, kind.name, (drawn) =>
        prepareRecord(context, kind, values, id, drawn),
      )

const NO_NUMBER = Promise.resolve(0)

async function prepareRecord(
  context: TransactionContext,
  kind: Kind,
  { given: input, set: decided = {}, source }: RecordValues,
  id: string,
  drawn: Promise<number>,
): Promise<NewRecord> {
  const { tx, caller } = context
  const given = input ?? {}
  const set = typeof decided === 'function' ? decided(await tx.now) : decided
  const wanted = { ...given, ...set }
  const parent = parentIn(kind, wanted)
  const [principals, now, number, _, facts, links, definitions] = await Promise.all([
    resolvePrincipals(tx, kind, wanted),
    tx.now,
    drawn,
    // Held before its facts are read: what they tell of the parent stands.
    parent && holdThere(tx, parent.kind, parent.id),
    readFacts(context, kind, { parent: parent?.id }, { ...kind.defaults, ...wanted }),
    preparingLinks(context, kind, wanted, id),
    definitionsOf(tx, kind),
    refuseAlias(tx, kind, given.externalId),
  ])
  const custom = (wanted as Values).customFields as Values | null | undefined
  // What an operation makes by itself is nobody's to complete.
  const customFields = takeCustomFields(definitions, null, custom ?? null, input !== undefined)
  const started = {
    ...withItemIds(kind, { ...withDefaults(kind, given), ...set }),
    ...{ customFields, ...principals },
  }
  const values = complete(kind, started, facts, {
    before: null,
    time: now,
    given: new Set(Object.keys(wanted)),
    by: actorOf(caller),
  })
  complain(kind, null, values, new Set(Object.keys(wanted)), new Set(Object.keys(set)), facts)
  const record = {
    id,
    organizationId: caller.organizationId,
    reference: referenceOf(kind, values, number),
    ...values,
    ...links.lists,
    source: source ?? sourceOf(kind, values, given.source, caller),
    version: 1,
    archivedAt: null,
    createdAt: now,
    createdBy: actorOf(caller),
    updatedAt: now,
    updatedBy: actorOf(caller),
  }
  const subject = { id, reference: record.reference, title: nameOf(kind, record) }
  return { record, number, countLinks: links.count, writeLinks: () => links.write(subject, now) }
}

/** A change of one record; what is in neither stays, `null` clears. */
export interface RecordChange extends RecordValues {
  /** The version the caller read, where it sent one. */
  readonly ifMatch?: number | undefined
  /** What made it necessary, for its entry, where nobody asked for this change itself. */
  readonly reason?: string
  /** Whether it brings back what stood there: also an owner who is not active any more. */
  readonly restores?: boolean
}

/** Changes one record as a caller asks. @throws as `changeRecord` does */
export const updateRecord = (
  context: TransactionContext,
  kind: Kind,
  id: string,
  given: Values,
  ifMatch?: number,
): Promise<Values> => changeRecord(context, kind, id, { given, ifMatch })

/**
 * Changes one record as a caller asks and as an operation decides: one write, with one version, one audit entry and at
 * most one signal.
 * @throws {Refusal} `not_found`, `version_mismatch`, `field_not_permitted`, `invalid_transition`,
 *   `validation_failed`, `principal_not_found`, `principal_inactive`; `session_required` and `capability_required`
 *   for a state that only some lead a record out of
 */
export async function changeRecord(
  context: TransactionContext,
  kind: Kind,
  id: string,
  change: RecordChange,
): Promise<Values> {
  const prepared = await prepareChange(context, kind, id, change, () =>
    lockRecord(context, tableOf(kind), id, change.ifMatch),
  )
  const { before, move } = prepared
  if (!move) return before
  const { record, told, movesDeadlines } = move
  const table = tableOf(kind)
  const write = table.update(movesDeadlines)
  journal(context, write(table.updateValues(record), context.caller, told.event, told.signal))
  tellOf(context, kind, [{ before, after: record }])
  await endNoLongerStanding(context, kind, before, record)
  return await withNext(context, kind, prepared, record)
}

/** A record as it stands, locked, and the time of what is written to it. */
export interface Locked {
  readonly before: Values
  readonly time: string
}

/** A change that the rules let in, as it is to be written. */
export interface PreparedChange {
  readonly before: Values
  /** None, where nothing is another. */
  readonly move: RecordMove | null
  /** The values of the record that comes after it, where one does. */
  readonly next: Values | null
}

/**
 * Reads what a change needs, and judges it; nothing is written.
 * @param lock of the record
 * @throws as `changeRecord` does
 */
export async function prepareChange(
  context: TransactionContext,
  kind: Kind,
  id: string,
  { given: input = {}, set: decides = {}, ifMatch, reason, restores = false }: RecordChange,
  lock: () => Promise<Locked>,
): Promise<PreparedChange> {
  const { tx, caller } = context
  const aliased = refuseAlias(tx, kind, input.externalId, id)
  const [{ before, time }, facts, definitions] = await Promise.all([
    lock(),
    readFacts(context, kind, { id }, { ...input, ...(typeof decides === 'function' ? {} : decides) }),
    input.customFields === undefined ? [] : definitionsOf(tx, kind),
    aliased,
  ])
  const set = typeof decides === 'function' ? decides(time) : decides
  const fixed = kind.under?.field
  refuseMoved([...Object.keys(serviceShape(kind)), ...(fixed ? [fixed] : [])], before, input, movedBy(kind))
  const given = await keepItemIds(
    tx,
    kind,
    before,
    merged(
      definitions,
      before,
      Object.fromEntries(
        Object.entries(input).filter(([field]) => field in givenFields(kind) && field !== fixed),
      ),
    ),
  )
  const differing = (values: Values) =>
    Object.keys(values).filter((field) => differs(kind, field, before, values))
  refuseUnwritable(kind, caller, differing(given))
  refuseCleared(kind, given)
  const wanted = { ...given, ...set }
  const moved = differing(wanted)
  const changed = Object.fromEntries(moved.map((field) => [field, wanted[field]]))
  const principals = await resolvePrincipals(tx, kind, changed, restores)
  const fields = new Set(Object.keys({ ...input, ...set }))
  const moving: Values = { ...before, ...changed, ...principals }
  const past = pastReasons(kind.states, before, moving, moved)
  const cleared = Object.fromEntries(past.map((field) => [field, null]))
  const after = {
    ...before,
    ...complete(kind, { ...moving, ...cleared }, facts, { before, time, given: fields, by: actorOf(caller) }),
  }
  const decided = new Set(Object.keys(set))
  const led = kind.states.flatMap(({ field }) => (after[field] === moving[field] ? [] : [field]))
  if (decided.size === 0 && (await isUndo(context, kind, before, after, fields, ifMatch, facts))) {
    complain(kind, null, after, new Set(Object.keys(after)), unmovedStates(kind, before, after), facts)
    // A step back lets nothing else through that comes with it.
    complain(kind, inStatesOf(kind, before, after), after, fields, new Set(led), facts)
  } else {
    // A state that follows from the values is one that nobody chose.
    complain(kind, before, after, fields, new Set([...decided, ...led]), facts)
    refuseLeaving(kind, caller, before, after, decided)
  }
  await refuseCircles(tx, kind, id, changed)
  const next = await nextRecord(tx, kind, before, after)
  const made = next && kind.repeats ? { [kind.repeats.made]: true } : {}
  const move = changeOf(kind, caller, before, { ...after, ...made }, time, reason)
  return { before, move, next }
}

/** What stood by a record in its parent, and stands by it no longer, is derived anew. */
export async function endNoLongerStanding(
  context: TransactionContext,
  kind: Kind,
  before: Values,
  record: Values,
): Promise<void> {
  for (const child of noLongerStanding(kind, before, record))
    await changeRecord({ ...context, actsOn: undefined }, child.kind, child.id, {})
}

/** Adds the one that comes after a record, where one does. @returns the record, which names it */
export async function withNext(
  context: TransactionContext,
  kind: Kind,
  { next }: PreparedChange,
  record: Values,
): Promise<Values> {
  if (!next || !kind.repeats) return record
  const { id: nextId } = await createRecord({ ...context, actsOn: undefined }, kind, { set: next })
  return { ...record, [kind.repeats.next]: nextId }
}

/** Tells whom a write concerns, with the write. */
export const tellOf = (
  { tx, caller }: TransactionContext,
  kind: Kind,
  written: readonly WrittenRecord[],
): void => {
  answer(tx, answeredBy(kind, written))
  tell(tx, caller, noticesOf(kind, caller, written))
}

/** What moves the fields of a record that no change of it does, where that is not the service alone. */
const movedBy = once(
  (kind: Kind): Readonly<Record<string, string>> => ({
    ...(kind.under && { [kind.under.field]: 'stays as it is: add it anew there' }),
    ...Object.fromEntries(
      linkedIds(kind).map(([field, side]) => {
        const { kind: linking, word } = side.writes ? side : backOf(side)
        const { link, unlink } = callsOf(linking)
        return [field, `follows from its links: make and end them (${link}, ${unlink}, targetKind ${word})`]
      }),
    ),
  }),
)

/** Where a record comes from, if its caller does not say: whoever names what found it did not enter it. */
const sourceOf = ({ discoveredBy }: Kind, values: Values, given: unknown, { channel }: Caller): Source =>
  (given as Source | undefined) ??
  (discoveredBy !== undefined && values[discoveredBy] ? 'discovery' : SOURCE_OF[channel])

const SOURCE_OF = {
  ui: 'person',
  cli: 'person',
  guest: 'person',
  scheduler: 'person',
  rest: 'api',
  mcp: 'mcp',
} as const

/** Sends a write along, with room for what it sends, which leaves when it is committed. */
export function journal({ tx, parts }: TransactionContext, write: ReturnType<Table['insert']>): void {
  const reservation = parts.reserveSends(tx.organizationId)
  const { query, deliveriesOf } = write(reservation)
  let made: NewDelivery[] = []
  tx.write(query, (rows) => {
    made = deliveriesOf(rows)
  })
  tx.afterCommit(() => reservation.committed(made))
  tx.afterFailure((error) => reservation.failed(error))
}

/** Sends a write of many along; what leaves by it is claimed once it is committed. */
export function journalMany({ tx, parts }: TransactionContext, write: ReturnType<Table['insertMany']>): void {
  tx.write(write, (rows) => {
    const waiting = rows.map(({ endpointId }) => endpointId as string)
    if (waiting.length > 0) tx.afterCommit(() => parts.wakeSends(waiting))
  })
}

const withDefaults = (kind: Kind, input: Values): Values =>
  Object.fromEntries(
    Object.keys(givenFields(kind)).map((field) => [field, input[field] ?? kind.defaults[field] ?? null]),
  )

/** What a change gives is whole but for custom fields, which are given by name. */
const merged = (definitions: readonly Definition[], before: Values, given: Values): Values =>
  given.customFields === undefined
    ? given
    : {
        ...given,
        customFields: takeCustomFields(
          definitions,
          before.customFields as Values | null,
          given.customFields as Values | null,
        ),
      }
