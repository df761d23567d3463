import type { Complaint, Values } from './complaint.ts'

export const CUSTOM_FIELDS_AT_MOST = 100
export const CUSTOM_BYTES_AT_MOST = 16 * 1_024

/**
 * Custom fields after a change: merged by name, without those that were given as null; null where none is left.
 * @param given null clears them all
 */
export function mergeCustomFields(before: Values | null, given: Values | null): Values | null {
  if (given === null) return null
  const merged = Object.entries({ ...composed(before), ...given }).filter(([, value]) => value !== null)
  return merged.length > 0 ? Object.fromEntries(merged) : null
}

/** Names are taken in the composed form (fields.ts); those that were kept before that meet them in it. */
const composed = (fields: Values | null): Values =>
  Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name.normalize('NFC'), value]))

/** The complaint about two names that would be kept as one, so that the value of one of them would be lost. */
export function refuseAlike(given: object): { path: string; message: string } | null {
  const names = Object.keys(given)
  if (new Set(names.map((name) => name.normalize('NFC').trim())).size === names.length) return null
  return {
    path: 'customFields',
    message:
      'two names are alike but for how their letters are composed, or the space around them: give one of them',
  }
}

/** The complaint about more custom fields than a record holds. */
export function refuseTooMany(fields: Values | null): Complaint | null {
  if (fields === null) return null
  const names = Object.keys(fields).length
  if (names > CUSTOM_FIELDS_AT_MOST)
    return {
      path: 'customFields',
      message: `would be ${names} names, and a record has at most ${CUSTOM_FIELDS_AT_MOST}: remove some first (null removes one)`,
    }
  const bytes = new TextEncoder().encode(JSON.stringify(fields)).length
  if (bytes > CUSTOM_BYTES_AT_MOST)
    return {
      path: 'customFields',
      message: `would be ${bytes} bytes of JSON, and a record has at most ${CUSTOM_BYTES_AT_MOST}: remove some first (null removes one)`,
    }
  return null
}
