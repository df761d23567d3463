/*
 * What is found in a file, as the process that reads it tells the one that asked: lines of JSON on standard output.
 */

/** A cell as it stands in a file: a date that the spreadsheet itself knows as one, and what JSON has, are told apart. */
export type FoundCell =
  | string
  | number
  | boolean
  | null
  /** Of a spreadsheet that keeps it as a date: ISO 8601, as if in UTC. */
  | { readonly date: string }
  /** Of a file of JSON: a list, or an object. */
  | { readonly json: unknown }

/** A row with the number by which a spreadsheet shows it, counted from 1. */
export type FoundRow = readonly [number: number, cells: readonly FoundCell[]]

export type Found =
  | { readonly sheets: readonly string[]; readonly sheet: string | null }
  /** What stands in the first row that has anything in it, and by which number a spreadsheet shows it. */
  | { readonly head: readonly string[]; readonly headRow: number }
  | { readonly rows: readonly FoundRow[] }
  /** Why it cannot be read, in a sentence that says what to do. */
  | { readonly fault: string }

/** A cell as the name of a column. */
export const titleOf = (cell: FoundCell): string =>
  cell === null
    ? ''
    : typeof cell === 'object'
      ? 'date' in cell
        ? cell.date.slice(0, 10)
        : ''
      : String(cell).trim()

/** What a file may hold. */
export const LIMITS = {
  bytes: 10 * 1024 * 1024,
  /** All its parts together, taken apart. */
  inflated: 120 * 1024 * 1024,
  parts: 2_000,
  sheets: 200,
  /** Looked at for the one that has the records: all that they share is read anew for each. */
  sheetsTried: 8,
  /** Rows at the top among which the names of the columns are looked for. */
  headAmong: 20,
  rows: 50_000,
  /** Rows that have nothing in them, which take as long to read as others. */
  blankRows: 50_000,
  /** By which a row may be shown. */
  number: 2_000_000,
  columns: 300,
  /** Of a cell: more than the longest text of any kind. */
  letters: 60_000,
  /**
   * Of all cells together. A small workbook becomes a long table where many cells share one text, and the service holds
   * the table in memory.
   */
  allLetters: 64_000_000,
  /** Of a cell of JSON, written out; and how deep lists and objects may stand in each other there. */
  jsonLetters: 256 * 1024,
  depth: 20,
  milliseconds: 20_000,
  /** What the process that reads may keep of it at a time. */
  heapMb: 160,
} as const

/** Why a file cannot be read. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}
