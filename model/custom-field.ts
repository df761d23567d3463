import { BLANK, type Field, type Form } from './described-field.ts'
import type { FilterForm } from './filter-names.ts'

/*
 * What an organization says of a custom field: which values a name takes, on the records of which kinds. Pure data, as
 * the service answers it and the web app draws it.
 */

export const CUSTOM_FIELD_TYPES = ['text', 'number', 'date', 'boolean', 'choice', 'choices', 'url'] as const

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]

export interface CustomField {
  /** The key in `customFields` of a record. */
  readonly name: string
  readonly label: string
  readonly description: string | null
  readonly type: CustomFieldType
  /** Of a choice, in the order in which they are offered. */
  readonly choices: readonly CustomChoice[]
  /** The kinds whose records have it. */
  readonly kinds: readonly string[]
  readonly required: boolean
  /** Nobody is asked for it any more: values stay with their records, and are no longer judged. */
  readonly retired: boolean
}

export interface CustomChoice {
  readonly key: string
  readonly label: string
  /** What has it keeps it, and nobody chooses it anew. */
  readonly retired?: boolean | undefined
}

/** As names of fields are, and so that a dot behind one can only be that of a filter. */
export const CUSTOM_FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]*$/

export const isChoice = (type: CustomFieldType): boolean => type === 'choice' || type === 'choices'

/** The choices that a record may newly be given. */
export const offeredKeys = ({ choices }: Pick<CustomField, 'choices'>): string[] =>
  choices.flatMap(({ key, retired }) => (retired ? [] : [key]))

/** Whether a value is none: an empty list is what is left of one that everything was taken from. */
export const isNoValue = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

const FORMS: Readonly<Record<CustomFieldType, FilterForm>> = {
  text: 'values',
  number: 'numbers',
  date: 'dates',
  boolean: 'values',
  choice: 'values',
  choices: 'overlap',
  url: 'values',
}

export const customFilterForm = (type: CustomFieldType): FilterForm => FORMS[type]

/** Where filters of lists by custom fields stand, and the custom fields of a record. */
export const CUSTOM_FIELDS = 'customFields'

/** What a list is filtered by one by, at every door. */
export const customFilterName = (name: string): string => `${CUSTOM_FIELDS}.${name}`

const INPUTS: Readonly<Record<CustomFieldType, Form>> = {
  text: 'line',
  number: 'number',
  date: 'day',
  boolean: 'flag',
  choice: 'choice',
  choices: 'choices',
  url: 'url',
}

/** It as a field of the records that have it. */
export const asField = ({ name, label, description, type, choices }: CustomField): Field => ({
  ...BLANK,
  name: customFilterName(name),
  title: label,
  description: description ?? undefined,
  form: INPUTS[type],
  options: choices.map(({ key }) => key),
  labels: Object.fromEntries(choices.map((one) => [one.key, one.label])),
  retired: choices.flatMap(({ key, retired }) => (retired ? [key] : [])),
  parts: [],
})
