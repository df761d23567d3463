import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Field } from '../../client/fields.ts'
import { isLate } from '../is-late.ts'

/** How many values a card has room for, in two lines. */
const VALUES_AT_MOST = 6

/** What a card shows: of the columns the first that have a value; before all, what is overdue, which never falls out. */
export function cardValues(kind: DescribedKind, columns: readonly Field[], record: Values): Field[] {
  const set = columns.filter(({ name }) => record[name] !== null && record[name] !== undefined)
  const late = set.filter((field) => isLate(kind, field, record))
  return [...late, ...set.filter((field) => !late.includes(field))].slice(0, VALUES_AT_MOST)
}

const UNTOLD: readonly string[] = ['day', 'instant', 'number', 'flag']

/** Whether a value does not tell by itself what it is of its record, as one of two dates does not. */
export const needsTitle = ({ form }: Field): boolean => UNTOLD.includes(form)
