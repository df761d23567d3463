import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { type Field, fieldsOf } from './fields.ts'

/** Whether a field says something of a record, or is asked for, with the values that this has. */
export const isMeant = ({ onlyWhile }: Field, values: Values): boolean =>
  !onlyWhile || values[onlyWhile.field] === onlyWhile.value

/** What a change of a record begins beside it: a choice that asks for more brings that along, where it is not there yet. */
export const begunBy = (kind: DescribedKind, change: Values, seen: Values): Values =>
  Object.fromEntries(
    [...fieldsOf(kind).values()].flatMap(({ name, onlyWhile }) =>
      onlyWhile &&
      change[onlyWhile.field] === onlyWhile.value &&
      (seen[name] ?? null) === null &&
      !(name in change)
        ? [[name, onlyWhile.begins]]
        : [],
    ),
  )
