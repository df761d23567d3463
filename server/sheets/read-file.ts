import { join } from 'node:path'
import { linesOf } from '../../model/lines.ts'
import { startLimited, tooLong } from '../limited-process.ts'
import { inTurn } from '../limited-turns.ts'
import { invalid } from '../refusal.ts'
import { folded } from './reading/alike.ts'
import { type Found, type FoundCell, LIMITS } from './reading/found.ts'

/*
 * What somebody uploads is read by a program without rights (reading/program.ts, limited-process.ts).
 */

export type { FoundCell, FoundRow } from './reading/found.ts'
export { LIMITS, titleOf } from './reading/found.ts'

export interface ReadFile {
  /** Of a workbook; none of any other. */
  readonly sheets: readonly string[]
  readonly sheet: string | null
  /** What stands in the first row that has anything in it, and its number. */
  readonly head: readonly string[]
  readonly headRow: number
  /** Its rows in stretches, each as JSON: `{"rows": [[number, cells], …]}`. */
  readonly stretches: readonly string[]
}

export const isEmpty = (cell: FoundCell): boolean =>
  cell === null || (typeof cell === 'string' && cell.trim() === '')

export const PROGRAM = join(import.meta.dirname, 'reading', 'program.ts')

/**
 * @param sheet that is wanted of a workbook; where null, the first that names columns, or has several with rows
 * @param titles what columns are called, by which a sheet of a workbook is known
 * @throws {Refusal} `validation_failed` for a file that cannot be read, which says why; `unavailable` where many wait
 */
export const readFile = (
  organizationId: string,
  bytes: Buffer,
  sheet: string | null,
  titles: readonly string[] = [],
): Promise<ReadFile> => inTurn(organizationId, 'reads', () => readInProcess(bytes, sheet, titles))

/** No more than a process takes as its arguments. */
const TITLES_AT_MOST = 4_000
const LETTERS_AT_MOST = 60

async function readInProcess(
  bytes: Buffer,
  wanted: string | null,
  titles: readonly string[],
): Promise<ReadFile> {
  const letters = titles.map((title) => folded(title).slice(0, LETTERS_AT_MOST).toWellFormed())
  const asked = { wanted, titles: [...new Set(letters)].slice(0, TITLES_AT_MOST) }
  const reader = startLimited({
    file: PROGRAM,
    args: [JSON.stringify(asked)],
    heapMb: LIMITS.heapMb,
    milliseconds: LIMITS.milliseconds,
  })
  reader.stdin.end(bytes)
  const read = {
    sheets: [] as readonly string[],
    sheet: null as string | null,
    head: [] as readonly string[],
    headRow: 0,
  }
  const stretches: string[] = []
  let fault: string | null = null
  let count = 0
  for await (const line of linesOf(reader.stdout.setEncoding('utf8'))) {
    count += line.length
    if (count > LIMITS.allLetters) {
      reader.kill('SIGKILL')
      throw invalid({ path: 'content', message: lowered(TOO_LARGE) })
    }
    if (line.startsWith('{"rows":')) {
      stretches.push(line)
      continue
    }
    const found = parsed(line)
    if (!found) break
    if ('fault' in found) fault = found.fault
    else Object.assign(read, found)
  }
  const { code, signal } = await reader.ended
  if (fault === null && code !== 0) fault = signal === 'SIGKILL' ? TOO_LONG : TOO_MUCH
  if (fault !== null) throw invalid({ path: 'content', message: lowered(fault) })
  return { ...read, stretches }
}

/** The last line of a process that was ended may be half a line. */
function parsed(line: string): Found | null {
  try {
    return JSON.parse(line) as Found
  } catch {
    return null
  }
}

const lowered = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '')

const TOO_LONG = tooLong(LIMITS.milliseconds, 'leave out what is not imported, or import it in parts.')
const TOO_LARGE = `It has more than ${LIMITS.allLetters / 1_000_000} million letters in all its cells: import it in parts.`
const TOO_MUCH = 'It takes too much memory to read: leave out what is not imported, or import it in parts.'
