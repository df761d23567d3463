import { isDayAlone } from '../../../model/times.ts'
import { Refusal } from '../../refusal.ts'
import { type Cell, fitted } from '../cells.ts'
import type { FileForm, FilePart } from '../file-form.ts'
import { escaped } from './escape.ts'
import { CONTENT_TYPES, ROOT_RELATIONS, STYLES, workbook, workbookRelations } from './parts.ts'
import { BYTES_AT_MOST, directoryOf, EMPTY_PART, type PartState, packed, partFoot, partHead } from './zip.ts'

/*
 * A workbook as a file that grows by rows, so that its size costs no memory. Every text is a cell of text, whatever it
 * begins with, so that no spreadsheet takes it for a formula.
 */

/**
 * How the values of a column are kept: days and moments as the numbers that spreadsheets reckon with. Until when something
 * holds is a day, or a moment; a moment that begins a day would be read as all of that day, so such a one is a text.
 */
export type ColumnForm = 'text' | 'number' | 'flag' | 'day' | 'instant' | 'until'

export interface XlsxColumn {
  readonly title: string
  readonly form: ColumnForm
  /** What a cell is chosen from. */
  readonly choices?: readonly string[]
  /** Width in characters, if not derived from the title and form. */
  readonly width?: number
  /** Whether long text is wrapped and shown from the top of the cell. */
  readonly isWrapped?: boolean
}

export interface XlsxSheet {
  readonly name: string
  readonly columns: readonly XlsxColumn[]
}

/** How far each sheet has come, and how many rows it has with its head. */
type SheetState = PartState & { readonly rows: number }
interface WorkbookState {
  /** Of what stands before the sheets. */
  readonly fixed: readonly PartState[]
  readonly sheets: readonly SheetState[]
}

/** Sections are what stands before the sheets, each sheet, and the directory behind them. */
export function xlsxForm(sheets: readonly XlsxSheet[]): FileForm<readonly Cell[], WorkbookState> {
  const names = namesOf(sheets)
  const fixed: readonly (readonly [path: string, text: string])[] = [
    ['[Content_Types].xml', CONTENT_TYPES(sheets.length)],
    ['_rels/.rels', ROOT_RELATIONS],
    ['xl/workbook.xml', workbook(names)],
    ['xl/_rels/workbook.xml.rels', workbookRelations(sheets.length)],
    ['xl/styles.xml', STYLES],
  ]
  const pathOf = (sheet: number) => `xl/worksheets/sheet${sheet + 1}.xml`
  const letters = sheets.map(({ columns }) => columns.map((_, index) => letterOf(index)))

  return {
    begin: async () => {
      const parts: FilePart[] = []
      const whole = async (path: string, text: string) => {
        const { bytes, state } = await packed(text, EMPTY_PART)
        parts.push({ section: 0, bytes: Buffer.concat([partHead(path), bytes, partFoot(state)]) })
        return state
      }
      const before: PartState[] = []
      for (const [path, text] of fixed) before.push(await whole(path, text))
      const begun = sheets.map(async ({ columns }, sheet): Promise<SheetState> => {
        const { bytes, state } = await packed(opening(columns, letters[sheet]!), EMPTY_PART)
        parts.push({ section: sheet + 1, bytes: Buffer.concat([partHead(pathOf(sheet)), bytes]) })
        return { ...state, rows: 1 }
      })
      return { state: { fixed: before, sheets: await Promise.all(begun) }, parts }
    },
    add: async (state, sheet, rows) => {
      const before = state.sheets[sheet]!
      const { columns } = sheets[sheet]!
      const xml = rows.map((cells, at) => rowXml(columns, letters[sheet]!, before.rows + at + 1, cells))
      const { bytes, state: grown } = await packed(xml.join(''), before)
      const after = { ...grown, rows: before.rows + rows.length }
      const all = state.sheets.with(sheet, after)
      const sum = all.reduce((most, one) => Math.max(most, one.size), 0)
      const size = all.reduce((bytes, one) => bytes + one.packed, 0)
      if (Math.max(sum, size) > BYTES_AT_MOST || after.rows > ROWS_AT_MOST) throw tooLarge()
      return { state: { ...state, sheets: all }, parts: [{ section: sheet + 1, bytes }] }
    },
    end: async ({ fixed: before, sheets: grown }) => {
      const parts: FilePart[] = []
      const ended: { name: string; state: PartState }[] = fixed.map(([name], at) => ({
        name,
        state: before[at]!,
      }))
      for (const [sheet, one] of grown.entries()) {
        const { columns } = sheets[sheet]!
        const { bytes, state } = await packed(closing(columns, letters[sheet]!, one.rows), one)
        parts.push({ section: sheet + 1, bytes: Buffer.concat([bytes, partFoot(state)]) })
        ended.push({ name: pathOf(sheet), state })
      }
      return [...parts, { section: sheets.length + 1, bytes: directoryOf(ended) }]
    },
  }
}

