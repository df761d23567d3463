import { type Field, hasInput } from '../../model/described-field.ts'
import { type DescribedKind, fieldsOfData } from '../../model/described-kind.ts'
import { commonFieldTexts, customFieldTitles as words } from '../copy/custom-field-titles.ts'
import * as shared from '../kinds/shared-fields.ts'

export type { Field, Form } from '../../model/described-field.ts'

/** What every record may be given beside the fields of its kind, described for people rather than for programs. */
export const commonFields = Object.fromEntries(
  Object.entries(fieldsOfData(shared.commonFields)).map(([name, field]) => [
    name,
    { ...field, description: commonFieldTexts[name] ?? field.description },
  ]),
)

/** What the service sets on every record. */
export const serviceFields = fieldsOfData(shared.serviceFields)

/** What an admin may change of an organization, and what else is known of one. */
export const organizationFields = fieldsOfData(shared.organizationFields)
export const organizationSettings = fieldsOfData(shared.organizationSettings)

const known = new WeakMap<DescribedKind, ReadonlyMap<string, Field>>()

/** The fields of a kind by name: those it is given, those it derives, and those of every record. */
export function fieldsOf(kind: DescribedKind): ReadonlyMap<string, Field> {
  const before = known.get(kind)
  if (before) return before
  const all = { ...kind.fields, ...commonOf(kind), ...kind.derived, ...serviceFields }
  const fields = new Map(Object.entries(all))
  known.set(kind, fields)
  return fields
}

/** Beside custom fields that are defined stand those of names that nobody has defined. */
const commonOf = ({ defined }: DescribedKind): typeof commonFields =>
  defined
    ? { ...commonFields, customFields: { ...commonFields.customFields!, title: words.others } }
    : commonFields

/** Whether a field of a record can be changed in a form: what a record is under stays the same. */
export const isChangeable = (kind: DescribedKind, field: Field): boolean =>
  hasInput(field) && field.name !== kind.under?.field

/** Whether a field of a kind cannot be without a value. */
export const isFixed = (kind: DescribedKind, name: string): boolean =>
  kind.required.includes(name) || name in kind.defaults
