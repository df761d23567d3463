import { join } from 'node:path'
import { linesOf } from '../../model/lines.ts'
import { startLimited, tooLong } from '../limited-process.ts'
import { inTurn } from '../limited-turns.ts'
import { beneath, headOf, shownTop, topOf } from '../sheets/find-head.ts'
import { type FoundRow, readFile, LIMITS as TABLE_LIMITS, titleOf } from '../sheets/read-file.ts'
import type { Catalog, CatalogRequirement, LibraryParts } from './catalog.ts'
import type { LibraryReading, Reading, Refused } from './reading/faults.ts'
import { LIMITS } from './reading/limits.ts'
import type { TableHead } from './reading/program.ts'
import type { Hierarchy, TableAbout } from './reading/table.ts'
import { COLUMN_NAMES, type ColumnName, proposedFor, TITLES as TITLES_OF } from './reading/table-columns.ts'

/*
 * What somebody uploads as a framework is read by programs without rights (limited-process.ts): by one of this room, and
 * of a table the cells by that of spreadsheets before.
 */

export type { Fault, LibraryReading, Reading } from './reading/faults.ts'
export { LIMITS } from './reading/limits.ts'
export type { Hierarchy, TableAbout } from './reading/table.ts'
export { COLUMN_NAMES, type ColumnName } from './reading/table-columns.ts'

/** Of a table, which is read by another program. */
export const TABLE_BYTES = TABLE_LIMITS.bytes

export const PROGRAM = join(import.meta.dirname, 'reading', 'program.ts')

/** What it reads beside its own folder. */
const READS = [join(import.meta.dirname, 'catalog.ts')]

/**
 * Reads an OSCAL document, a ZIP archive of these, or a library of CISO Assistant.
 * @param document the name of the document of an archive that is read
 * @returns the catalog, or all that is wrong with the file
 * @throws {Refusal} `unavailable` where many files wait to be read
 */
export const readCatalog = (
  organizationId: string,
  bytes: Buffer,
  document?: string,
): Promise<LibraryReading> =>
  inTurn(organizationId, 'reads', () =>
    readInProcess(document === undefined ? [] : ['catalog', document], [bytes]),
  )

/** A table by its head, and what its columns are taken for. */
export interface FoundTable {
  /** Of a workbook; none of any other file. */
  readonly sheets: readonly string[]
  readonly sheet: string | null
  readonly headRow: number
  /** The rows at the top, one of which is the head. */
  readonly top: readonly { readonly row: number; readonly text: string }[]
  readonly columns: readonly {
    readonly title: string
    readonly field: ColumnName | null
    readonly samples: readonly string[]
  }[]
}

/** What is said of a table where its form does not say it. */
export interface TableOptions {
  readonly sheet?: string | null
  readonly hierarchy?: Hierarchy
  readonly headRow?: number
  /** What each column is taken for, in their order; by the titles, where it is left out. */
  readonly columns?: readonly (ColumnName | null)[]
}

const SAMPLES = 3

/**
 * Reads a table, as CSV or a workbook.
 * @param about what a table does not say of itself
 * @throws {Refusal} `validation_failed` for what is no table; `unavailable` where many files wait to be read
 */
export async function readCatalogTable(
  organizationId: string,
  bytes: Buffer,
  about: Omit<TableAbout, 'format'>,
  { sheet = null, hierarchy, headRow, columns: chosen }: TableOptions = {},
): Promise<Reading & { readonly table: FoundTable }> {
  const file = await readFile(organizationId, bytes, sheet, TITLES)
  const format = file.sheet === null ? 'csv' : 'xlsx'
  const top = topOf(file)
  const named = (titles: readonly string[]) => proposedFor(titles).filter((name) => name !== null).length
  const head = headOf(top, headRow ?? null, named)
  const stretches = beneath(file, head.number)
  const fields = chosen ?? proposedFor(head.titles)
  const first = stretches.length > 0 ? (JSON.parse(stretches[0]!) as { rows: FoundRow[] }).rows : []
  const table: FoundTable = {
    ...{ sheets: file.sheets, sheet: file.sheet, headRow: head.number, top: top.map(shownTop) },
    columns: head.titles.map((title, index) => ({
      title,
      field: fields[index] ?? null,
      samples: first
        .map(([, cells]) =>
          titleOf(cells[index] ?? null)
            .slice(0, SAMPLE_AT_MOST)
            .toWellFormed(),
        )
        .filter((text) => text !== '')
        .slice(0, SAMPLES),
    })),
  }
  const told: TableHead = {
    ...{ head: head.titles, headRow: head.number, columns: chosen ?? null },
    ...{ about: { ...about, format }, hierarchy: hierarchy ?? null },
  }
  const lines = [JSON.stringify(told), ...stretches.map((stretch) => `\n${stretch}`)]
  const reading = (await inTurn(organizationId, 'reads', () => readInProcess(['table'], lines))) as Reading
  return { ...reading, table }
}

const SAMPLE_AT_MOST = 100

type Line =
  | { readonly requirements: readonly CatalogRequirement[] }
  | {
      readonly about: Omit<Catalog, 'requirements'>
      readonly notes: readonly string[]
      readonly parts?: LibraryParts
    }
  | { readonly parts: LibraryParts; readonly notes: readonly string[] }
  | Refused

async function readInProcess(
  args: readonly string[],
  chunks: readonly (Uint8Array | string)[],
): Promise<LibraryReading> {
  const { heapMb, milliseconds } = LIMITS
  const reader = startLimited({ file: PROGRAM, reads: READS, args, heapMb, milliseconds })
  for (const chunk of chunks) reader.stdin.write(chunk)
  reader.stdin.end()
  const requirements: CatalogRequirement[] = []
  let reading: LibraryReading | null = null
  let letters = 0
  for await (const text of linesOf(reader.stdout.setEncoding('utf8'))) {
    letters += text.length
    if (letters > LIMITS.letters) {
      reader.kill('SIGKILL')
      return broken(TOO_LARGE)
    }
    const line = parsed(text)
    if (!line) break
    if ('requirements' in line) requirements.push(...line.requirements)
    else if ('about' in line) {
      const { about, ...rest } = line
      reading = { catalog: { ...about, requirements }, ...rest }
    } else reading = line
  }
  const { signal } = await reader.ended
  return reading ?? broken(signal === 'SIGKILL' ? TOO_LONG : TOO_MUCH)
}

/** The last line of a process that was ended may be half a line. */
function parsed(line: string): Line | null {
  try {
    return JSON.parse(line) as Line
  } catch {
    return null
  }
}

/** By which the sheet of a workbook with requirements is known. */
const TITLES = COLUMN_NAMES.flatMap((name) => TITLES_OF[name])

const broken = (message: string): Refused => ({ faults: [{ place: '', message }], more: 0 })

const TOO_LONG = tooLong(LIMITS.milliseconds, 'leave out what is no framework, or import it in parts.')
const TOO_LARGE = `The framework has more than ${LIMITS.letters / 1_000_000} million letters once its parameters are filled in: shorten the values of parameters, or import it in parts.`
const TOO_MUCH = 'The file takes too much memory to read: leave out what is no framework.'
