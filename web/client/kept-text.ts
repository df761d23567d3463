import { ofPerson } from './forget-texts.ts'
import type { SignedIn } from './session.ts'

/*
 * What somebody writes is kept in this browser until it is saved or thrown away: no session that ends, no crash and no
 * closed window loses it. Each person has their own in each organization, and who signs out leaves nothing behind.
 */

export interface KeptText<Values> {
  readonly values: Values
  /** Of the record, as it was when this was begun. */
  readonly version: number
  /** When it was last written in. */
  readonly at: string
}

/** @param what an id of the record that it will be the text of */
export const placeOf = ({ person, organization }: SignedIn, what: string): string =>
  `${ofPerson(person.id)}${organization.id} ${what}`

export function keepText(place: string, values: object, version = 0): void {
  try {
    localStorage.setItem(place, JSON.stringify({ values, version, at: new Date().toISOString() }))
  } catch {
    // The browser has no room, or keeps nothing: then the page alone has it.
  }
}

/** @param isThat whether what is kept there has the form that is asked for; another version of the app may have written it */
export function keptText<Values>(
  place: string,
  isThat: (values: Partial<Record<keyof Values, unknown>>) => boolean,
): KeptText<Values> | null {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as KeptText<Values> | null
    return kept && typeof kept.at === 'string' && isThat(kept.values) ? kept : null
  } catch {
    return null
  }
}

export function forgetText(place: string): void {
  try {
    localStorage.removeItem(place)
  } catch {
    // It keeps nothing.
  }
}
