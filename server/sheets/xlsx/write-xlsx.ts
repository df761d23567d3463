import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Cell } from '../cells.ts'
import { escaped } from './escape.ts'
import { CONTENT_TYPES, ROOT_RELATIONS, STYLES, workbook, workbookRelations } from './parts.ts'

/*
 * A workbook as a stream of bytes: each sheet is made while it is sent, so that its size costs no memory. Every text is
 * a cell of text, whatever it begins with, so that no spreadsheet takes it for a formula.
 */

/** How the values of a column are kept: days and moments as the numbers that spreadsheets reckon with. */
export type ColumnForm = 'text' | 'number' | 'flag' | 'day' | 'instant'

export interface XlsxColumn {
  readonly title: string
  readonly form: ColumnForm
  /** What a cell is chosen from. */
  readonly choices?: readonly string[]
}

export interface XlsxSheet {
  readonly name: string
  readonly columns: readonly XlsxColumn[]
  /** In chunks, each asked for when the one before it is written. */
  readonly rows: () => AsyncIterable<readonly (readonly Cell[])[]>
}

/** @returns the bytes of a workbook; what goes wrong while its rows are read breaks the stream off */
export function xlsxOf(sheets: readonly XlsxSheet[]): Readable {
  const zip = new ZipFile()
  const names = namesOf(sheets)
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime: EPOCH })
  add('[Content_Types].xml', CONTENT_TYPES(sheets.length))
  add('_rels/.rels', ROOT_RELATIONS)
  add('xl/workbook.xml', workbook(names))
  add('xl/_rels/workbook.xml.rels', workbookRelations(sheets.length))
  add('xl/styles.xml', STYLES)
  const out = zip.outputStream as Readable
  zip.on('error', (error) => out.destroy(error))
  for (const [index, sheet] of sheets.entries())
    zip.addReadStreamLazy(`xl/worksheets/sheet${index + 1}.xml`, { mtime: EPOCH }, (ready) => {
      const part = Readable.from(sheetXml(sheet), { objectMode: false, highWaterMark: CHUNK })
      out.on('close', () => part.destroy())
      ready(null, part)
    })
  zip.end()
  return out
}

const CHUNK = 64 * 1024
/** The same rows are the same bytes, whenever they are written. */
const EPOCH = new Date('2020-01-01T00:00:00Z')

/** As spreadsheets take them: at most 31 letters, without some signs, and each once. */
function namesOf(sheets: readonly XlsxSheet[]): string[] {
  const taken = new Set<string>()
  return sheets.map(({ name }) => {
    const plain = name.replaceAll(/[\\/?*[\]:]/g, ' ').slice(0, 28)
    for (let number = 1; ; number++) {
      const one = number === 1 ? plain : `${plain} ${number}`
      if (taken.has(one.toLowerCase())) continue
      taken.add(one.toLowerCase())
      return one
    }
  })
}

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

async function* sheetXml({ columns, rows }: XlsxSheet): AsyncGenerator<string> {
  const letters = columns.map((_, index) => letterOf(index))
  const widths = columns.map(({ title, form }) => Math.min(50, Math.max(title.length + 4, WIDTHS[form])))
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('')}</cols><sheetData><row r="1">${columns.map(({ title }, index) => textCell(`${letters[index]}1`, title, HEAD)).join('')}</row>`
  let row = 1
  for await (const chunk of rows()) {
    const xml = chunk.map((cells) => {
      row += 1
      return `<row r="${row}">${cells.map((cell, index) => cellXml(`${letters[index]}${row}`, columns[index]!.form, cell)).join('')}</row>`
    })
    yield xml.join('')
  }
  const last = letters.at(-1) ?? 'A'
  yield `</sheetData><autoFilter ref="A1:${last}${row}"/>${choicesXml(columns, letters)}</worksheet>`
}

const WIDTHS: Readonly<Record<ColumnForm, number>> = { text: 24, number: 10, flag: 8, day: 12, instant: 20 }

/** As they stand in `STYLES`. */
const [HEAD, TEXT, DAY, INSTANT] = [1, 2, 3, 4]

const DAY_MS = 86_400_000
/** Spreadsheets count the days from here, and before March 1900 otherwise than the calendar does. */
const FIRST = Date.UTC(1899, 11, 30)
const RIGHT_FROM = Date.UTC(1900, 2, 1)

function cellXml(place: string, form: ColumnForm, cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c r="${place}"><v>${cell}</v></c>` : ''
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (form === 'day' || form === 'instant') {
    const time = Date.parse(cell)
    if (time >= RIGHT_FROM)
      return `<c r="${place}" s="${form === 'day' ? DAY : INSTANT}"><v>${(time - FIRST) / DAY_MS}</v></c>`
  }
  return textCell(place, cell, TEXT)
}

const textCell = (place: string, text: string, style: number | undefined): string =>
  `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

/** What is chosen from is offered by the cells beneath the head, where it is short enough for a spreadsheet. */
function choicesXml(columns: readonly XlsxColumn[], letters: readonly string[]): string {
  const all = columns.flatMap(({ choices = [] }, index) => {
    const list = choices.join(',')
    if (choices.length === 0 || list.length > 250 || choices.some((one) => one.includes(','))) return []
    return `<dataValidation type="list" allowBlank="1" sqref="${letters[index]}2:${letters[index]}1048576"><formula1>"${escaped(list.replaceAll('"', '""'))}"</formula1></dataValidation>`
  })
  return all.length > 0 ? `<dataValidations count="${all.length}">${all.join('')}</dataValidations>` : ''
}

/** A, B … Z, AA. */
export function letterOf(index: number): string {
  const rest = Math.floor(index / 26)
  return `${rest > 0 ? letterOf(rest - 1) : ''}${String.fromCharCode(65 + (index % 26))}`
}
