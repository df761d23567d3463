import { asField, type CustomField, customFilterForm, customFilterName } from '../../model/custom-field.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { NONE } from '../../model/filter-names.ts'
import { customFieldTitles as words } from '../copy/custom-field-titles.ts'

/** A kind whose fields are also the custom ones of its records; loaded where there are any. */
export function withCustomFields(kind: DescribedKind, all: readonly CustomField[]): DescribedKind {
  const ofKind = all.filter(({ kinds }) => kinds.includes(kind.name))
  if (ofKind.length === 0) return kind
  const live = ofKind.filter(({ retired }) => !retired)
  const names = live.map(({ name }) => customFilterName(name))
  const required = live.flatMap((one) => (one.required ? customFilterName(one.name) : []))
  return {
    ...kind,
    fields: { ...kind.fields, ...Object.fromEntries(live.map(asField).map((field) => [field.name, field])) },
    required: [...kind.required, ...required],
    firstFields: [...kind.firstFields, ...required],
    sections: names.length > 0 ? { ...kind.sections, [words.section]: names } : kind.sections,
    filterFields: [
      ...kind.filterFields,
      ...live.map(({ name, type }) => ({
        name: customFilterName(name),
        form: customFilterForm(type),
        unset: NONE as typeof NONE,
      })),
    ],
    defined: ofKind.map(({ name }) => name),
  }
}
