import type { CodeList } from '../../model/fields.ts'

const TYPES = { country: 'region', currency: 'currency', language: 'language' } as const

/** A country, currency, language or time zone as people call it: AT is Austria. */
export function placeName(place: CodeList, code: string): string {
  if (place === 'timeZone') return code.replaceAll('_', ' ')
  try {
    return new Intl.DisplayNames(['en'], { type: TYPES[place] }).of(code) ?? code
  } catch {
    return code
  }
}
