import { type CsvError, parse } from 'csv-parse'
import { withoutMark } from '../../../model/csv.ts'
import { type FoundRow, LIMITS, Unreadable } from './found.ts'

/*
 * CSV as spreadsheets and programs write it: in UTF-8, UTF-16 or the code page of Windows, parted by commas, semicolons,
 * tabs or strokes.
 */

const SLICE = 256 * 1024

export async function* readCsv(bytes: Buffer): AsyncGenerator<FoundRow> {
  const text = textOf(bytes)
  const parser = parse({
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_ROW,
  })
  // Fed as it is read, so that a long file is never there twice.
  const feed = async () => {
    for (let from = 0; from < text.length; from += SLICE)
      if (!parser.write(text.slice(from, from + SLICE)))
        await new Promise((resolve) => parser.once('drain', resolve))
    parser.end()
  }
  void feed()
  let number = 0
  let blank = 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      number += 1
      if (record.some((cell) => cell.trim() !== ''))
        yield [number, record.map((cell) => (cell.trim() === '' ? null : withoutMark(cell)))]
      else if (++blank > LIMITS.blankRows) throw new Unreadable(BLANK)
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(faultOf(error as CsvError))
  }
}

const BLANK = `It has more than ${LIMITS.blankRows} rows without anything in them: delete these, and save it again.`

const LONGEST_ROW = 1_000_000

/** The parser has come further than the rows that it has handed on: it knows in which it is. */
function faultOf({ code, records }: CsvError): string {
  const row = Number(records) + 1
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `Row ${row} has more than ${LONGEST_ROW} letters: perhaps a quotation mark is never closed.`
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `Row ${row} begins with a quotation mark that is never closed: close it, or write it twice.`
  return `Row ${row} cannot be read as CSV: save it anew from a spreadsheet.`
}

/** By the mark at its beginning; without one UTF-8, or what Windows writes where it is not that. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le')
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be')
  const beginning = bytes.subarray(0, 1_000)
  const zeros = [0, 1].map((at) => beginning.filter((byte, index) => index % 2 === at && byte === 0).length)
  if (zeros[1]! > beginning.length / 4 && zeros[0] === 0) return decoded(bytes, 'utf-16le')
  if (zeros[0]! > beginning.length / 4 && zeros[1] === 0) return decoded(bytes, 'utf-16be')
  try {
    return decoded(bytes, 'utf-8')
  } catch {
    return decoded(bytes, 'windows-1252')
  }
}

const decoded = (bytes: Buffer, encoding: string): string =>
  new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes)

/**
 * What parts the first row most often, outside of quotation marks. Of a line above the head it may be no more than a
 * comma in its title: the row beneath has none.
 */
function delimiterOf(text: string): string {
  const rows = countsIn(text.slice(0, 20_000))
  const parted = rows.findIndex((row, at) => {
    const [sign, count] = mostIn(row)
    const next = rows[at + 1]
    return count > 0 && (next === undefined || next.get(sign)! > 0)
  })
  return mostIn(rows[parted] ?? rows.find((row) => mostIn(row)[1] > 0) ?? new Map())[0]
}

const DELIMITERS = [',', ';', '\t', '|']

/** How often each stands in each row that has anything in it. */
function countsIn(text: string): Map<string, number>[] {
  const none = () => new Map(DELIMITERS.map((one) => [one, 0]))
  const rows: Map<string, number>[] = []
  let [counts, isQuoted, isEmpty] = [none(), false, true]
  for (const letter of `${text}\n`) {
    if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && letter === '\n') {
      if (!isEmpty) rows.push(counts)
      ;[counts, isEmpty] = [none(), true]
    } else if (!isQuoted && counts.has(letter)) counts.set(letter, counts.get(letter)! + 1)
    if (letter.trim() !== '') isEmpty = false
  }
  return rows
}

const mostIn = (counts: ReadonlyMap<string, number>): [sign: string, count: number] =>
  [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [',', 0])
