import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Values } from '../../model/complaint.ts'
import {
  type CustomField,
  type CustomFieldType,
  customFilterForm,
  customFilterName,
} from '../../model/custom-field.ts'
import type { Field, Form } from '../../model/described-field.ts'
import type { DescribedKind, KindEntry } from '../../model/described-kind.ts'
import { NONE } from '../../model/filter-names.ts'
import { customFields as words } from '../copy/custom-fields.ts'
import { call } from './calls.ts'
import { queries } from './queries.ts'
import { useKind } from './use-kind.ts'

/*
 * The custom fields that the organization has defined are fields of their kinds: forms ask for them behind the sections
 * of the kind, and lists show them and filter by them, as by any other field.
 */

const AT_MOST = 200

export const customFieldsQuery = queryOptions({
  queryKey: ['listCustomFields', { limit: AT_MOST }],
  queryFn: async () => (await call('listCustomFields', { limit: AT_MOST })).data,
  staleTime: 60_000,
})

/** A kind with the custom fields of its records; what asks for it is drawn when both are there. */
export function useKindOfRecords(entry: KindEntry): DescribedKind {
  // Beside the kind, and not behind it.
  void queries.prefetchQuery(customFieldsQuery)
  const kind = useKind(entry)
  const { data } = useSuspenseQuery(customFieldsQuery)
  return useMemo(() => withCustomFields(kind, data), [kind, data])
}

function withCustomFields(kind: DescribedKind, all: readonly CustomField[]): DescribedKind {
  const ofKind = all.filter(({ kinds }) => kinds.includes(kind.name))
  if (ofKind.length === 0) return kind
  const live = ofKind.filter(({ retired }) => !retired)
  const names = live.map(({ name }) => customFilterName(name))
  const required = live.flatMap((one) => (one.required ? customFilterName(one.name) : []))
  return {
    ...kind,
    fields: { ...kind.fields, ...Object.fromEntries(live.map(fieldOf).map((field) => [field.name, field])) },
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

const FORMS: Readonly<Record<CustomFieldType, Form>> = {
  text: 'line',
  number: 'number',
  date: 'day',
  boolean: 'flag',
  choice: 'choice',
  choices: 'choices',
  url: 'url',
}

const fieldOf = ({ name, label, description, type, choices }: CustomField): Field => ({
  name: customFilterName(name),
  title: label,
  description: description ?? undefined,
  form: FORMS[type],
  options: choices.map(({ key }) => key),
  labels: Object.fromEntries(choices.map((one) => [one.key, one.label])),
  retired: choices.flatMap(({ key, retired }) => (retired ? [key] : [])),
  isLevel: false,
  isDeadline: false,
  target: undefined,
  place: undefined,
  isMoney: false,
  parts: [],
})

/** Of what a record is called by names of its own, those that nobody has defined: the others are fields. */
export function undefinedOnly({ defined = [] }: DescribedKind, custom: unknown): Values | null {
  const others = Object.entries((custom as Values | null) ?? {}).filter(([name]) => !defined.includes(name))
  return others.length > 0 ? Object.fromEntries(others) : null
}
