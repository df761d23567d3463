import type { CodeList } from '../../model/fields.ts'
import { isCountry, isCurrency } from '../../model/places.ts'
import { alike } from './reading/alike.ts'

/*
 * Registers name countries as people do, in their own language; records have codes. What is called by no country is left
 * as it stands, and judged where it is written.
 */

/** As month names: those of whoever keeps such a register. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'nb', 'fi']

/** What people write, and no list of names has. */
const OTHERS: Readonly<Record<string, string>> = {
  USA: 'US',
  UK: 'GB',
  'Great Britain': 'GB',
  England: 'GB',
  'The Netherlands': 'NL',
  Holland: 'NL',
  'Czech Republic': 'CZ',
}
const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', US$: 'USD' }

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

// Asking the runtime takes a while, and few files name a country.
let known: ReadonlyMap<string, string> | undefined

function countryCalled(name: string): string | undefined {
  known ??= readCountries()
  return known.get(alike(name))
}

function readCountries(): ReadonlyMap<string, string> {
  const codes = LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(isCountry)
  const called = LANGUAGES.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    return codes.map((code): [string, string] => [alike(names.of(code) ?? code), code])
  })
  const others = Object.entries(OTHERS).map(([name, code]): [string, string] => [alike(name), code])
  // Of two languages the first counts.
  return new Map([...called.toReversed(), ...others])
}

/** @param place what the words of a field are codes of, where they are any */
export function codeOfPlace(place: CodeList | undefined, word: string): string {
  const code = word.toUpperCase()
  if (place === 'country') return isCountry(code) ? code : (countryCalled(word) ?? word)
  if (place === 'currency') return SIGNS[word] ?? (isCurrency(code) ? code : word)
  return word
}
