import { capital } from '../../model/capital.ts'
import { spelled } from '../../model/described-field.ts'
import type { KindEntry } from '../../model/described-kind.ts'
import { journal } from '../copy/journal.ts'
import { type Field, fieldsOf, organizationFields, organizationSettings } from './fields.ts'
import { described, everyKind } from './kinds.ts'

/*
 * Entries of the journal are about records of kinds, and about much else: keys, people who sign in, endpoints. What
 * a kind says of its fields is read; of the rest it is their names that must do.
 */

/** Of each field that changed. */
export type Changes = Readonly<Record<string, { from: unknown; to: unknown }>>

/** The kind of a record; none where it is something else. */
export const kindOf = (type: string): KindEntry | undefined => everyKind.find(({ name }) => name === type)

/** What an entry is about, in a word. */
export const subjectWord = (type: string): string =>
  kindOf(type)?.title ?? journal.subjects[type] ?? capital(type.replaceAll('_', ' '))

/** `update` of `risk.update`. */
export const verbOf = (action: string): string => action.split('.')[1] ?? action

/** What is known of a field of a record whose kind was fetched before, or of the organization. */
export function fieldOf(type: string, name: string): Field | undefined {
  const entry = kindOf(type)
  const kind = entry && described(entry)
  const fields = kind ? fieldsOf(kind) : type === 'organization' ? ofOrganization : undefined
  // The journal tells a principal by its id alone.
  return fields?.get(name) ?? fields?.get(name.replace(/Id$/, ''))
}

const ofOrganization = new Map(Object.entries({ ...organizationFields, ...organizationSettings }))

/** What a field is called; what is no name of a field, such as a domain, stays as it is. */
export const titleOfField = (type: string, name: string): string =>
  fieldOf(type, name)?.title ?? journal.fields[name] ?? (/^[a-z]+$/i.test(name) ? spelled(name) : name)
