import type { Values } from '../../model/complaint.ts'
import type { Problem } from './bulk-row.ts'
import type { SheetColumn } from './columns.ts'

/*
 * An amount may say its currency, by a sign that stands for one alone or by its code: `€ 120.000,00`, `CHF 300`. It goes
 * to the currency that is kept with the amount, where the row has none there; where it has another, one of the two is
 * wrong. A dollar may be of many countries: which it is, the row says beside it, or whoever brings the file in for all
 * amounts of it that say none.
 */

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', US$: 'USD' }
const DOLLAR = '$'
const OF_DOLLARS = new Set(
  'USD AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD NAD NZD SBD SGD SRD TTD TWD XCD'.split(' '),
)
const FORM =
  /^(?:(?<before>[€£]|(?:US)?\$|[A-Z]{3})\s*(?<amount>[\d.,'’\s]+)|(?<first>[\d.,'’\s]+?)\s*(?<behind>[€£]|(?:US)?\$|[A-Z]{3}))$/u

/** The amount without its currency, and which that is; null of a text that says none. */
export function amountIn(text: string): { readonly amount: string; readonly currency: string } | null {
  const { before, amount, first, behind } = FORM.exec(text.trim())?.groups ?? {}
  const sign = before ?? behind
  return sign ? { amount: (amount ?? first)!, currency: SIGNS[sign] ?? sign } : null
}

/** What amounts of a row said of their currencies, each by its column. */
export type Said = readonly { readonly column: SheetColumn; readonly index: number; readonly value: string }[]

/**
 * @param given of a row, in which each of the amounts stands
 * @returns what is wrong with them; else their currencies stand there as well
 */
export function putCurrencies(given: Record<string, unknown>, said: Said): Problem[] {
  return said.flatMap(({ column, index, value }): Problem[] => {
    const [root, ...parts] = column.path
    const currency = amountIn(value)?.currency ?? null
    const whole = given[root!] as Values | null | undefined
    if (parts.length === 0 || !whole) return []
    const there = whole.currency ?? (currency === null || currency === DOLLAR ? column.currency : undefined)
    const fault =
      currency === DOLLAR && !OF_DOLLARS.has(String(there))
        ? 'is no number: a dollar may be of many countries, so name the currency beside it, such as USD'
        : there && currency !== null && currency !== DOLLAR && there !== currency
          ? `is in ${currency}, and the currency of the row is ${there}: make the two the same`
          : null
    if (fault !== null) return [{ column: index, field: column.key, value, message: fault }]
    if (there ?? currency) given[root!] = { ...whole, currency: there ?? currency }
    return []
  })
}
