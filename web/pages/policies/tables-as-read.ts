import { diffArrays } from 'diff'
import { readCell } from '../../../model/markdown.ts'
import { type Change, EDITS_AT_MOST, isWhole, sidesOf } from './compare.ts'
import { cellsIn, sortOf } from './passages.ts'
import { runsOfLine, textOf } from './plain-words.ts'
import { type ReadWords, wordsAsRead } from './words-as-read.ts'

/*
 * Rows that follow each other are one table, whatever became of each of them, and are compared cell by cell. The heads
 * say which column is which: one that is new or gone is so in every row.
 */

export interface ReadRow {
  readonly type: 'same' | 'added' | 'removed' | 'moved_here' | 'moved_away' | 'reformatted' | 'changed'
  /** The same one of all rows of a table. */
  readonly table: ReadTable
  readonly isHead: boolean
  /** Of the columns in their order, as far as it was written: who draws it fills it up. */
  readonly cells: readonly ReadCell[]
}

export interface ReadTable {
  /** Those that are gone too. */
  readonly columns: readonly ('same' | 'added' | 'removed')[]
  /** Whether any of its rows is not the same. */
  readonly isChanged: boolean
}

export type ReadCell =
  | {
      readonly type: 'same' | 'added' | 'removed'
      /** In Markdown. */
      readonly text: string
    }
  | { readonly type: 'changed'; readonly words: readonly ReadWords[] }

/** A passage on both sides: null where it is not there. */
interface Sides {
  readonly before: string | null
  readonly after: string | null
}

/** A column on both sides: null where it is not there. */
interface Column {
  readonly from: number | null
  readonly to: number | null
}

/**
 * What became of rows that follow each other, in steps.
 * @returns null where they have no head: then they are words between strokes
 */
export function* readTables(rows: readonly Change[]): Generator<void, ReadRow[] | null> {
  const tables = tablesIn(rows)
  if (!tables[0]?.some(({ isHead }) => isHead)) return null
  const read: ReadRow[] = []
  // One by one: a table may have more rows than a call takes arguments.
  for (const table of tables) for (const row of yield* tableAsRead(table)) read.push(row)
  return read
}

/** Whether it is a row, or words that look like one. */
export const isOfTable = (change: Change): boolean =>
  sortOf(change.type === 'changed' ? sidesOf(change).after! : change.text) !== 'text'

interface Row extends Sides {
  readonly change: Change
  readonly isHead: boolean
}

/** A head begins a table, unless it is the other side's head of the one that it stands in. */
function tablesIn(rows: readonly Change[]): Row[][] {
  const tables: Row[][] = []
  let heads = { before: false, after: false }
  for (const change of rows) {
    const { before, after } = sidesOf(change)
    const isHead = sortOf(after ?? before!) === 'head'
    const isNext = isHead && ((heads.before && before !== null) || (heads.after && after !== null))
    if (isNext || tables.length === 0) tables.push([])
    if (isNext) heads = { before: false, after: false }
    if (isHead) heads = { before: heads.before || before !== null, after: heads.after || after !== null }
    tables.at(-1)!.push({ change, before, after, isHead })
  }
  return tables
}

function* tableAsRead(rows: readonly Row[]): Generator<void, ReadRow[]> {
  const heads = rows.filter(({ isHead }) => isHead)
  const head = {
    before: heads.find(({ before }) => before !== null)?.before ?? null,
    after: heads.find(({ after }) => after !== null)?.after ?? null,
  }
  const columns = columnsOf(head, rows)
  const kinds = columns.map(({ from, to }) => (from === null ? 'added' : to === null ? 'removed' : 'same'))
  const table = { columns: kinds, isChanged: false }
  const found: ReadRow[] = []
  if (heads.length > 0) found.push({ ...rowBetween(head, columns, false), table, isHead: true })
  for (const { change, isHead, ...sides } of rows) {
    if (isHead) continue
    yield
    const row = rowBetween(sides, columns, isWhole(change))
    const type = change.type === 'changed' ? row.type : change.type
    found.push({ ...row, type, table, isHead: false })
  }
  table.isChanged = found.some(({ type }) => type !== 'same')
  return found
}

