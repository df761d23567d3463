import { type Field, fieldsIn } from '../../model/form-fields.ts'
import { givenFields, type Kind, SERVICE_FIELDS } from '../../model/kind.ts'

export { type Field, type Form, fieldsIn, spelled } from '../../model/form-fields.ts'

const known = new WeakMap<Kind, ReadonlyMap<string, Field>>()

/** The fields of a kind by name: those it is given, those it derives, and those of every record. */
export function fieldsOf(kind: Kind): ReadonlyMap<string, Field> {
  const before = known.get(kind)
  if (before) return before
  const fields = fieldsIn({ ...givenFields(kind), ...kind.derived, ...SERVICE_FIELDS }, kind.deadlines)
  known.set(kind, fields)
  return fields
}

/** Whether a field of a kind cannot be without a value. */
export const isFixed = (kind: Kind, name: string): boolean =>
  kind.required.includes(name) || name in kind.defaults