/** As many as a sheet has. */
const ROWS_AT_MOST = 1_048_576

const tooLarge = () =>
  new Refusal('conflict', 'It is more than a workbook holds: take CSV, or narrow the filters.')

/**
 * As spreadsheets take them: at most 31 letters, without some signs, no apostrophe at either end, each once, and none
 * that they keep for themselves.
 */
function namesOf(sheets: readonly XlsxSheet[]): string[] {
  const taken = new Set(['history'])
  return sheets.map(({ name }) => {
    const whole = name
      .replaceAll(/[\\/?*[\]:]/g, ' ')
      .slice(0, 31)
      .toWellFormed()
    const plain = whole.replace(/^['\s]+/, '').replace(/['\s]+$/, '') || 'Sheet'
    for (let number = 1; ; number++) {
      const one = number === 1 ? plain : `${plain.slice(0, 28).toWellFormed().trimEnd()} ${number}`
      if (taken.has(one.toLowerCase())) continue
      taken.add(one.toLowerCase())
      return one
    }
  })
}

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

type Columns = readonly XlsxColumn[]
type Letters = readonly string[]

function opening(columns: Columns, letters: Letters): string {
  const widths = columns.map(
    ({ title, form, width }) => width ?? Math.min(50, Math.max(title.length + 4, WIDTHS[form])),
  )
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('')}</cols><sheetData><row r="1">${columns.map(({ title }, index) => textCell(`${letters[index]}1`, title, HEAD)).join('')}</row>`
}

const rowXml = (columns: Columns, letters: Letters, row: number, cells: readonly Cell[]): string =>
  `<row r="${row}">${cells.map((cell, index) => cellXml(`${letters[index]}${row}`, columns[index]!, cell)).join('')}</row>`

const closing = (columns: Columns, letters: Letters, rows: number): string =>
  `</sheetData><autoFilter ref="A1:${letters.at(-1) ?? 'A'}${rows}"/>${choicesXml(columns, letters, rows + ROWS_TO_COME)}</worksheet>`

const WIDTHS: Readonly<Record<ColumnForm, number>> = {
  text: 24,
  number: 10,
  flag: 8,
  day: 12,
  instant: 20,
  until: 20,
}

/** As they stand in `STYLES`. */
const [HEAD, TEXT, DAY, INSTANT, WRAPPED] = [1, 2, 3, 4, 5]

const DAY_MS = 86_400_000
/** Spreadsheets count the days from here, and before March 1900 otherwise than the calendar does. */
const FIRST = Date.UTC(1899, 11, 30)
const RIGHT_FROM = Date.UTC(1900, 2, 1)

function cellXml(place: string, { form, isWrapped }: XlsxColumn, cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c r="${place}"><v>${cell}</v></c>` : ''
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (form === 'day' || form === 'instant' || form === 'until') {
    const time = Date.parse(cell)
    const isDay = form === 'day' || (form === 'until' && isDayAlone(cell))
    if (time >= RIGHT_FROM && (isDay || form !== 'until' || time % DAY_MS !== 0))
      return `<c r="${place}" s="${isDay ? DAY : INSTANT}"><v>${(time - FIRST) / DAY_MS}</v></c>`
  }
  return textCell(place, cell, isWrapped ? WRAPPED : TEXT)
}

const textCell = (place: string, text: string, style: number | undefined): string =>
  `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(fitted(text))}</t></is></c>`

/** Beneath what is written there is room for more, but not for all that may be: programs make a cell of each. */
const ROWS_TO_COME = 2_000

/** What is chosen from is offered by the cells beneath the head, where it is short enough for a spreadsheet. */
function choicesXml(columns: Columns, letters: Letters, lastRow: number): string {
  const all = columns.flatMap(({ choices = [] }, index) => {
    const list = choices.join(',')
    if (choices.length === 0 || list.length > 250 || choices.some((one) => one.includes(','))) return []
    return `<dataValidation type="list" allowBlank="1" sqref="${letters[index]}2:${letters[index]}${lastRow}"><formula1>"${escaped(list.replaceAll('"', '""'))}"</formula1></dataValidation>`
  })
  return all.length > 0 ? `<dataValidations count="${all.length}">${all.join('')}</dataValidations>` : ''
}

/** A, B … Z, AA. */
export function letterOf(index: number): string {
  const rest = Math.floor(index / 26)
  return `${rest > 0 ? letterOf(rest - 1) : ''}${String.fromCharCode(65 + (index % 26))}`
}
