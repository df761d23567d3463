import type { FieldLink } from '../../model/field-links.ts'
import type { TransactionContext } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import { holdThere } from './children.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

/* Links that are a field of one of their records: to make and to end one is a change of that record. */

interface Wanted {
  readonly id: string
  readonly targetId: string
}

/**
 * Points a record at another, in place of what it points at now.
 * @throws {Refusal} `not_found` where either record is not here, `conflict` where one is archived, and what a change of the field is refused for
 */
export async function setFieldLink(
  context: TransactionContext,
  { holder, field, other }: FieldLink,
  { id, targetId }: Wanted,
) {
  await holdThere(context.tx, other, targetId)
  const { updatedAt, updatedBy } = await changeRecord(context, holder, id, { given: { [field]: targetId } })
  return { type: other.name, id: targetId, role: null, linkedAt: updatedAt, linkedBy: updatedBy }
}

/** @throws {Refusal} `not_found` where the record does not point there, and what clearing the field is refused for */
export async function clearFieldLink(
  context: TransactionContext,
  { holder, field }: FieldLink,
  { id, targetId }: Wanted,
): Promise<void> {
  const { before } = await lockRecord(context, tableOf(holder), id)
  if (before[field] !== targetId) throw notFound()
  await changeRecord(context, holder, id, { given: { [field]: null } })
}
