import { LIMITS } from '../../../server/frameworks/reading/limits.ts'
import { type Hierarchy, readTable } from '../../../server/frameworks/reading/table.ts'
import { smallTable } from '../catalog-samples.ts'
import type { Planted } from './planted.ts'

/* What may be wrong in a table. */

/** [the column, what the cell becomes, the words] */
const CELLS: readonly (readonly [number, unknown, RegExp])[] = [
  [0, null, /^is empty: give the key/],
  [0, { date: '2026-01-05T00:00:00.000Z' }, /^is a date or an object: make the cell a text/],
  [0, 'K'.repeat(200), /^has 200 letters/],
  [2, 'x'.repeat(501), /^has 501 letters/],
  [3, 'x'.repeat(LIMITS.text + 1), /^has 20001 letters/],
  [4, 'chapter', /“chapter”: give one of group, requirement/],
  [5, 'perhaps', /“perhaps”: give one of/],
  [7, 'must', /“must”: give one of mandatory/],
  [8, 'heavy', /“heavy”: give a number/],
  [9, 1.5, /“1.5”: give a whole number/],
]

type Sample = ReturnType<typeof smallTable>

export function readChanged(change: (table: Sample) => void = () => {}, hierarchy?: Hierarchy) {
  const { head, rows } = smallTable()
  const table = { head, rows }
  change(table)
  const numbered = table.rows.map((cells, index) => [index + 2, cells] as const)
  const about = { format: 'csv', key: 'urn:own:x', edition: '1', name: 'X' } as const
  return readTable({ head: table.head, rows: numbered }, about, hierarchy)
}

const planted = (
  rule: string,
  change: (table: Sample) => void,
  place: string | RegExp,
  message: RegExp,
  hierarchy?: Hierarchy,
): Planted => ({ rule, place, message, reading: () => readChanged(change, hierarchy) })

/** A cell that becomes something else. */
const cell = (at: number, column: number, value: unknown) => (table: Sample) => {
  table.rows[at]![column] = value
}

const title = (column: number, value: string) => (table: Sample) => {
  table.head[column] = value
}

const rows = (all: unknown[][]) => (table: Sample) => {
  table.rows = all
}

const inCells = CELLS.flatMap(([column, value, message]) =>
  [1, 3, 5, 9].map((at) =>
    planted(
      `${column} of ${at}: ${String(JSON.stringify(value)).slice(0, 40)}`,
      cell(at, column, value),
      `row ${at + 2}, column ${'ABCDEFGHIJ'[column]}`,
      message,
    ),
  ),
)

const inRows = [1, 3, 5].flatMap((at) => {
  const row = `row ${at + 2}`
  return [
    planted(`no such parent, ${at}`, cell(at, 1, '99'), row, /“99”, which never comes/),
    planted(`itself as its parent, ${at}`, cell(at, 1, `${(at + 1) / 2}.1`), row, /^stands beneath itself/),
    planted(`a key twice, ${at}`, cell(at, 0, '5'), /^row \d+$/, /“5”, as row \d+ has/),
    planted(`a jump, ${at}`, cell(at, 9, 7), row, /has depth 7 behind one of 1: give at most 2/, 'depth'),
    planted(`no depth, ${at}`, cell(at, 9, null), row, /^has no depth: give 1/, 'depth'),
  ]
})

const chain = Array.from({ length: 100 }, (_, at) => [`k${at}`, at > 0 ? `k${at - 1}` : null, 'Deep'])

const whole = [
  planted('no keys', title(0, 'Colour'), 'row 1', /^No column is called “key”/),
  planted('a column twice', title(3, 'Name'), 'row 1, column D', /as column C is/),
  planted('no rows', rows([]), '', /no requirement/),
  planted('no depths', title(9, 'Colour'), '', /no column “depth”/, 'depth'),
  planted('100 levels', rows(chain), 'row 22', /^stands 21 deep/),
]

export const tableFaults = [...inCells, ...inRows, ...whole]
