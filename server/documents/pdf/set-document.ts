import PDFDocument from 'pdfkit'
import { charactersOf } from '../characters.ts'
import type { Block, Fact, Figure, Heading, PaperDocument, PaperPicture, Paragraph } from '../document.ts'
import { isDrawable } from '../drawable.ts'
import { fitted } from '../fitted.ts'
import { Fonts } from './fonts.ts'
import type { Pen } from './glyph-pen.ts'
import { missingCharacters } from './missing-characters.ts'
import { setTable } from './set-table.ts'
import { Shaper } from './shaping.ts'
import { PALE, type Setting, Sheets, type Style } from './sheets.ts'

const TITLE: Style = { size: 20, weight: 'bold' }
const SUBTITLE: Style = { size: 12 }
const TEXT: Style = { size: 10 }
const FACT = { name: { size: 8, colour: PALE }, value: { size: 9 } } satisfies Record<string, Style>
const HEADINGS: Readonly<Record<Heading['level'], Style>> = {
  1: { size: 16, weight: 'bold' },
  2: { size: 13, weight: 'bold' },
  3: { size: 11, weight: 'bold' },
}
/** Facts beside each other. */
const FACTS_IN_LINE = { portrait: 2, landscape: 3 } as const
const INDENT = 16

/**
 * Sets a document; what it returns ends by itself.
 * @param fontsFolder of further fonts, or null for none
 */
export function setDocument(document: PaperDocument, fontsFolder: string | null): NodeJS.ReadableStream {
  const characters = charactersOf(document)
  const fonts = new Fonts(fontsFolder, characters.keys(), document.language)
  const setting: Setting = { fonts, shaper: new Shaper() }
  const whole = { ...document, facts: [...document.facts, ...missingCharacters(characters, fonts)] }
  const counted = setAll(new Sheets(whole, setting, null, 0), whole)
  const pen = penFor(document)
  setAll(new Sheets(whole, setting, pen, counted), whole)
  pen.end()
  return pen
}

function penFor({ title, subtitle, author, language, madeAt, orientation }: PaperDocument): Pen {
  return new PDFDocument({
    autoFirstPage: false,
    size: 'A4',
    layout: orientation,
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    // None of the library's own.
    font: null as never,
    info: {
      Title: `${title}: ${subtitle}`,
      Author: author,
      Creator: 'Plumbline',
      Producer: 'Plumbline',
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  }) as Pen
}

/** @returns how many sheets it takes */
function setAll(sheets: Sheets, document: PaperDocument): number {
  setTop(sheets, document)
  for (const block of document.blocks) setBlock(sheets, block, document)
  return sheets.number
}

function setTop(sheets: Sheets, { title, subtitle, facts, orientation, hasCover }: PaperDocument): void {
  if (hasCover) sheets.y += sheets.whole / 4
  sheets.paragraph(title, TITLE)
  sheets.paragraph(subtitle, SUBTITLE)
  sheets.y += 10
  setFacts(sheets, facts, FACTS_IN_LINE[orientation])
  if (hasCover) sheets.turn()
  else sheets.y += 12
}

/** Names over their values, in rows. */
function setFacts(sheets: Sheets, facts: readonly Fact[], inLine: number): void {
  const [high, each] = [sheets.lineHeight(FACT.name), sheets.lineHeight(FACT.value)]
  for (const row of rowsOf(facts, inLine)) {
    const width = row[0]!.isWide ? sheets.width : sheets.width / inLine
    const values = row.map(({ value }) => sheets.lines(value, width - 12, FACT.value))
    const most = Math.max(...values.map(({ length }) => length))
    const height = high + most * each + 8
    // What no sheet is large enough for begins where it stands, and goes on over the next.
    const isLarge = height > sheets.whole
    if (sheets.room < (isLarge ? high + 3 * each : height)) sheets.turn()
    sheets.rule(sheets.y)
    sheets.y += 4
    const xOf = (index: number) => sheets.left + index * width
    for (const [index, { name }] of row.entries())
      sheets.writeOne(name, xOf(index), sheets.y, width - 12, FACT.name)
    sheets.y += high
    for (let at = 0; at < most; at += 1) {
      if (sheets.room < each) sheets.turn()
      for (const [index, lines] of values.entries()) {
        const line = lines[at]
        if (line) sheets.write(line, xOf(index), sheets.y, FACT.value)
      }
      sheets.y += each
    }
    sheets.y += 4
  }
  sheets.rule(sheets.y)
}

function rowsOf(facts: readonly Fact[], inLine: number): readonly (readonly Fact[])[] {
  const rows: Fact[][] = []
  for (const fact of facts) {
    const last = rows.at(-1)
    if (!last || fact.isWide || last[0]!.isWide || last.length === inLine) rows.push([fact])
    else last.push(fact)
  }
  return rows
}

function setBlock(sheets: Sheets, block: Block, { pictures = [] }: PaperDocument): void {
  if (block.form === 'table') setTable(sheets, block)
  else if (block.form === 'figure') setFigure(sheets, block, pictures[block.picture]!)
  else if (block.form === 'heading') setHeading(sheets, block)
  else setParagraph(sheets, block)
}

function setHeading(sheets: Sheets, { level, text }: Heading): void {
  const style = HEADINGS[level]
  sheets.y += style.size * 0.6
  // It stays with the first lines beneath it.
  if (sheets.room < sheets.lineHeight(style) + 3 * sheets.lineHeight(TEXT)) sheets.turn()
  sheets.bookmark(text, level)
  sheets.paragraph(text, style)
  sheets.y += style.size * 0.3
}

function setParagraph(sheets: Sheets, { text, mark, depth = 0 }: Paragraph): void {
  const indent = depth * INDENT
  if (mark === undefined) sheets.paragraph(text, TEXT, { indent })
  else sheets.paragraph(text, TEXT, { indent: indent + INDENT, mark: { text: mark, room: INDENT } })
  sheets.y += TEXT.size * 0.5
}

/** Signs of a picture are as large as those of a screen. */
const POINTS_OF_SIGN = 0.75

function setFigure(sheets: Sheets, { text, depth = 0 }: Figure, picture: PaperPicture): void {
  if (!isDrawable(picture)) {
    setParagraph(sheets, { form: 'paragraph', text: `[${text}]`, ...(depth > 0 ? { depth } : {}) })
    return
  }
  const left = sheets.left + depth * INDENT
  const own = { width: picture.width * POINTS_OF_SIGN, height: picture.height * POINTS_OF_SIGN }
  const size = fitted(own, { width: sheets.left + sheets.width - left, height: sheets.whole * 0.9 })
  if (sheets.room < size.height) sheets.turn()
  sheets.picture(picture.bytes, left, sheets.y, size)
  sheets.y += size.height + TEXT.size * 0.5
}
