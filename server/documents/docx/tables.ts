import { BorderStyle, ShadingType, Table, TableCell, TableLayoutType, TableRow, WidthType } from 'docx'
import type { Fact, Table as PaperTable, Row, Section, Words } from '../document.ts'
import { paragraphOf } from './runs.ts'

const SIZE = 18
const LINE = { style: BorderStyle.SINGLE, size: 4, color: 'b9bcc4' }
const NONE = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const BORDERS = {
  ...{ top: LINE, bottom: LINE, insideHorizontal: LINE },
  ...{ left: NONE, right: NONE, insideVertical: NONE },
}
const MARGINS = { top: 60, bottom: 60, left: 80, right: 80 }
const SHADE = { type: ShadingType.CLEAR, fill: 'eef0f4', color: 'auto' }

const isSection = (row: Row): row is Section => 'section' in row

/** A table whose head stands on each page that it comes to. */
export function tableOf({ columns, rows }: PaperTable, width: number): Table {
  const all = columns.reduce((sum, { share }) => sum + share, 0)
  const widths = columns.map(({ share }) => Math.floor((width * share) / all))
  return new Table({
    ...frame(widths),
    rows: [
      new TableRow({
        tableHeader: true,
        children: columns.map(({ title }, at) =>
          cell(title, { width: widths[at]!, isBold: true, isHead: true }),
        ),
      }),
      ...rows.map((row) =>
        isSection(row)
          ? new TableRow({
              children: [
                cell(row.section, { width, isBold: true, isHead: row.level === 0, span: columns.length }),
              ],
            })
          : new TableRow({
              children: columns.map(({ isBold = false }, at) =>
                cell(row.cells[at] ?? '', { width: widths[at]!, isBold }),
              ),
            }),
      ),
    ],
  })
}

/** Names beside their values. */
export function factTable(facts: readonly Fact[], width: number): Table {
  const widths = [Math.floor(width * 0.3), Math.floor(width * 0.7)]
  return new Table({
    ...frame(widths),
    rows: facts.map(
      ({ name, value }) =>
        new TableRow({
          children: [cell(name, { width: widths[0]!, isBold: true }), cell(value, { width: widths[1]! })],
        }),
    ),
  })
}

const frame = (columnWidths: number[]) => ({
  width: { size: columnWidths.reduce((sum, one) => sum + one, 0), type: WidthType.DXA },
  ...{ columnWidths, layout: TableLayoutType.FIXED, borders: BORDERS, margins: MARGINS },
})

const cell = (
  words: Words,
  {
    width,
    isBold = false,
    isHead = false,
    span = 1,
  }: { width: number; isBold?: boolean; isHead?: boolean; span?: number },
): TableCell =>
  new TableCell({
    width: { size: width, type: WidthType.DXA },
    ...(span > 1 ? { columnSpan: span } : {}),
    ...(isHead ? { shading: SHADE } : {}),
    children: [
      paragraphOf(words, { spacing: { after: 0 } }, { size: SIZE, ...(isBold ? { bold: true } : {}) }),
    ],
  })
