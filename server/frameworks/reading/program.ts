import { readCaLibrary } from './ca-library.ts'
import type { Reading } from './faults.ts'
import { readOscal } from './oscal.ts'
import { type Hierarchy, readTable, type TableAbout } from './table.ts'
import type { ColumnName } from './table-columns.ts'

/*
 * Reads a catalog of anybody's: a program of its own, which has little memory, no rights and nothing to lose. It takes
 * the bytes on standard input, and tells what it finds on standard output, a line of JSON for each stretch of it. Of a
 * table it takes what the program of spreadsheets found in it: a line with its head, and its rows in lines behind it.
 *
 * usage: program.ts [table]
 */

const STRETCH = 200

async function all(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function tell(line: unknown): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`))
    await new Promise((resolve) => process.stdout.once('drain', resolve))
}

/** JSON begins with a brace, behind the mark and the white space that may stand before it. */
const isJson = (bytes: Buffer): boolean => /^\uFEFF?\s*\{/.test(bytes.subarray(0, 1_000).toString('utf8'))

async function tellReading(found: Reading): Promise<void> {
  if ('faults' in found) return tell(found)
  const { requirements, ...about } = found.catalog
  for (let from = 0; from < requirements.length; from += STRETCH)
    await tell({ requirements: requirements.slice(from, from + STRETCH) })
  await tell({ about, notes: found.notes })
}

/** What a table is told with before its rows. */
export interface TableHead {
  readonly head: readonly string[]
  readonly headRow: number
  readonly columns: readonly (ColumnName | null)[] | null
  readonly about: TableAbout
  readonly hierarchy: Hierarchy | null
}

type Rows = readonly (readonly [number: number, cells: readonly unknown[]])[]

function readFoundTable(bytes: Buffer): Reading {
  const [first, ...stretches] = bytes.toString('utf8').split('\n')
  const { head, headRow, columns, about, hierarchy } = JSON.parse(first!) as TableHead
  const table = { head, headRow, rows: rowsOf(stretches), ...(columns && { columns }) }
  return readTable(table, about, hierarchy ?? undefined)
}

function* rowsOf(stretches: readonly string[]): Generator<Rows[number]> {
  for (const stretch of stretches) yield* (JSON.parse(stretch) as { rows: Rows }).rows
}

const bytes = await all(process.stdin)
await tellReading(
  process.argv[2] === 'table'
    ? readFoundTable(bytes)
    : isJson(bytes)
      ? readOscal(bytes)
      : readCaLibrary(bytes),
)
