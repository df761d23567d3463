import { z } from 'zod'
import { capital } from '../../model/capital.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import {
  ORGANIZATION_FEATURES,
  ORGANIZATION_FIELDS,
  ORGANIZATION_SECURITY,
} from '../../model/organization.ts'
import { journal } from '../copy/journal.ts'
import { type Field, fieldsIn, fieldsOf, spelled } from './fields.ts'

/*
 * Entries of the journal are about records of kinds, and about much else: keys, people who sign in, endpoints. What
 * a kind says of its fields is read; of the rest it is their names that must do.
 */

/** Of each field that changed. */
export type Changes = Readonly<Record<string, { from: unknown; to: unknown }>>

/** The kind of a record; none where it is something else. */
export const kindOf = (type: string): Kind | undefined => everyKind.find(({ name }) => name === type)

/** What an entry is about, in a word. */
export const subjectWord = (type: string): string =>
  kindOf(type)?.title ?? journal.subjects[type] ?? capital(type.replaceAll('_', ' '))

/** `update` of `risk.update`. */
export const verbOf = (action: string): string => action.split('.')[1] ?? action

/** What is known of a field of a record, or of the organization. */
export function fieldOf(type: string, name: string): Field | undefined {
  const kind = kindOf(type)
  const fields = kind ? fieldsOf(kind) : type === 'organization' ? organizationFields : undefined
  // The journal tells a principal by its id alone.
  return fields?.get(name) ?? fields?.get(name.replace(/Id$/, ''))
}

const organizationFields = fieldsIn({
  ...ORGANIZATION_FIELDS,
  ...ORGANIZATION_SECURITY,
  features: z.strictObject(ORGANIZATION_FEATURES),
})

/** What a field is called; what is no name of a field, such as a domain, stays as it is. */
export const titleOfField = (type: string, name: string): string =>
  fieldOf(type, name)?.title ?? journal.fields[name] ?? (/^[a-z]+$/i.test(name) ? spelled(name) : name)
