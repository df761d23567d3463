import { join } from 'node:path'
import { linesOf } from '../../model/lines.ts'
import { startLimited } from '../limited-process.ts'
import { inTurn } from '../limited-turns.ts'
import { readFile, LIMITS as TABLE_LIMITS } from '../sheets/read-file.ts'
import type { Catalog, CatalogRequirement } from './catalog.ts'
import type { Reading } from './reading/faults.ts'
import { LIMITS } from './reading/limits.ts'
import type { TableHead } from './reading/program.ts'
import type { Hierarchy, TableAbout } from './reading/table.ts'

/*
 * What somebody uploads as a framework is read by programs without rights (limited-process.ts): by one of this room, and
 * of a table the cells by that of spreadsheets before.
 */

export type { Fault, Reading } from './reading/faults.ts'
export { LIMITS } from './reading/limits.ts'
export type { Hierarchy, TableAbout } from './reading/table.ts'

/** Of a table, which is read by another program. */
export const TABLE_BYTES = TABLE_LIMITS.bytes

export const PROGRAM = join(import.meta.dirname, 'reading', 'program.ts')

/** What it reads beside its own folder. */
const READS = [join(import.meta.dirname, 'catalog.ts')]

/**
 * Reads OSCAL in JSON, or a library of CISO Assistant in YAML, whichever it is.
 * @returns the catalog, or all that is wrong with the file
 * @throws {Refusal} `unavailable` where many files wait to be read
 */
export const readCatalog = (organizationId: string, bytes: Buffer): Promise<Reading> =>
  inTurn(organizationId, 'reads', () => readInProcess([], [bytes]))

/**
 * Reads a table, as CSV or a workbook.
 * @param about what a table does not say of itself
 * @param hierarchy what tells which requirement stands beneath which; by the columns that are there, where it is left out
 * @throws {Refusal} `validation_failed` for what is no table; `unavailable` where many files wait to be read
 */
export async function readCatalogTable(
  organizationId: string,
  bytes: Buffer,
  about: Omit<TableAbout, 'format'>,
  { sheet = null, hierarchy }: { readonly sheet?: string | null; readonly hierarchy?: Hierarchy } = {},
): Promise<Reading> {
  const file = await readFile(organizationId, bytes, sheet)
  const format = file.sheet === null ? 'csv' : 'xlsx'
  const head: TableHead = { head: file.head, about: { ...about, format }, hierarchy: hierarchy ?? null }
  const lines = [JSON.stringify(head), ...file.stretches.map((stretch) => `\n${stretch}`)]
  return inTurn(organizationId, 'reads', () => readInProcess(['table'], lines))
}

type Line =
  | { readonly requirements: readonly CatalogRequirement[] }
  | { readonly about: Omit<Catalog, 'requirements'>; readonly notes: readonly string[] }
  | Extract<Reading, { faults: unknown }>

async function readInProcess(
  args: readonly string[],
  chunks: readonly (Uint8Array | string)[],
): Promise<Reading> {
  const { heapMb, milliseconds } = LIMITS
  const reader = startLimited({ file: PROGRAM, reads: READS, args, heapMb, milliseconds })
  for (const chunk of chunks) reader.stdin.write(chunk)
  reader.stdin.end()
  const requirements: CatalogRequirement[] = []
  let reading: Reading | null = null
  for await (const text of linesOf(reader.stdout.setEncoding('utf8'))) {
    const line = parsed(text)
    if (!line) break
    if ('requirements' in line) requirements.push(...line.requirements)
    else if ('about' in line) reading = { catalog: { ...line.about, requirements }, notes: line.notes }
    else reading = line
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

const broken = (message: string): Reading => ({ faults: [{ place: '', message }], more: 0 })

const TOO_LONG = 'The file takes too long to read: leave out what is no framework.'
const TOO_MUCH = 'The file takes too much memory to read: leave out what is no framework.'
