import { needsOf } from '../../model/access.ts'
import { callsOf } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import { givenFields, type Kind, principalFields } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { linkedIds } from '../../model/relations.ts'
import { principalId } from '../../model/roles.ts'
import { pastReasons } from '../../model/states.ts'
import { actorOf } from '../caller/caller.ts'
import type { IfMatch } from '../database/locked-row.ts'
import { refuseMoved } from '../input.ts'
import type { TransactionContext } from '../operation.ts'
import { refuseArchived, staysArchived } from './archived.ts'
import { refuseArchivedTargets } from './archived-targets.ts'
import { complain, differs, refuseCleared, refuseLeaving, refuseUnwritable } from './change-rules.ts'
import { noLongerStanding } from './children.ts'
import { refuseCircles } from './circles.ts'
import { complete } from './complete.ts'
import { createRecord, type RecordValues } from './create-record.ts'
import { type Definition, definitionsOf } from './custom-fields/definitions.ts'
import { takeCustomFields } from './custom-fields/take.ts'
import { daysAloneIn, withEndsOfDays } from './ends-of-days.ts'
import { refuseAlias } from './external-id-aliases.ts'
import { readFacts } from './facts.ts'
import { keepItemIds } from './item-ids.ts'
import { journal, tellOf } from './journalled-write.ts'
import { backOf } from './link-changes.ts'
import { nextRecord } from './next-record.ts'
import { resolvePrincipals } from './principals.ts'
import { changeOf, type RecordMove } from './record-events.ts'
import { serviceShape } from './schemas.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'
import { inStatesOf, isUndo, unmovedStates } from './take-back.ts'

/** A change of one record; what is in neither stays, `null` clears. */
export interface RecordChange extends RecordValues {
  /** The version the caller read, where it sent one. */
  readonly ifMatch?: IfMatch | undefined
  /** What made it necessary, for its entry, where nobody asked for this change itself. */
  readonly reason?: string
  /** What its entry says was done, where that is not just a change. */
  readonly verb?: 'archive' | 'unarchive'
  /** Whether an archived record takes it as well: it lets go of another that ends. */
  readonly lets?: 'archived'
  /** Whether it brings back what stood there: also an owner who is not active any more. */
  readonly restores?: boolean
}

/** Changes one record as a caller asks. @throws as `changeRecord` does */
export const updateRecord = (
  context: TransactionContext,
  kind: Kind,
  id: string,
  given: Values,
  ifMatch?: IfMatch,
): Promise<Values> => changeRecord(context, kind, id, { given, ifMatch })

/**
 * Changes one record as a caller asks and as an operation decides: one write, with one version, one audit entry and at
 * most one signal.
 * @throws {Refusal} `not_found`, `version_mismatch`, `conflict` for an archived record, `field_not_permitted`,
 *   `invalid_transition`, `validation_failed`, `principal_not_found`, `principal_inactive`; `session_required` and `capability_required`
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
  return writeChange(context, kind, prepared)
}

/** Writes a change that the rules let in. @returns the record as it is by then */
export async function writeChange(
  context: TransactionContext,
  kind: Kind,
  prepared: PreparedChange,
): Promise<Values> {
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
  { given: asked = {}, set: decides = {}, ifMatch, reason, verb, lets, restores = false }: RecordChange,
  lock: () => Promise<Locked>,
): Promise<PreparedChange> {
  const { tx, caller } = context
  const days = daysAloneIn(kind, asked)
  const input = days.length > 0 ? await withEndsOfDays(tx, asked, days) : asked
  const aliased = refuseAlias(tx, kind, input.externalId, id)
  const [{ before, time }, facts, definitions] = await Promise.all([
    lock(),
    readFacts(context, kind, { id }, { ...input, ...(typeof decides === 'function' ? {} : decides) }),
    input.customFields === undefined ? [] : definitionsOf(tx, kind),
    aliased,
  ])
  const set = typeof decides === 'function' ? decides(time) : decides
  const fixed = kind.under?.field
  refuseMoved(
    [...Object.keys(serviceShape(kind)), ...(fixed ? [fixed] : [])],
    before,
    asListed(kind, input),
    movedBy(kind),
  )
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
  const wanted = { ...given, ...set }
  const moved = differing(wanted)
  if (lets !== 'archived' && staysArchived(kind, before, set, moved)) {
    if (moved.length > 0) refuseArchived(kind, before)
    return { before, move: null, next: null }
  }
  const asking = differing(given)
  refuseUnwritable(kind, caller, asking)
  refuseCleared(kind, given)
  const changed = Object.fromEntries(moved.map((field) => [field, wanted[field]]))
  const newly = Object.fromEntries(asking.map((field) => [field, given[field]]))
  const [principals] = await Promise.all([
    resolvePrincipals(tx, kind, changed, restores),
    refuseArchivedTargets(tx, kind, newly),
  ])
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
  const move = changeOf(kind, caller, before, { ...after, ...made }, time, { reason, verb })
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

/** Ids of what is linked are a set: in whatever order, and however often, one is given, they are as answers list them. */
function asListed(kind: Kind, input: Values): Values {
  const given = linkedIds(kind).flatMap(([field]) => {
    const ids = input[field]
    return Array.isArray(ids) ? [[field, [...new Set(ids)].toSorted()] as const] : []
  })
  return given.length === 0 ? input : { ...input, ...Object.fromEntries(given) }
}

/** What moves the fields of a record that no change of it does, where that is not the service alone. */
const movedBy = once(
  (kind: Kind): Readonly<Record<string, string>> => ({
    ...(kind.under && { [kind.under.field]: 'stays as it is: add it anew there' }),
    ...(needsOf(kind, 'archive') && {
      archivedAt: `follows from archiving (${callsOf(kind).archive}, ${callsOf(kind).unarchive})`,
    }),
    ...Object.fromEntries(
      principalFields(kind).map((field) => [
        principalId(field),
        `follows from ${field}: send that, as { type, refId }`,
      ]),
    ),
    ...Object.fromEntries(
      linkedIds(kind).map(([field, side]) => {
        const { kind: linking, word } = side.writes ? side : backOf(side)
        const { link, unlink } = callsOf(linking)
        return [field, `follows from its links: make and end them (${link}, ${unlink}, targetKind ${word})`]
      }),
    ),
  }),
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
