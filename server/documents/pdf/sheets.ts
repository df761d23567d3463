import type PDFDocument from 'pdfkit'
import type { PaperDocument, Run, Words } from '../document.ts'
import { plainWords } from '../words.ts'
import { HEIGHT, type Letters, type Weight } from './letters.ts'
import { type Line, linesOf, settable } from './lines.ts'

/*
 * The sheets that a document is set on: where the next line comes, and how much room is left. Nothing is set but lines of
 * text, pictures, rules and shades.
 *
 * Each sheet says how many there are, and none is kept until that is known: so a document is set twice, the first time
 * without a pen, which tells the number.
 */

export const INK = '#1c1d21'
export const PALE = '#6a6d75'
const RULE = '#b9bcc4'
const SHADE = '#eef0f4'

/** A4, in points. */
const SIDES = { long: 841.89, short: 595.28 }
const MARGINS = { top: 48, bottom: 48, side: 40 }
const EDGE = { head: 26, foot: 32, style: { size: 7, colour: PALE } }

/** How some letters of a text look: letters that look alike share one. */
export interface Look {
  readonly weight: Weight
  readonly isItalic: boolean
  readonly isCode: boolean
}

const LOOKS = (['regular', 'bold'] as const).flatMap((weight) =>
  [false, true].flatMap((isItalic) => [false, true].map((isCode): Look => ({ weight, isItalic, isCode }))),
)

/** Words by how they look; the address of a link stands beside it. */
const piecesOf = (words: Words, weight: Weight): Line<Look> =>
  (typeof words === 'string' ? [{ text: words } as Run] : words).map((run) => {
    const look = {
      weight: run.isBold ? 'bold' : weight,
      isItalic: run.isItalic === true,
      isCode: run.isCode === true,
    }
    const isSame = (one: Look) =>
      one.weight === look.weight && one.isItalic === look.isItalic && one.isCode === look.isCode
    return { text: plainWords([run]), look: LOOKS.find(isSame)! }
  })

export interface Style {
  readonly size: number
  readonly weight?: Weight
  readonly colour?: string
}

/** With what its types leave out. */
export type Pen = InstanceType<typeof PDFDocument> & { openImage(bytes: Uint8Array): object }

export class Sheets {
  readonly left = MARGINS.side
  readonly width: number
  /** What is left of an empty one. */
  readonly whole: number
  y = 0
  number = 0
  readonly #document: PaperDocument
  readonly #letters: Letters
  readonly #pen: Pen | null
  readonly #total: number
  readonly #height: number
  readonly #pictures = new Map<Uint8Array, object>()
  #bookmarks: PDFKit.PDFOutline[]

  /** @param pen none, where it is only counted; then `total` does not matter */
  constructor(document: PaperDocument, letters: Letters, pen: Pen | null, total: number) {
    const isWide = document.orientation === 'landscape'
    this.#height = isWide ? SIDES.short : SIDES.long
    this.width = (isWide ? SIDES.long : SIDES.short) - 2 * MARGINS.side
    this.whole = this.#height - MARGINS.top - MARGINS.bottom
    this.#document = document
    this.#letters = letters
    this.#pen = pen
    this.#total = total
    this.#bookmarks = pen ? [pen.outline] : []
    this.turn()
  }

  /** What is left of this sheet. */
  get room(): number {
    return this.#height - MARGINS.bottom - this.y
  }

  turn(): void {
    this.#pen?.addPage()
    this.number += 1
    this.y = MARGINS.top
    const { title, subtitle, footer } = this.#document
    const number = `Page ${this.number} of ${this.#total}`
    const wide = this.#letters.widthOf(number, 'regular') * EDGE.style.size
    const foot = this.#height - EDGE.foot
    if (this.number > 1) this.writeOne(`${title}: ${subtitle}`, this.left, EDGE.head, this.width, EDGE.style)
    this.writeOne(footer, this.left, foot, this.width - wide - 24, EDGE.style)
    this.write(number, this.left + this.width - wide, foot, EDGE.style)
  }

