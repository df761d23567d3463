import { readCsv } from './csv.ts'
import { type Found, type FoundCell, type FoundRow, LIMITS, titleOf, Unreadable } from './found.ts'
import { readJson } from './json.ts'

/*
 * Reads a file of anybody's: a program of its own, which has little memory, no rights and nothing to lose. It takes the
 * bytes on standard input, and tells what it finds on standard output.
 *
 * usage: program.ts [the sheet that is wanted, and what columns are called by their letters, as JSON]
 */

const CHUNK = 200

interface Asked {
  readonly wanted: string | null
  readonly titles: readonly string[]
}

async function open(bytes: Buffer, wanted: string | null, titles: ReadonlySet<string>) {
  if (bytes.length === 0) throw new Unreadable('It is empty.')
  // Loaded for workbooks alone: that takes as long as all the rest.
  if (bytes.subarray(0, 4).equals(ZIP)) return (await import('./xlsx.ts')).readXlsx(bytes, wanted, titles)
  if (bytes.subarray(0, 4).equals(COMPOUND)) throw new Unreadable(OLD)
  const known = Object.entries(OTHERS).find(([, start]) => bytes.subarray(0, start.length).equals(start))
  if (known) throw new Unreadable(`It is ${known[0]}, and no workbook: ${CURE}`)
  const isJson = /^\s*[[{]/.test(bytes.subarray(0, 100).toString('utf8').replace('\uFEFF', ''))
  return { sheets: [], sheet: null, rows: isJson ? readJson(bytes) : readCsv(bytes) }
}

const ZIP = Buffer.from('PK\u0003\u0004')
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const OLD = 'It is of an old form, or protected by a password: save it as .xlsx, without one.'
/** What people rename, by what it begins with. */
const OTHERS = {
  'a PDF': Buffer.from('%PDF-'),
  'a picture': Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  'a photograph': Buffer.from([0xff, 0xd8, 0xff]),
  'a compressed file': Buffer.from([0x1f, 0x8b]),
}
const CURE = 'choose one saved as .xlsx, CSV or JSON.'
const UNORDERED =
  'Its rows are not numbered upwards, or too far down: open it in a spreadsheet, leave out empty rows, and save it anew.'
const BROKEN = 'It cannot be read: open it in a spreadsheet and save it as .xlsx or CSV.'

async function all(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function tellRows(rows: AsyncIterable<FoundRow> | Iterable<FoundRow>): Promise<void> {
  let head: readonly string[] | null = null
  let count = 0
  let last = -1
  let chunk: FoundRow[] = []
  for await (const [number, cells] of rows) {
    if (!Number.isSafeInteger(number) || number <= last || number > LIMITS.number)
      throw new Unreadable(UNORDERED)
    last = number
    const judged = cellsOf(number, cells)
    if (!head) {
      head = judged.map(titleOf)
      await tell({ head, headRow: number })
      continue
    }
    count += 1
    if (count > LIMITS.rows) throw new Unreadable(`It has more than ${LIMITS.rows} rows: import it in parts.`)
    chunk.push([number, judged])
    if (chunk.length < CHUNK) continue
    await tell({ rows: chunk })
    chunk = []
  }
  if (!head)
    throw new Unreadable('It has no row: give one with the names of the columns, and rows beneath it.')
  if (chunk.length > 0) await tell({ rows: chunk })
}

/** The cells of a row up to the last that has something in it. */
function cellsOf(number: number, cells: readonly FoundCell[]): readonly FoundCell[] {
  const last = cells.findLastIndex((cell) => cell !== null && cell !== '')
  if (last >= LIMITS.columns)
    throw new Unreadable(
      `${number === 0 ? 'Together, its objects have' : `Row ${number} has`} more than ${LIMITS.columns} ${number === 0 ? 'names' : 'columns'}: leave out those that are not imported.`,
    )
  return cells.slice(0, last + 1).map((cell, index) => {
    if (typeof cell === 'object' && cell !== null && 'json' in cell) {
      const fault = faultOfJson(cell.json)
      if (fault) throw new Unreadable(`Row ${number}, column ${index + 1} ${fault}.`)
    }
    if (typeof cell !== 'string') return cell
    if (cell.length > LIMITS.letters)
      throw new Unreadable(
        `Row ${number}, column ${index + 1} has more than ${LIMITS.letters} letters: shorten it.`,
      )
    const fault = faultOfText(cell)
    if (fault) throw new Unreadable(`Row ${number}, column ${index + 1} ${fault}.`)
    return cell
  })
}

/** What keeps a list or an object from being kept. */
function faultOfJson(json: unknown): string | null {
  const fault = faultWithin(json, 0)
  if (fault) return fault
  return JSON.stringify(json).length > LIMITS.jsonLetters
    ? `has more than ${LIMITS.jsonLetters} letters: shorten it`
    : null
}

function faultWithin(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return faultOfText(value)
  if (typeof value !== 'object' || value === null) return null
  if (depth === LIMITS.depth)
    return `has more than ${LIMITS.depth} lists and objects within each other: take some out`
  for (const one of Object.entries(value).flat()) {
    const fault = faultWithin(one, depth + 1)
    if (fault) return fault
  }
  return null
}

/** What keeps a text from being kept. */
function faultOfText(text: string): string | null {
  if (text.includes('\u0000')) return 'has a letter U+0000, which nothing can store: remove it'
  return text.isWellFormed() ? null : 'has half a letter of two halves: send whole letters'
}

async function tell(found: Found): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(found)}\n`))
    await new Promise((resolve) => process.stdout.once('drain', resolve))
}

// Behind what it needs: the constants above are there once they were reached.
try {
  const bytes = await all(process.stdin)
  const { wanted, titles } = JSON.parse(process.argv[2]!) as Asked
  const { sheets, sheet, rows } = await open(bytes, wanted, new Set(titles))
  await tell({ sheets, sheet })
  await tellRows(rows)
} catch (error) {
  if (!(error instanceof Unreadable)) console.error(error)
  await tell({ fault: error instanceof Unreadable ? error.message : BROKEN })
}
