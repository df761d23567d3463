import type { Row, Section, Table, Words } from '../document.ts'
import type { Line } from './lines.ts'
import type { Look, Sheets, Style } from './sheets.ts'

/*
 * A table over as many sheets as it takes: its head stands on each of them, a row that does not fit goes to the next whole,
 * and one that no sheet is large enough for goes on there.
 */

const SIZE = 8
const PADDING = { x: 4, y: 3 }

interface Placed {
  readonly x: number
  readonly width: number
  readonly style: Style
  readonly lines: readonly Line<Look>[]
}

const isSection = (row: Row): row is Section => 'section' in row

export function setTable(sheets: Sheets, table: Table): void {
  const height = sheets.lineHeight({ size: SIZE })
  const headHeight = setHead(sheets, table)
  const turn = () => {
    sheets.turn()
    setHead(sheets, table)
  }
  const heightOf = (lines: number) => lines * height + 2 * PADDING.y
  for (const row of table.rows) {
    if (isSection(row)) {
      // A heading stays with the row beneath it.
      if (sheets.room < heightOf(1) + heightOf(2)) turn()
      setSection(sheets, row)
      continue
    }
    const cells = placed(sheets, table, row.cells)
    const most = Math.max(1, ...cells.map(({ lines }) => lines.length))
    if (heightOf(most) > sheets.room && heightOf(most) <= sheets.whole - headHeight) turn()
    for (let from = 0; from < most; ) {
      if (sheets.room < heightOf(1)) turn()
      const fit = Math.min(most - from, Math.max(1, Math.floor((sheets.room - 2 * PADDING.y) / height)))
      setLines(sheets, cells, from, fit)
      sheets.y += heightOf(fit)
      sheets.rule(sheets.y)
      from += fit
    }
  }
}

/** @returns how high it is */
function setHead(sheets: Sheets, table: Table): number {
  const cells = placed(
    sheets,
    { ...table, columns: table.columns.map((column) => ({ ...column, isBold: true })) },
    table.columns.map(({ title }) => title),
  )
  const most = Math.max(1, ...cells.map(({ lines }) => lines.length))
  const height = most * sheets.lineHeight({ size: SIZE }) + 2 * PADDING.y
  if (sheets.room < 3 * height) sheets.turn()
  sheets.shade(sheets.y, height)
  setLines(sheets, cells, 0, most)
  sheets.y += height
  sheets.rule(sheets.y)
  return height
}

function setSection(sheets: Sheets, { section, level }: Section): void {
  const style: Style = { size: SIZE + (level === 0 ? 1 : 0), weight: 'bold' }
  const height = sheets.lineHeight(style) + 2 * PADDING.y
  sheets.bookmark(section, level + 1)
  if (level === 0) sheets.shade(sheets.y, height)
  sheets.writeOne(section, sheets.left + PADDING.x, sheets.y + PADDING.y, sheets.width - 2 * PADDING.x, style)
  sheets.y += height
  sheets.rule(sheets.y)
}

function placed(sheets: Sheets, { columns }: Table, texts: readonly Words[]): readonly Placed[] {
  const all = columns.reduce((sum, { share }) => sum + share, 0)
  let x = sheets.left
  return columns.map(({ share, isBold }, index) => {
    const width = (sheets.width * share) / all
    const style: Style = { size: SIZE, weight: isBold ? 'bold' : 'regular' }
    const inner = width - 2 * PADDING.x
    const lines = sheets.lines(texts[index] ?? '', inner, style)
    const cell = { x: x + PADDING.x, width: inner, style, lines }
    x += width
    return cell
  })
}

function setLines(sheets: Sheets, cells: readonly Placed[], from: number, count: number): void {
  for (const { x, width, style, lines } of cells)
    for (const [index, line] of lines.slice(from, from + count).entries())
      sheets.writeWithin(line, x, sheets.y + PADDING.y + index * sheets.lineHeight(style), width, style)
}
