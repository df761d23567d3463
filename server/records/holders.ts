import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { isEmail } from '../../model/fields.ts'
import { givenFields, type Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { stateField } from '../../model/roles.ts'
import { comparedColumn, type Unique, uniquesOf } from '../../model/unique.ts'
import type { Caller } from '../caller/caller.ts'
import { statementOf } from '../database/connect.ts'
import { refusalOf, taken } from '../database/errors.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Refusal } from '../refusal.ts'
import { mayRead } from './readable.ts'
import { referenceIn } from './reference.ts'

/* Of a value that only one record can have, which record has it. */

export interface Holder {
  readonly id: string
  readonly reference: string
}

/**
 * The records that have some of such values.
 * @param wanted each with a value for each field, as it is compared
 */
export const readHolders = (
  tx: Transaction,
  unique: Unique,
  wanted: readonly (readonly string[])[],
): Promise<(Holder & { values: string[] })[]> =>
  tx.read(
    holding(unique)(
      tx.organizationId,
      ...unique.fields.map((_, place) => wanted.map((values) => values[place]!)),
    ),
  )

/** A value as it is compared. */
export const comparedValue = (kind: Kind, field: string, value: unknown): string =>
  isEmail(givenFields(kind)[field]!) ? String(value).toLowerCase() : String(value)

/**
 * What a write failed for, as a refusal; for a value that another record has, with which record that is, where whoever
 * asks may read it. PostgreSQL does not say the value, as rows are kept from their readers by it, so it is that which
 * was given.
 * @param inTransaction a new one: that of the write has ended
 * @returns null for what is not an expected no
 */
export async function refusalWithHolder(
  inTransaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>,
  caller: Caller,
  error: unknown,
  given: unknown,
): Promise<Refusal | null> {
  const refusal = refusalOf(error)
  const { table } = error as { table?: string }
  if (refusal?.code !== 'conflict' || table === undefined) return refusal
  const kind = everyKind.find((one) => one.table === table && mayRead(caller, one))
  const unique = kind && uniquesOf(kind).find(({ field }) => field === refusal.members.field)
  const values = unique && valuesOf(unique, given)
  if (!values) return refusal
  const [holder] = await inTransaction((tx) => readHolders(tx, unique, [values]))
  return holder ? taken(unique.field, holder) : refusal
}

function valuesOf({ kind, fields }: Unique, given: unknown): string[] | null {
  const { record, ...flat } = (given ?? {}) as Values & { readonly record?: Values }
  const all = { ...flat, ...record }
  const values = fields.map((field) => all[field])
  return values.every((value) => typeof value === 'string')
    ? values.map((value, place) => comparedValue(kind, fields[place]!, value.trim()))
    : null
}

const holding = statementOf(({ kind, fields, states }: Unique) => {
  const columns = fields.map((field) => `${comparedColumn(kind, field)}::text`)
  const wanted = fields.map((_, place) => `$${place + 2}::text[]`)
  const within = states?.map((state) => `'${state}'`).join(', ')
  return `
    select id, ${referenceIn(kind)} as reference, array[${columns.join(', ')}] as values from ${kind.table}
     where organization_id = $1 and (${columns.join(', ')}) in (select * from unnest(${wanted.join(', ')}))
       ${within ? `and ${columnOf(stateField(kind)!)} in (${within})` : ''}`
})
