import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../model/complaint.ts'
import type { Facts } from '../../model/fact.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { type Row, statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { lockRecords, writeMoves } from './change-many.ts'
import { readFacts } from './facts.ts'
import { changeOf, type RecordMove } from './record-events.ts'
import { type Table, tableOf } from './table.ts'

/*
 * What follows from the values of records is written with them. Where the rule has changed meanwhile, a setting that is
 * among the facts of a kind, this brings many records up to it, in as few statements as one would take.
 */

/** Some of the records of a kind, in the order of their ids. */
export interface Stretch {
  /** Behind which the next stretch begins. */
  readonly last: string
  readonly count: number
  /** Whether none is behind it. */
  readonly isLast: boolean
  /** Those of them whose values do not say any more what follows from them. */
  readonly stale: readonly string[]
}

/**
 * Looks through the records behind an id, without a lock: whoever writes one from now on goes by the facts as they are.
 * @param facts as the rules of the kind are given them
 * @param size it ends with so many records, or as soon as so many of them are stale
 */
export async function readStretch(
  { tx }: TransactionContext,
  kind: Kind,
  facts: Facts,
  after: string,
  size: { readonly looked: number; readonly stale: number },
): Promise<Stretch> {
  const table = tableOf(kind)
  const rows = await tx.read<Row>(statementsOf(table).behind(tx.organizationId, after, size.looked))
  const stale: string[] = []
  for (const [index, row] of rows.entries()) {
    const record = table.record(row)
    if (isStale(kind, record, facts)) stale.push(record.id as string)
    if (stale.length === size.stale)
      return { last: record.id as string, count: index + 1, isLast: false, stale }
  }
  const last = (rows.at(-1)?.id as string | undefined) ?? after
  return { last, count: rows.length, isLast: rows.length < size.looked, stale }
}

/**
 * Writes what follows now from the values of records: each that moves with one version, one entry, and a signal where
 * its kind watches what moved.
 * @param ids of records of this kind; one that is gone meanwhile is left out
 * @param reason for the entries
 * @returns those that moved, as they were and as they are
 */
export async function rederiveRecords(
  context: TransactionContext,
  kind: Kind,
  ids: readonly string[],
  reason: string,
): Promise<readonly Rederived[]> {
  if (ids.length === 0) return []
  // The rows before the facts, in the order in which whoever changes one takes them.
  const rows = await lockRecords(context, kind, ids)
  const facts = await readFacts(context, kind, { id: '' }, {})
  const moved = rows.flatMap(({ before, time }) => movedBy(context, kind, before, facts, time, reason))
  await writeMoves(context, kind, moved)
  return moved
}

/** A record that moved. */
export interface Rederived extends RecordMove {
  readonly before: Values
}

const isStale = (kind: Kind, record: Values, facts: Facts): boolean =>
  !record.archivedAt &&
  Object.entries(derived(kind, record, facts, record.updatedAt as string)).some(
    ([field, value]) => !isDeepStrictEqual(record[field] ?? null, value ?? null),
  )

/** What follows from the values of a record and is stored with it; the facts tell nothing of this record alone. */
const derived = (kind: Kind, record: Values, facts: Facts, time: string): Values =>
  Object.fromEntries(
    Object.entries(kind.derive(record, facts, { before: record, time })).filter(
      ([field]) => !(field in kind.readings),
    ),
  )

function movedBy(
  { caller }: TransactionContext,
  kind: Kind,
  before: Values,
  facts: Facts,
  time: string,
  reason: string,
): Rederived[] {
  // What follows for an archived one is worked out as it is brought back.
  if (before.archivedAt) return []
  const after = { ...before, ...derived(kind, before, facts, time) }
  const change = changeOf(kind, caller, before, after, time, { reason })
  return change ? [{ before, ...change }] : []
}

const statementsOf = once((table: Table) => {
  return {
    behind: statement(
      `${table.select} where r.organization_id = $1 and r.id > $2 order by r.id limit $3::int`,
    ),
  }
})
