import type { Values } from '../../model/complaint.ts'
import { doesCount } from '../../model/deadlines.ts'
import type { DescribedKind, KindEntry } from '../../model/described-kind.ts'
import { deadlineOf, isTerminal } from '../../model/roles.ts'
import { type Field, serviceFields } from '../client/fields.ts'
import { today } from '../client/formats.ts'

/** Past due, and something is left to do. */
export function isLate(kind: KindEntry | undefined, { name }: Pick<Field, 'name'>, record: Values): boolean {
  if (!kind || name !== deadlineOf(kind)) return false
  if (kind.open && !kind.open.values.includes(String(record[kind.open.field]))) return false
  const date = String(record[name])
  const day = today()
  // Else it is a moment.
  return date.length === day.length ? date < day : Date.parse(date) < Date.now()
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
