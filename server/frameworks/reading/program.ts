import { readLibrary } from './ca-library.ts'
import { type LibraryReading, type Reading, readingOf } from './faults.ts'
import { readOscalDocument } from './oscal.ts'
import { readOscalArchive } from './oscal-archive.ts'
import { modelOf, parseDocument } from './oscal-document.ts'
import { isObject, Shape } from './shape.ts'
import { type Hierarchy, readTable, type TableAbout } from './table.ts'
import type { ColumnName } from './table-columns.ts'

/*
 * Reads a catalog of anybody's: a program of its own, which has little memory, no rights and nothing to lose. It takes
 * the bytes on standard input, and tells what it finds on standard output, a line of JSON for each stretch of it. Of a
 * table it takes what the program of spreadsheets found in it: a line with its head, and its rows in lines behind it.
 *
 * usage: program.ts [table | catalog [DOCUMENT]]
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

const ZIP = Buffer.from('PK\u0003\u0004')

/** A document of OSCAL, in any of its forms, or else a library of CISO Assistant. */
const readDocument = (bytes: Buffer): LibraryReading =>
  readingOf((findings) => {
    const parsed = parseDocument(bytes, findings)
    if (!parsed) return findings.refused()
    const isLibrary = !modelOf(parsed.value) && isObject(parsed.value) && parsed.value.objects !== undefined
    return isLibrary
      ? readLibrary(parsed.value, new Shape(findings, parsed.placeOf), findings)
      : findings.reading(readOscalDocument(parsed, findings))
  })

async function tellReading(found: LibraryReading): Promise<void> {
  if (!('catalog' in found)) return tell(found)
  const { requirements, ...about } = found.catalog
  for (let from = 0; from < requirements.length; from += STRETCH)
    await tell({ requirements: requirements.slice(from, from + STRETCH) })
  await tell({ about, notes: found.notes, ...(found.parts && { parts: found.parts }) })
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
const [, , what, document] = process.argv
await tellReading(
  what === 'table'
    ? readFoundTable(bytes)
    : bytes.subarray(0, 4).equals(ZIP)
      ? await readOscalArchive(bytes, document)
      : readDocument(bytes),
)
