import type { Values } from '../../model/complaint.ts'
import { doesCount } from '../../model/deadlines.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { deadlineOf, isTerminal } from '../../model/roles.ts'
import { type Field, serviceFields } from '../client/fields.ts'
import { today } from '../client/formats.ts'

/** Past due, and something is left to do. */
export function isLate(kind: DescribedKind | undefined, { name, form }: Field, record: Values): boolean {
  if (!kind || name !== deadlineOf(kind) || isTerminal(kind, record)) return false
  const due = String(record[name])
  return form === 'day' ? due < today() : Date.parse(due) < Date.now()
}

/** Whether something is still to come of a date: what is settled is not due in two days, but it may expire then. */
export const isPending = (kind: DescribedKind | undefined, { name }: Field, record: Values): boolean =>
  !kind ||
  !isTerminal(kind, record) ||
  Object.values(kind.deadlines).some(
    (deadline) => deadline.field === name && doesCount(kind, deadline, record),
  )

/** Whether of a time it matters how near it is: to do something by it, or what was done to a record; else it is a date. */
export const isToldAsNear = (kind: DescribedKind | undefined, { name, isDeadline }: Field): boolean =>
  name in serviceFields ||
  (isDeadline &&
    !Object.values(kind?.deadlines ?? {}).some(({ field, lapses }) => field === name && lapses !== undefined))
