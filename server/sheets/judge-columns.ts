import type { TransactionContext } from '../operation.ts'
import { invalid } from '../refusal.ts'
import { KNOWN, NEW } from './address-rows.ts'
import type { KeptColumn } from './bulk-change.ts'
import { type DateOrder, isChosen, isKey, isOpen, isPerson, memorable, type SheetColumn } from './columns.ts'
import { namesOfPeople } from './lookups.ts'
import { columnAt } from './recognise.ts'

/* What the columns of a file are taken for, and what words in them stand for, as whoever plans an import says it. */

interface Said {
  /** In the order of the file. */
  readonly columns: readonly (string | null)[]
  readonly identity: string
  readonly dates: DateOrder | null
  readonly currency: string | null
  readonly meanings: readonly Meaning[]
  /** Places of columns; null for those that were said before. */
  readonly emptyUnmatched: readonly number[] | null
}

interface Meaning {
  readonly column: number
  readonly word: string
  /** Null forgets it. */
  readonly choice: string | null
}

/**
 * @param before the columns as they are kept: what was said of their words stays
 * @param all the columns of the kind
 * @throws {Refusal} `validation_failed` with all that cannot be meant
 */
export async function judgeColumns(
  { tx }: TransactionContext,
  before: readonly KeptColumn[],
  all: readonly SheetColumn[],
  { columns, identity, dates, currency, meanings, emptyUnmatched }: Said,
): Promise<readonly KeptColumn[]> {
  const meant = before.map((_, index) => {
    const key = columns[index] ?? null
    return key === null ? undefined : columnAt(all, key)
  })
  const taken = before.map(({ title, meanings: already = {}, emptiesUnmatched = false }, index) => ({
    title,
    key: columns[index] ?? null,
    meanings: withMeanings(already, meaningsAt(index, meant, meanings)),
    ...(dates && { dates }),
    ...(currency && { currency }),
    ...((emptyUnmatched ? emptyUnmatched.includes(index) : emptiesUnmatched) && { emptiesUnmatched: true }),
  }))
  const errors = taken.flatMap(({ key }, index) => {
    const path = `columns.${index}`
    if (key === null) return []
    if (!meant[index]) return [{ path, message: 'no such column: give the key of one of its fields' }]
    const first = taken.findIndex((one) => one.key === key)
    return first < index
      ? [{ path, message: `column ${first + 1} is taken for it already: leave one out` }]
      : []
  })
  if (columns.length > taken.length)
    errors.push({ path: 'columns', message: `the file has ${taken.length}: give no more` })
  const people = await namesOfPeople(
    tx,
    meanings.flatMap(({ choice }) => choice ?? []),
  )
  for (const [at, { column, choice }] of meanings.entries()) {
    const of = meant[column]
    if (!of || !(isChosen(of) || isPerson(of)))
      errors.push({ path: `meanings.${at}.column`, message: 'is no column whose values are chosen' })
    else if (choice !== null && isPerson(of) && !people.has(choice))
      errors.push({
        path: `meanings.${at}.choice`,
        message: 'is nobody here: give a refId that listOwnershipPrincipals has',
      })
    else if (choice !== null && !isPerson(of) && !isOpen(of, choice))
      errors.push({ path: `meanings.${at}.choice`, message: 'is no choice of that column: give its key' })
  }
  const isKnown = identity === KNOWN || identity === NEW
  const column = isKnown ? undefined : all.find(({ key }) => key === identity)
  if (!isKnown && !(column && isKey(column) && taken.some(({ key }) => key === identity)))
    errors.push({
      path: 'identity',
      message: 'is none of the columns that are imported and hold a line of text: choose one of those',
    })
  if (errors.length > 0) throw invalid(...errors)
  return taken
}

/** Whom a name stands for holds in all columns of people, so what was said of it in another of them is over. */
const meaningsAt = (
  index: number,
  meant: readonly (SheetColumn | undefined)[],
  meanings: readonly Meaning[],
): readonly Meaning[] =>
  meanings.flatMap((one) => {
    const [here, there] = [meant[index], meant[one.column]]
    if (one.column === index) return [one]
    return here && there && isPerson(here) && isPerson(there) ? [{ ...one, choice: null }] : []
  })

function withMeanings(
  before: Readonly<Record<string, string>>,
  said: readonly Meaning[],
): Readonly<Record<string, string>> {
  const all = new Map(Object.entries(before))
  for (const { word, choice } of said)
    if (choice === null) all.delete(memorable(word))
    else all.set(memorable(word), choice)
  return Object.fromEntries(all)
}
