import type { Values } from '../../../model/complaint.ts'
import { mergeCustomFields } from '../../../model/custom-fields.ts'
import type { Field } from '../../client/fields.ts'
import { type AnyRecord, isSame } from '../../client/records.ts'

/*
 * A change as the service takes it: each field whole, but custom fields by name, where null removes one. So what
 * two people do to different names is in nobody's way.
 */

/** What is sent so that a field has the wanted value. */
export function changeOf(field: Field, before: unknown, wanted: unknown): Values {
  if (field.form !== 'pairs') return { [field.name]: wanted }
  const [had, has] = [before, wanted].map((value) => (value as Values | null) ?? {}) as [Values, Values]
  const names = [...new Set([...Object.keys(had), ...Object.keys(has)])]
  const moved = names.filter((name) => !isSame(had[name], has[name]))
  return { [field.name]: Object.fromEntries(moved.map((name) => [name, has[name] ?? null])) }
}

/** The record once the service has taken the change. */
export const withChange = (record: AnyRecord, change: Values): AnyRecord =>
  change.customFields === undefined
    ? { ...record, ...change }
    : {
        ...record,
        ...change,
        customFields: mergeCustomFields(
          record.customFields as Values | null,
          change.customFields as Values | null,
        ),
      }

/** Whether two records have the same values wherever the change changes something. */
export const isSameWhere = (change: Values, one: AnyRecord, other: AnyRecord): boolean =>
  Object.entries(change).every(([field, value]) =>
    field === 'customFields' && value !== null
      ? Object.keys(value as Values).every((name) => isSame(named(one, name), named(other, name)))
      : isSame(one[field], other[field]),
  )

const named = ({ customFields }: AnyRecord, name: string): unknown => (customFields as Values | null)?.[name]
