import { needsOf } from '../../model/access.ts'
import { callsOf } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { archivingMachine } from '../../model/roles.ts'
import { Refusal } from '../refusal.ts'

/* What an archived record takes: nothing but to be brought back, and to be deleted. */

/**
 * Whether a change leaves an archived record as one. It is brought back by `archivedAt`, or by leaving the state that says
 * that it is archived, and nothing else with that.
 * @param set what an operation decides of it
 * @param moved the fields that the change gives another value
 */
export function staysArchived(kind: Kind, before: Values, set: Values, moved: readonly string[]): boolean {
  if (!before.archivedAt || set.archivedAt === null) return false
  return !(moved.length === 1 && moved[0] === archivingMachine(kind)?.field)
}

/** @throws {Refusal} `conflict`, where the record is archived */
export function refuseArchived(kind: Kind, { archivedAt, reference }: Values): void {
  if (!archivedAt) return
  throw new Refusal('conflict', `${reference} is archived and takes no change: ${wayBack(kind)}.`, {
    archivedAt,
  })
}

/** What brings back a record of the kind. */
export const wayBack = (kind: Kind): string =>
  needsOf(kind, 'archive')
    ? `unarchive it first (${callsOf(kind).unarchive})`
    : 'unarchive what it is under first'
