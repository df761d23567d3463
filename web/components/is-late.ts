import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { deadlineOf, isTerminal } from '../../model/roles.ts'
import type { Field } from '../client/fields.ts'
import { today } from '../client/formats.ts'

/** Past due, and something is left to do. */
export function isLate(kind: DescribedKind | undefined, { name, form }: Field, record: Values): boolean {
  if (!kind || name !== deadlineOf(kind) || isTerminal(kind, record)) return false
  const due = String(record[name])
  return form === 'day' ? due < today() : Date.parse(due) < Date.now()
}
