import { needsOf, needsToRead } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import { kindOfPrefix } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { leastRole, type Needs } from '../../model/needs.ts'
import type { Caller } from '../caller/caller.ts'
import { refuseUnlessAllowed, rightsRefusal } from '../caller/rights.ts'
import { scope, type TransactionContext } from '../operation.ts'
import { getRecord } from '../records/stored-record.ts'
import { notFound } from '../refusal.ts'

/*
 * The record that is commented on. Its comments are read with the right to read it, and written with the right to change
 * it: so they tell nobody of a record that they may not see.
 */

const all = (needs: readonly Needs[]) => scope(...new Set(needs.flatMap(({ anyOf }) => anyOf)))

/** Who may comment on records of a kind: whoever may change them, or add some where none is changed. */
export const needsToComment = (kind: Kind): Needs =>
  needsOf(kind, 'update') ?? needsOf(kind, 'create') ?? leastRole('editor')

/** Of the operations; what the kind of a record needs is asked with each. */
export const TO_READ = all(everyKind.map(needsToRead))
export const TO_WRITE = all(everyKind.map(needsToComment))

/** What it takes to read the comments on a record; nothing is told of one of a kind that there is not. */
export const readNeedsOf = (recordId: string): Needs[] => kindOf(recordId).map(needsToRead)
export const writeNeedsOf = (recordId: string): Needs[] =>
  kindOf(recordId).flatMap((kind) => [needsToRead(kind), needsToComment(kind)])

/** Whether somebody may read the comments on a record. */
export const mayReadOn = (caller: Caller, recordId: string): boolean =>
  readNeedsOf(recordId).every((needs) => rightsRefusal(needs, caller) === null)

/** The documents ask without one. */
const kindOf = (recordId: string | undefined): Kind[] => {
  const kind = kindOfPrefix(recordId?.slice(0, recordId.indexOf('_')))
  return kind ? [kind] : []
}

export interface Commented {
  readonly kind: Kind
  readonly record: Values
}

/** @throws {Refusal} `not_found` */
export async function commentedRecord(context: TransactionContext, recordId: string): Promise<Commented> {
  const [kind] = kindOf(recordId)
  if (!kind) throw notFound()
  return { kind, record: await getRecord(context, kind, recordId) }
}

/**
 * Of a comment that was found by its own id.
 * @throws {Refusal} `not_found` to whoever may not read its record, and what it takes to write
 */
export function refuseUnlessReadable(
  { caller }: TransactionContext,
  recordId: string,
  to: 'read' | 'write',
): void {
  if (!mayReadOn(caller, recordId)) throw notFound()
  if (to === 'write') for (const needs of writeNeedsOf(recordId)) refuseUnlessAllowed(needs, caller, {})
}
