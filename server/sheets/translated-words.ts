import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { type BulkChange, mappedColumns } from './bulk-change.ts'
import { itemsIn } from './cells.ts'
import { isPerson, type MappedColumn, memorable } from './columns.ts'
import { type Lookups, lookUp, namesOfPeople, Wanted } from './lookups.ts'
import { noteWanted, optionCalled, personSaid } from './take-cell.ts'

/*
 * Words of a file that no choice or person is called by, and that somebody has said the meaning of, for this file or for
 * one before it: they are taken for that without an error, and so they are told.
 */

export interface Translated {
  /** Its place in the file; of a name that stands in several columns the first. */
  readonly column: number
  readonly field: string
  /** As it stands in the file; its letters alone where it stands there in no row. */
  readonly word: string
  /** The key of a choice, or the id of somebody. */
  readonly choice: string
  readonly title: string
  readonly count: number
}

/** @returns each word with what it stands for, those of the file first; nothing of a selection */
export async function translatedIn(context: TransactionContext, bulk: BulkChange): Promise<Translated[]> {
  const mapped = await mappedColumns(context, bulk)
  const told = mapped.filter(({ column }) => column.meanings)
  if (told.length === 0) return []
  const { tx } = context
  const places = told.map(({ index }) => index)
  const cells = await tx.read<StandingCell>(cellsAt(tx.organizationId, bulk.id, places))
  const people = told.filter(({ column }) => isPerson(column))
  const [names, lookups] = await Promise.all([
    namesOfPeople(
      tx,
      people.flatMap(({ column }) => [...column.meanings!.values()]),
    ),
    lookUpNames(context, people, cells),
  ])
  const all = told.flatMap((one) =>
    wordsOf(
      one,
      cells.filter(({ place }) => place === one.index),
      lookups,
    ).flatMap((found) => {
      const title = isPerson(one.column) ? names.get(found.choice) : one.column.words.get(found.choice)
      return title === undefined ? [] : [{ ...found, title }]
    }),
  )
  return together(all, new Set(people.map(({ index }) => index))).toSorted(
    (one, other) => other.count - one.count,
  )
}

interface StandingCell {
  readonly place: number
  readonly text: string
  readonly count: number
}

/** Who is called by those names of a file of which something was said. */
async function lookUpNames(
  context: TransactionContext,
  people: readonly MappedColumn[],
  cells: readonly StandingCell[],
): Promise<Lookups> {
  const wanted = new Wanted()
  for (const { index, column } of people)
    for (const { place, text } of cells)
      if (place === index && column.meanings!.has(memorable(text))) noteWanted(column, text, wanted)
  return lookUp(context, wanted, () => Promise.resolve(new Map()))
}

function wordsOf(
  { index, column }: MappedColumn,
  cells: readonly StandingCell[],
  lookups: Lookups,
): Omit<Translated, 'title'>[] {
  const saysItself = (word: string) =>
    isPerson(column)
      ? column.meanings!.has(memorable(word)) && !personSaid(column, word, lookups)
      : optionCalled(column.words, word) !== undefined
  const counted = new Map<string, { word: string; count: number }>()
  for (const { text, count } of cells)
    for (const word of column.field.form === 'choices' ? itemsIn(text) : [text.trim()]) {
      if (saysItself(word)) continue
      const letters = memorable(word)
      const before = counted.get(letters)
      counted.set(letters, { word: before?.word ?? word, count: (before?.count ?? 0) + count })
    }
  return [...column.meanings!].map(([letters, choice]) => ({
    ...{ column: index, field: column.key, choice },
    ...(counted.get(letters) ?? { word: letters, count: 0 }),
  }))
}

/** What is said of a name holds in all columns of people, and is told once. */
function together(all: readonly Translated[], ofPeople: ReadonlySet<number>): Translated[] {
  const told = new Map<string, Translated>()
  for (const one of all.toSorted((first, other) => Number(first.count === 0) - Number(other.count === 0))) {
    const about = ofPeople.has(one.column) ? 'people' : one.column
    const key = JSON.stringify([about, memorable(one.word)])
    const before = told.get(key)
    told.set(key, before ? { ...before, count: before.count + one.count } : one)
  }
  return [...told.values()]
}

/** Lists of JSON have choices by their keys alone. */
const cellsAt = statement(`
  select place, cells->>place as text, count(*)::int as count
    from bulk_change_rows, unnest($3::int[]) as place
   where organization_id = $1 and bulk_change_id = $2 and jsonb_typeof(cells->place) in ('string', 'number')
   group by place, cells->>place order by min(number)`)
