import type { Values } from '../../model/complaint.ts'
import { givenFields, type Kind, type Source } from '../../model/kind.ts'
import { nameOf } from '../../model/roles.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { isDeadlock, refusalOf } from '../database/errors.ts'
import { newId } from '../database/ids.ts'
import { newIds } from '../journal/write-many.ts'
import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { refuseArchivedTargets } from './archived-targets.ts'
import { complain } from './change-rules.ts'
import { holdThere, parentIn } from './children.ts'
import { complete } from './complete.ts'
import { definitionsOf } from './custom-fields/definitions.ts'
import { takeCustomFields } from './custom-fields/take.ts'
import { daysAloneIn, withEndsOfDays } from './ends-of-days.ts'
import { refuseAlias } from './external-id-aliases.ts'
import { readFacts } from './facts.ts'
import { withItemIds } from './item-ids.ts'
import { journal, journalMany, tellOf } from './journalled-write.ts'
import { type Gained, lockLinked, preparingLinks } from './link-changes.ts'
import { resolvePrincipals } from './principals.ts'
import { creationOf } from './record-events.ts'
import { referenceOf } from './reference.ts'
import { asRefusal } from './row-refusal.ts'
import { tableOf } from './table.ts'

/*
 * The record engine: this file adds records of any kind, change-record.ts changes them; stored-record.ts reads one, and
 * removal.ts has their end.
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
  giveBackWhereRefused(context, kind, [number])
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
    giveBackWhereRefused(
      context,
      kind,
      made.map(({ number }) => number),
    )
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

/** What is refused once all is written, such as a value that is another's, has numbers by then, and nobody comes to see them. */
function giveBackWhereRefused(
  { tx, parts, caller }: TransactionContext,
  kind: Kind,
  numbers: readonly number[],
): void {
  if (kind.referencedBy) return
  tx.afterFailure(async (error) => {
    const refusal = refusalOf(error)
    // Whether a write is there that the database did not answer, nobody knows.
    if ((refusal && refusal.status < 500) || isDeadlock(error))
      await parts.references.giveBack(caller.organizationId, kind.name, numbers)
  })
}

const NO_NUMBER = Promise.resolve(0)

async function prepareRecord(
  context: TransactionContext,
  kind: Kind,
  { given: input, set: decided = {}, source }: RecordValues,
  id: string,
  drawn: Promise<number>,
): Promise<NewRecord> {
  const { tx, caller } = context
  const days = input ? daysAloneIn(kind, input) : []
  const given = input && days.length > 0 ? await withEndsOfDays(tx, input, days) : (input ?? {})
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
    refuseArchivedTargets(tx, kind, given),
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
    archivedAt: values.archivedAt ?? null,
    createdAt: now,
    createdBy: actorOf(caller),
    updatedAt: now,
    updatedBy: actorOf(caller),
  }
  const subject = { id, reference: record.reference, title: nameOf(kind, record) }
  return { record, number, countLinks: links.count, writeLinks: () => links.write(subject, now) }
}

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

const withDefaults = (kind: Kind, input: Values): Values =>
  Object.fromEntries(
    Object.keys(givenFields(kind)).map((field) => [field, input[field] ?? kind.defaults[field] ?? null]),
  )
