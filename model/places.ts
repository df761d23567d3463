/**
 * Countries, currencies, languages and time zones, as the runtime knows them (Intl): no list of ours to grow old.
 * The browser asks the same of its own runtime.
 */

/** Codes that the runtime has a word for and that are no countries: groups, reservations of ISO 3166-1, tests. */
const NO_COUNTRIES = new Set([
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'ZZ',
])

// Asking the runtime takes longer than anything else in model/, and every page and every command reads model/.
let regions: Intl.DisplayNames | undefined
let currencies: ReadonlySet<string> | undefined

function nameOfRegion(code: string): string | undefined {
  regions ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  return regions.of(code)
}

/** ISO 3166-1 alpha-2; a code that gave way to another is none any more. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  !NO_COUNTRIES.has(code) &&
  nameOfRegion(code) !== undefined &&
  new Intl.Locale(`und-${code}`).region === code

/** ISO 4217. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}

/** A tag of BCP 47, of a language that the runtime can write dates in; its country is one, where it names one. */
export function isLanguage(tag: string): boolean {
  try {
    const { region } = new Intl.Locale(tag)
    const [known] = Intl.DateTimeFormat.supportedLocalesOf(tag)
    return known !== undefined && (region === undefined || /^\d{3}$/.test(region) || isCountry(region))
  } catch {
    return false
  }
}

/** A name of the IANA database; the runtime takes offsets as well, which are no zones. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
