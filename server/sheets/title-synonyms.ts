import type { Kind } from '../../model/kind.ts'
import type { SheetColumn } from './columns.ts'
import { folded, withoutBrackets } from './reading/alike.ts'
import { formsOfTitle, titlesOfField } from './vocabulary/words.ts'

/*
 * Which columns of a kind the titles in a file probably mean, by what registers usually call them (vocabulary/). The
 * result is a suggestion: the user sees it and can change it.
 */

/** A column that a title may mean. The lowest rank is the most likely. */
interface Candidate {
  readonly at: number
  readonly key: string
  readonly rank: number
}

const OF_SHORT_FORM = 1_000
const OF_LINKS = 500
const OF_PART = 2_000

/**
 * @param titles by their place in the file; only those that are still open
 * @param taken the keys that are no longer free
 * @returns the key for each place, each key at most once
 */
export function columnsMeant(
  kind: Kind,
  columns: readonly SheetColumn[],
  titles: ReadonlyMap<number, string>,
  taken: ReadonlySet<string>,
): ReadonlyMap<number, string> {
  const open = columns.filter(({ isTaken, key }) => isTaken && !taken.has(key))
  const candidates = [...titles].flatMap(([at, title]) => candidatesOf(kind, open, at, title))
  const found = new Map<number, string>()
  const used = new Set<string>()
  for (const { at, key } of candidates.toSorted((one, other) => one.rank - other.rank || one.at - other.at)) {
    if (found.has(at) || used.has(key)) continue
    found.set(at, key)
    used.add(key)
  }
  return found
}

/** All columns that one title may mean, the most likely first. */
export const meantBy = (kind: Kind, columns: readonly SheetColumn[], title: string): readonly string[] =>
  candidatesOf(
    kind,
    columns.filter(({ isTaken }) => isTaken),
    0,
    title,
  )
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ key }) => key)

function candidatesOf(
  kind: Kind,
  columns: readonly SheetColumn[],
  at: number,
  title: string,
): readonly Candidate[] {
  const forms = [...new Set([title, withoutBrackets(title)].flatMap((one) => formsOfTitle(kind, one)))]
  // As in "Name / Serial no.".
  const parts = title.includes('/') ? title.split('/').flatMap((part) => formsOfTitle(kind, part)) : []
  return columns.flatMap((column) => {
    const ranks = forms.flatMap((form, place) => {
      const rank = rankOf(kind, columns, column, form)
      return rank === undefined ? [] : [rank + (place === 0 ? 0 : OF_SHORT_FORM + place)]
    })
    const inParts = column.side
      ? []
      : parts.flatMap((part) => {
          const rank = rankOf(kind, columns, column, part)
          return rank === undefined ? [] : [rank + OF_PART]
        })
    const all = [...ranks, ...inParts]
    return all.length > 0 ? [{ at, key: column.key, rank: Math.min(...all) }] : []
  })
}

function rankOf(
  kind: Kind,
  columns: readonly SheetColumn[],
  column: SheetColumn,
  form: string,
): number | undefined {
  if (lettersOf(column).includes(form)) return 0
  if (column.side) return folded(column.side.noun.one) === form ? OF_LINKS : undefined
  return (
    titlesOfField(kind, column.key).get(form) ??
    (amountCalled(columns, form) === column ? OF_LINKS : undefined)
  )
}

const known = new WeakMap<SheetColumn, readonly string[]>()

function lettersOf(column: SheetColumn): readonly string[] {
  const before = known.get(column)
  if (before) return before
  const letters = [folded(column.title), folded(column.key)]
  known.set(column, letters)
  return letters
}

/** The amount of an object that is called as the whole. A cost with several amounts means none of them. */
function amountCalled(columns: readonly SheetColumn[], form: string): SheetColumn | undefined {
  const amounts = columns.filter(
    ({ field, path, title }) =>
      field.isMoney && path.length > 1 && folded(title.slice(0, title.lastIndexOf(': '))) === form,
  )
  return amounts.length === 1 ? amounts[0] : undefined
}

/** All words for the columns of a kind, by which its sheet is found in a workbook. */
export const wordsForColumns = (kind: Kind, columns: readonly SheetColumn[]): readonly string[] =>
  columns.flatMap(({ title, key, isTaken }) => [
    folded(title),
    folded(key),
    ...(isTaken ? titlesOfField(kind, key).keys() : []),
  ])
