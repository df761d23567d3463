import type { Values } from './complaint.ts'
import type { Role } from './scopes.ts'

/**
 * Of those whose rights allow an act on records of a kind, whom a record leaves it to: the people that these of its
 * fields name, and admins where it says so.
 */
export interface Whom {
  /** Fields with a principal, or with an actor. */
  readonly named: readonly string[]
  readonly orAdmin?: true
  /** Also to whom they name as they stand in the directory, once that is somebody who signs in. */
  readonly inDirectory?: true
  /** Fields that name somebody whom it is not left to, whatever else they are; by their entry in the directory, too. */
  readonly except?: readonly string[]
}

/** Whether a record leaves an act to this person. */
export const isNamed = (
  { named, orAdmin, inDirectory, except = [] }: Whom,
  record: Values,
  person: { readonly userId: string; readonly role: Role },
  /** Their entries in the directory, where it asks for these. */
  entries: readonly string[] = [],
): boolean => {
  const isUserIn = (fields: readonly string[]) =>
    fields.some((field) => idIn(record[field]) === person.userId)
  const isEntryIn = (fields: readonly string[]) =>
    fields.some((field) => entries.includes(entryIn(record[field])))
  if (isUserIn(except) || isEntryIn(except)) return false
  const isByName = isUserIn(named) || (inDirectory === true && isEntryIn(named))
  return isByName || (orAdmin === true && person.role === 'admin')
}

function idIn(value: unknown): string | undefined {
  const { type, refId, id } = (value ?? {}) as { type?: string; refId?: string; id?: string }
  return type === 'user' ? (refId ?? id) : undefined
}

function entryIn(value: unknown): string {
  const { type, refId } = (value ?? {}) as { type?: string; refId?: string }
  return type === 'personnel' ? (refId ?? '') : ''
}
