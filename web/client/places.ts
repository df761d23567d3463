import type { CodeList } from '../../model/fields.ts'
import { compareNaturally } from '../../model/natural-order.ts'
import { isCountry, isLanguage } from '../../model/places.ts'
import { placeName } from './place-name.ts'

/*
 * The countries, currencies, languages and time zones that one may choose from, as the browser knows them. Loaded
 * when somebody opens such a list.
 */

export interface FoundPlace {
  readonly code: string
  readonly name: string
}

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index))
const pairs = (): string[] => LETTERS.flatMap((first) => LETTERS.map((second) => first + second))

/** There is no list of those; another one can be typed. */
const VARIANTS =
  'de-AT de-CH de-DE en-AU en-CA en-GB en-IE en-IN en-NZ en-US en-ZA es-AR es-ES es-MX fr-BE fr-CA fr-CH fr-FR it-CH nl-BE pt-BR pt-PT zh-CN zh-HK zh-TW'

const isNamed = (language: string): boolean => placeName('language', language) !== language

const CODES: Record<CodeList, () => readonly string[]> = {
  country: () =>
    pairs()
      .map((pair) => pair.toUpperCase())
      .filter(isCountry),
  currency: () => Intl.supportedValuesOf('currency'),
  language: () => [...pairs().filter((pair) => isLanguage(pair) && isNamed(pair)), ...VARIANTS.split(' ')],
  timeZone: () => ['UTC', ...Intl.supportedValuesOf('timeZone')],
}

const known = new Map<CodeList, readonly FoundPlace[]>()

function allOf(place: CodeList): readonly FoundPlace[] {
  const before = known.get(place)
  if (before) return before
  const all = [...new Set(CODES[place]())]
    .map((code) => ({ code, name: placeName(place, code) }))
    .sort((one, other) => compareNaturally(one.name, other.name))
  known.set(place, all)
  return all
}

/** Those whose code or name has each of the words, the code itself and what begins so before the rest. */
export function findPlaces(place: CodeList, q: string): FoundPlace[] {
  const sought = folded(q)
  const words = sought.split(/\s+/)
  const found = allOf(place).filter(({ code, name }) => {
    const text = folded(`${code} ${name}`)
    return words.every((word) => text.includes(word))
  })
  const rank = ({ code, name }: FoundPlace) =>
    folded(code) === sought ? 0 : folded(name).startsWith(sought) ? 1 : 2
  if (sought) found.sort((one, other) => rank(one) - rank(other))
  const typed = q.trim()
  return found.length === 0 && place === 'language' && isLanguage(typed)
    ? [{ code: typed, name: placeName(place, typed) }]
    : found
}

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
