import { isDeepStrictEqual } from 'node:util'
import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { mergeCustomFields, refuseTooMany } from '../../model/custom-fields.ts'
import { itemPrefix } from '../../model/fields.ts'
import { givenFields, type Kind, principalFields } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { prepared } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { stepsBetween } from './circles.ts'

/*
 * What a record takes from another that is merged into it. What it has a value for stays. A list takes what it lacks, as
 * far as there is room, and custom fields those names that it lacks. What says why a record is in its state is about that
 * state and stays with it.
 */

type Parsable = { safeParse: (value: unknown) => { success: boolean } }

/**
 * @returns the fields of the kept record that change, with what they are to hold; also one that pointed at the other, which
 *   then holds what the other pointed at
 */
export async function filledFrom(tx: Transaction, kind: Kind, kept: Values, gone: Values): Promise<Values> {
  const taken = takenFields(kind).map((field) => [field, takenValue(kind, field, kept, gone)] as const)
  const filled = Object.fromEntries(
    taken.filter(([field, value]) => !isDeepStrictEqual(value, kept[field] ?? null)),
  )
  const rounds = await Promise.all(
    kind.acyclic.map(async (field) => [field, await isRound(tx, kind, field, kept, gone, filled)] as const),
  )
  for (const [field, round] of rounds) if (round) delete filled[field]
  return filled
}

/** Whether what a field would hold leads back to the record itself. */
async function isRound(
  tx: Transaction,
  kind: Kind,
  field: string,
  kept: Values,
  gone: Values,
  filled: Values,
): Promise<boolean> {
  const target = filled[field]
  if (typeof target !== 'string' || kept[field] === gone.id) return false
  return (await stepsBetween(tx, kind, field, target, kept.id as string)) !== null
}

const takenFields = once((kind: Kind): readonly string[] => {
  const ofStates = kind.states.flatMap(({ field, asks = {} }) => [
    field,
    ...Object.values(asks).flatMap((all) => all.flatMap((ask) => ask.fields)),
  ])
  const left = new Set([...ofStates, ...kind.required, ...Object.keys(kind.defaults), kind.under?.field])
  return Object.keys(givenFields(kind)).filter((field) => !left.has(field))
})

function takenValue(kind: Kind, field: string, kept: Values, gone: Values): unknown {
  const ours = kept[field] ?? null
  const theirs = gone[field] ?? null
  // It pointed at the record that goes.
  if (ours === gone.id) return theirs
  if (theirs === null || theirs === kept.id) return ours
  if (field === 'customFields') return withNames(ours as Values | null, theirs as Values)
  if (Array.isArray(theirs)) return withItems(kind, field, (ours as unknown[] | null) ?? [], theirs)
  const isLost = principalFields(kind).includes(field) && !(theirs as { active: boolean }).active
  return ours ?? (isLost ? null : theirs)
}

function withNames(ours: Values | null, theirs: Values): Values | null {
  const all = mergeCustomFields(theirs, ours ?? {})
  return refuseTooMany(all) ? ours : all
}

function withItems(kind: Kind, field: string, ours: readonly unknown[], theirs: readonly unknown[]): unknown {
  const hasIds = itemPrefix(givenFields(kind)[field]!) !== undefined
  const bare = (item: unknown) => (hasIds ? { ...(item as object), id: null } : item)
  const lacked = theirs.filter((item) => !ours.some((one) => isDeepStrictEqual(bare(one), bare(item))))
  const all = [...ours, ...lacked]
  const isTaken = (givenFields(kind)[field] as unknown as Parsable).safeParse(all).success
  return lacked.length > 0 && isTaken ? all : ours.length > 0 ? ours : null
}

/** What no two records have the same is taken from the one that goes, before the other has it. */
export function freeUnique(tx: Transaction, kind: Kind, from: string, filled: Values): void {
  const unique = ['externalId', ...Object.values(kind.unique).flat()].filter((field) => filled[field] != null)
  if (unique.length === 0) return
  const cleared = unique.map((field) => `${columnOf(field)} = null`).join(', ')
  const free = prepared(`update ${kind.table} set ${cleared} where organization_id = $1 and id = $2`)
  tx.write(free(tx.organizationId, from))
}