/** Those of the heads, and behind them as many as the longest row has more: what stands there is read as well. */
function columnsOf({ before, after }: Sides, rows: readonly Row[]): Column[] {
  if (before !== null && after !== null) {
    const [from, to] = [cellsIn(before), cellsIn(after)]
    const beyond = (row: string | null, head: readonly string[]) =>
      row === null ? 0 : cellsIn(row).length - head.length
    const more = rows.reduce(
      (most, row) => Math.max(most, beyond(row.before, from), beyond(row.after, to)),
      0,
    )
    const further = Array.from({ length: more }, (_, at) => ({ from: from.length + at, to: to.length + at }))
    return [...columnsBetween(from, to), ...further]
  }
  const count = rows.reduce((most, row) => Math.max(most, cellsIn(row.after ?? row.before!).length), 0)
  return Array.from({ length: count }, (_, at) => ({ from: at, to: at }))
}

/** Columns of one name are the same; those in each other's place were given another name. */
function columnsBetween(before: readonly string[], after: readonly string[]): Column[] {
  const columns: Column[] = []
  let [from, to] = [0, 0]
  const replaced = (gone: number, come: number) => {
    for (let at = 0; at < Math.max(gone, come); at += 1)
      columns.push({ from: at < gone ? from + at : null, to: at < come ? to + at : null })
    from += gone
    to += come
  }
  const parts = diffArrays([...before], [...after], { maxEditLength: EDITS_AT_MOST })
  if (!parts) replaced(before.length, after.length)
  for (let at = 0; at < (parts?.length ?? 0); at += 1) {
    const { value, added, removed } = parts![at]!
    if (added) replaced(0, value.length)
    else if (!removed) for (const _ of value) columns.push({ from: from++, to: to++ })
    else replaced(value.length, parts![at + 1]?.added ? parts![++at]!.value.length : 0)
  }
  return columns
}

function rowBetween(
  { before, after }: Sides,
  columns: readonly Column[],
  isWholly: boolean,
): Pick<ReadRow, 'type' | 'cells'> {
  const [here, there] = [before === null ? null : cellsIn(before), after === null ? null : cellsIn(after)]
  const written = columns.slice(0, Math.max(endOf(here, 'from', columns), endOf(there, 'to', columns)))
  const cells = written.map(({ from, to }): ReadCell => {
    const gone = from === null || here === null ? null : (here[from] ?? '')
    const come = to === null || there === null ? null : (there[to] ?? '')
    if (gone === null || come === null)
      return gone === come
        ? { type: 'same', text: '' }
        : { type: gone === null ? 'added' : 'removed', text: come ?? gone! }
    return cellBetween(gone, come, isWholly)
  })
  if (here === null || there === null) return { type: here === null ? 'added' : 'removed', cells }
  if (cells.some(({ type }) => type !== 'same')) return { type: 'changed', cells }
  const isSame = written.every(({ from, to }) => (here[from!] ?? '') === (there[to!] ?? ''))
  return { type: isSame ? 'same' : 'reformatted', cells }
}

/** Behind which column a row ends on one side. */
const endOf = (cells: readonly string[] | null, side: 'from' | 'to', columns: readonly Column[]): number =>
  cells ? columns.findLastIndex((column) => column[side] !== null && column[side] < cells.length) + 1 : 0

function cellBetween(before: string, after: string, isWholly: boolean): ReadCell {
  if (before === after) return { type: 'same', text: after }
  const [from, to] = [runsOfLine(readCell(before)), runsOfLine(readCell(after))]
  if (textOf(from) === textOf(to)) return { type: 'same', text: after }
  return { type: 'changed', words: wordsAsRead(from, to, isWholly) }
}