  lineHeight({ size }: Style): number {
    return size * HEIGHT
  }

  /** The text in lines that are no wider. */
  lines(text: string, width: number, style: Style): readonly string[] {
    return this.wordLines(text, width, style).map((line) => line.map((piece) => piece.text).join(''))
  }

  /** The same of words of which some stand out. */
  wordLines(words: Words, width: number, { size, weight = 'regular' }: Style): readonly Line<Look>[] {
    const pieces = piecesOf(words, weight).map(({ text, look }) => ({
      text: settable(text, this.#letters.has),
      look,
    }))
    return linesOf(pieces, width, (some, look) => this.#letters.widthOf(some, look.weight) * size)
  }

  /** One line, whose top is at `y`. */
  write(line: string, x: number, y: number, { size, weight = 'regular', colour = INK }: Style): void {
    if (line !== '')
      this.#pen?.font(weight).fontSize(size).fillColor(colour).text(line, x, y, { lineBreak: false })
  }

  /** As much of it as stands in one line that is no wider. */
  writeOne(text: string, x: number, y: number, width: number, style: Style): void {
    const [line = '', ...more] = this.lines(text, width - style.size, style)
    this.write(more.length > 0 ? `${line} …` : line, x, y, style)
  }

  /** A line of words of which some stand out. */
  writeLine(line: Line<Look>, x: number, y: number, style: Style): void {
    let at = x
    for (const { text, look } of line) {
      const wide = this.#letters.widthOf(text, look.weight) * style.size
      if (look.isCode) this.#pen?.rect(at, y, wide, this.lineHeight(style)).fill(SHADE)
      const { colour = INK, size } = style
      this.#pen
        ?.font(look.weight)
        .fontSize(size)
        .fillColor(colour)
        .text(text, at, y, { lineBreak: false, oblique: look.isItalic })
      at += wide
    }
  }

  /** Lines one beneath the other, over as many sheets as they take. */
  paragraph(words: Words, style: Style, x = this.left): void {
    const height = this.lineHeight(style)
    for (const line of this.wordLines(words, this.left + this.width - x, style)) {
      if (this.room < height) this.turn()
      this.writeLine(line, x, this.y, style)
      this.y += height
    }
  }

  /** What stands before lines that begin at `x`; a number that is wider than its room reaches out to the left. */
  mark(mark: string, x: number, room: number, style: Style): void {
    const wide = this.#letters.widthOf(mark, 'regular') * style.size
    this.write(mark, Math.min(x - room, x - wide - style.size * 0.3), this.y, style)
  }

  /** One that is shown twice is in the file once. */
  picture(bytes: Uint8Array, x: number, y: number, size: { width: number; height: number }): void {
    if (!this.#pen) return
    const known = this.#pictures.get(bytes) ?? this.#pen.openImage(bytes)
    this.#pictures.set(bytes, known)
    this.#pen.image(known as never, x, y, { ...size, ignoreOrientation: true } as never)
  }

  rule(y: number): void {
    this.#pen
      ?.moveTo(this.left, y)
      .lineTo(this.left + this.width, y)
      .lineWidth(0.5)
      .stroke(RULE)
  }

  shade(y: number, height: number): void {
    this.#pen?.rect(this.left, y, this.width, height).fill(SHADE)
  }

  /** Leads here: beneath the last one of a lower level. */
  bookmark(text: string, level: number): void {
    if (!this.#pen) return
    const above = this.#bookmarks.slice(0, Math.max(1, level))
    const shown = settable(text, () => true)
      .replaceAll('\n', ' ')
      .slice(0, 200)
      .toWellFormed()
    const place = { top: this.y, left: this.#pen.page.width, expanded: level < 2 }
    this.#bookmarks = [...above, above.at(-1)!.addItem(shown, place as never)]
  }
}
