import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { pastReasons } from '../../model/states.ts'
import { type Row, statement } from '../database/connect.ts'
import { refuseOtherVersion } from '../database/locked-row.ts'
import type { TransactionContext } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import {
  changeRecord,
  endNoLongerStanding,
  type Locked,
  prepareChange,
  type RecordChange,
  withNext,
} from './change-record.ts'
import { complain } from './change-rules.ts'
import { complete } from './complete.ts'
import { readFacts, tellOfOrganization } from './facts.ts'
import { journalMany, tellOf } from './journalled-write.ts'
import { changeOf, type RecordMove } from './record-events.ts'
import { rowRefusal } from './row-refusal.ts'
import { type Table, tableOf } from './table.ts'

/**
 * Changes many records of a kind as an operation decides, each as `changeRecord` would: its own version, entry and
 * signal. They are written in as few statements as one takes; where a kind has to be told more than of its
 * organization, one by one.
 * @param ids of records of this kind; one that is gone or archived meanwhile is left out
 * @param told for their entries, as of `changeRecord`; by `unarchive` archived ones are brought back
 * @returns those that are there, as they are by then
 * @throws {Refusal} where the rules refuse one of them; then none is changed
 */
export async function changeRecords(
  context: TransactionContext,
  kind: Kind,
  ids: readonly string[],
  set: Values,
  told: Pick<RecordChange, 'reason' | 'verb'> = {},
): Promise<Values[]> {
  const locked = await lockRecords(context, kind, ids)
  const rows = locked.filter(({ before }) => told.verb === 'unarchive' || !before.archivedAt)
  if (!tellOfOrganization(kind) || Object.keys(kind.rollups).length > 0) {
    const changed: Values[] = []
    for (const { before } of rows)
      changed.push(await changeRecord(context, kind, before.id as string, { set, ...told }))
    return changed
  }
  const facts = await readFacts(context, kind, { id: '' }, set)
  const moved = rows.map(({ before, time }) => {
    const after = decided(kind, before, set, facts, time)
    return { before, change: changeOf(kind, context.caller, before, after, time, told) }
  })
  await writeMoves(
    context,
    kind,
    moved.flatMap(({ before, change }) => (change ? [{ before, ...change }] : [])),
  )
  return moved.map(({ before, change }) => change?.record ?? before)
}

/** Writes moves of records: those that endpoints are told of, those that they are not, and what no longer stands by them. */
export async function writeMoves(
  context: TransactionContext,
  kind: Kind,
  moved: readonly (RecordMove & { readonly before: Values })[],
): Promise<void> {
  const table = tableOf(kind)
  for (const isTold of [true, false]) {
    const those = moved.filter(({ told: { signal } }) => (signal !== null) === isTold)
    if (those.length === 0) continue
    const write = table.updateMany(those.some(({ movesDeadlines }) => movesDeadlines))(
      table.updateRows(those.map(({ record }) => record)),
      context.caller,
      those.map(({ told }) => told),
    )
    if (isTold) journalMany(context, write)
    else context.tx.write(write)
  }
  tellOf(
    context,
    kind,
    moved.map(({ before, record }) => ({ before, after: record })),
  )
  for (const { before, record } of moved) await endNoLongerStanding(context, kind, before, record)
}

/** A record that is there, and how its caller asks for it to be changed. */
export interface OneOfMany {
  readonly id: string
  readonly change: RecordChange
}

/**
 * Changes many records as their caller asks, each in its own way and judged as `changeRecord` judges one: all of those
 * whose rules let the change in by as few statements as one takes.
 * @param all each another record
 * @returns of each, in their order, the record as it is by then, or why it is none
 * @throws what one of them alone would be refused for by the database, such as `conflict`; then none is changed
 */
export async function changeEach(
  context: TransactionContext,
  kind: Kind,
  all: readonly OneOfMany[],
): Promise<(Values | Refusal)[]> {
  const ids = all.map(({ id }) => id)
  const locked = lockRecords(context, kind, ids, true)
  const prepared = await Promise.allSettled(
    all.map(({ id, change }) =>
      prepareChange(context, kind, id, change, async () => {
        const found = (await locked).find(({ before }) => before.id === id)
        if (!found) throw notFound()
        refuseOtherVersion(found.before.version, change.ifMatch)
        return found
      }),
    ),
  )
  const judged = prepared.map((one) => (one.status === 'fulfilled' ? one.value : rowRefusal(one.reason)))
  const good = judged.flatMap((one) => (one instanceof Refusal ? [] : [one]))
  await writeMoves(
    context,
    kind,
    good.flatMap(({ before, move }) => (move ? [{ before, ...move }] : [])),
  )
  const changed: (Values | Refusal)[] = []
  for (const one of judged)
    changed.push(
      one instanceof Refusal
        ? one
        : one.move
          ? await withNext(context, kind, one, one.move.record)
          : one.before,
    )
  return changed
}

function decided(
  kind: Kind,
  before: Values,
  set: Values,
  facts: Parameters<typeof complain>[5],
  time: string,
): Values {
  const moving = { ...before, ...set }
  const past = pastReasons(kind.states, before, moving, Object.keys(set))
  const cleared = Object.fromEntries(past.map((field) => [field, null]))
  const after = { ...before, ...complete(kind, { ...moving, ...cleared }, facts, { before, time }) }
  const led = kind.states.flatMap(({ field }) => (after[field] === moving[field] ? [] : [field]))
  const fields = Object.keys(set)
  complain(kind, before, after, new Set(fields), new Set([...fields, ...led]), facts)
  return after
}

/**
 * Records that are there, locked in the order of their ids until the transaction ends, each with the time of what is
 * written to it: one moment for all, behind what was last written to any of them.
 * @param isWhole also with what answers tell of one record alone
 */
export async function lockRecords(
  { tx }: TransactionContext,
  kind: Kind,
  ids: readonly string[],
  isWhole = false,
): Promise<Locked[]> {
  if (ids.length === 0) return []
  const table = tableOf(kind)
  const { lock, ...reads } = statementsOf(table)
  const get = isWhole ? reads.getWhole : reads.get
  const [times, rows] = await Promise.all([
    tx.read<{ time: string }>(lock(tx.organizationId, ids)),
    tx.read<Row>(get(tx.organizationId, ids)),
  ])
  const time =
    times
      .map((one) => one.time)
      .sort()
      .at(-1) ?? ''
  return rows.map((row) => ({ before: table.record(row), time }))
}

const statementsOf = once((table: Table) => {
  const those = 'where r.organization_id = $1 and r.id = any($2)'
  return {
    lock: statement(
      `select greatest(clock_now(), r.updated_at + interval '1 millisecond') as time
         from ${table.kind.table} r ${those} order by r.id for no key update`,
    ),
    get: statement(`${table.select} ${those} order by r.id`),
    getWhole: statement(`${table.selectOne} ${those} order by r.id`),
  }
})
