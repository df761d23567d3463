import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { type Row, statement } from '../database/connect.ts'
import { type IfMatch, lockAndRead, lockedRow } from '../database/locked-row.ts'
import type { TransactionContext } from '../operation.ts'
import { refuseAct } from './change-rules.ts'
import { notThere } from './external-id-aliases.ts'
import { type Table, tableOf } from './table.ts'

/* One record as it stands: read, or locked for whoever is about to write it (change-record.ts). */

/**
 * @throws {Refusal} `not_found`, alike for an id that never was and one of another organization; of one that was merged
 *   with where it went
 */
export async function getRecord({ tx }: TransactionContext, kind: Kind, id: string): Promise<Values> {
  const table = tableOf(kind)
  const [row] = await tx.read(reads(table).get(tx.organizationId, id))
  if (!row) throw await notThere(tx, kind, id)
  return table.record(row)
}

/** Those of some records that are there. */
export async function readRecords(
  { tx }: TransactionContext,
  kind: Kind,
  ids: readonly string[],
): Promise<Values[]> {
  const table = tableOf(kind)
  return (await tx.read(reads(table).some(tx.organizationId, ids))).map((row) => table.record(row))
}

/** @throws {Refusal} `not_found` */
export async function assertThere({ tx }: TransactionContext, kind: Kind, id: string): Promise<void> {
  const [row] = await tx.read(reads(tableOf(kind)).there(tx.organizationId, id))
  if (!row) throw await notThere(tx, kind, id)
}

/** The record, locked until the transaction ends, and the time of what is written to it. */
export async function lockRecord(
  context: TransactionContext,
  table: Table,
  id: string,
  ifMatch?: IfMatch,
): Promise<{ before: Values; time: string }> {
  const { tx } = context
  const { lock, get } = reads(table)
  const rows = await lockAndRead(tx, lock(tx.organizationId, id), get(tx.organizationId, id))
  if (rows.length === 0) throw await notThere(tx, table.kind, id)
  const { before, time } = lockedRow<Row>(rows, ifMatch)
  const record = table.record(before)
  await refuseAct(context, table.kind, record)
  return { before: record, time }
}

const reads = once((table: Table) => {
  const where = 'where r.organization_id = $1 and r.id = $2'
  return {
    there: statement(`select from ${table.kind.table} r ${where}`),
    get: statement(`${table.selectOne} ${where}`),
    some: statement(`${table.select} where r.organization_id = $1 and r.id = any($2) order by r.id`),
    lock: statement(
      `select greatest(clock_now(), r.updated_at + interval '1 millisecond') as write_time
         from ${table.kind.table} r ${where} for no key update`,
    ),
  }
})
