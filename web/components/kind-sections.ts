import type { DescribedKind } from '../../model/described-kind.ts'
import { commonFields, type Field, fieldsOf } from '../client/fields.ts'
import { records } from '../copy/records.ts'

/** A title, and what stands under it. */
export type Section = readonly [title: string, fields: readonly Field[]]

/** The fields that are given, in the sections of the kind; what is in none of them stands last, with those of every record. */
export function sectionsOf(kind: DescribedKind, isShown: (field: Field) => boolean): Section[] {
  const known = fieldsOf(kind)
  const inSections = new Set(Object.values(kind.sections).flat())
  const others = Object.keys({ ...kind.fields, ...commonFields }).filter((name) => !inSections.has(name))
  return [...Object.entries(kind.sections), [records.form.others, others] as const].flatMap(
    ([title, names]) => {
      const shown = names.map((name) => known.get(name)!).filter(isShown)
      return shown.length > 0 ? [[title, shown] as const] : []
    },
  )
}
