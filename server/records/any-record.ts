import { needsOf, needsToRead } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import { kindOfPrefix } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { leastRole, type Needs } from '../../model/needs.ts'
import type { Caller } from '../caller/caller.ts'
import { refuseUnlessAllowed, rightsRefusal } from '../caller/rights.ts'
import { scope, type TransactionContext } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { getRecord } from './stored-record.ts'

/*
 * The record that something hangs on which every kind can have: a comment, a guest pass. What hangs there is read with the
 * right to read the record, and written with the right to change it: so it tells nobody of a record that they may not
 * see.
 */

const all = (needs: readonly Needs[]) => scope(...new Set(needs.flatMap(({ anyOf }) => anyOf)))

/** Who may add such a thing to records of a kind: whoever may change them, or add some where none is changed. */
export const needsToAddTo = (kind: Kind): Needs =>
  needsOf(kind, 'update') ?? needsOf(kind, 'create') ?? leastRole('editor')

/** Of the operations; what the kind of a record needs is asked with each. */
export const TO_READ = all(everyKind.map(needsToRead))
export const TO_WRITE = all(everyKind.map(needsToAddTo))

/** What it takes to read what hangs on a record; nothing is told of one of a kind that there is not. */
export const readNeedsOf = (recordId: string): Needs[] => kindOf(recordId).map(needsToRead)
export const writeNeedsOf = (recordId: string): Needs[] =>
  kindOf(recordId).flatMap((kind) => [needsToRead(kind), needsToAddTo(kind)])

/** Whether somebody may read what hangs on a record. */
export const mayReadOn = (caller: Caller, recordId: string): boolean =>
  readNeedsOf(recordId).every((needs) => rightsRefusal(needs, caller) === null)

/** The documents ask without one. */
const kindOf = (recordId: string | undefined): Kind[] => {
  const kind = kindOfPrefix(recordId?.slice(0, recordId.indexOf('_')))
  return kind ? [kind] : []
}

export interface AnyRecord {
  readonly kind: Kind
  readonly record: Values
}

/** @throws {Refusal} `not_found` */
export async function recordOfAnyKind(context: TransactionContext, recordId: string): Promise<AnyRecord> {
  const [kind] = kindOf(recordId)
  if (!kind) throw notFound()
  return { kind, record: await getRecord(context, kind, recordId) }
}

/**
 * Of what was found by its own id.
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
