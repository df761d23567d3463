import type { PaperDocument, Run, Words } from '../document.ts'
import { plainWords } from '../words.ts'
import { BASELINE, type Fonts, HEIGHT, type Weight } from './fonts.ts'
import { GlyphPen, type Pen } from './glyph-pen.ts'
import { isSettable, type Line, LineSetter, settable } from './lines.ts'
import type { Piece } from './runs.ts'
import type { Shaper } from './shaping.ts'

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
const piecesOf = (words: Words, weight: Weight): readonly Piece<Look>[] =>
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

/** Set before the first line of a paragraph. */
export interface Mark {
  readonly text: string
  readonly room: number
}

export interface Style {
  readonly size: number
  readonly weight?: Weight
  readonly colour?: string
}

/** What documents are set with: shared by both times a document is set. */
export interface Setting {
  readonly fonts: Fonts
  readonly shaper: Shaper
}

export class Sheets {
  readonly left = MARGINS.side
  readonly width: number
  /** What is left of an empty one. */
  readonly whole: number
  y = 0
  number = 0
  readonly #document: PaperDocument
  readonly #fonts: Fonts
  readonly #setter: LineSetter<Look>
  readonly #pen: Pen | null
  readonly #glyphs: GlyphPen | null
  readonly #total: number
  readonly #height: number
  readonly #pictures = new Map<Uint8Array, object>()
  #bookmarks: PDFKit.PDFOutline[]

  /** @param pen none, where it is only counted; then `total` does not matter */
  constructor(document: PaperDocument, { fonts, shaper }: Setting, pen: Pen | null, total: number) {
    const isWide = document.orientation === 'landscape'
    this.#height = isWide ? SIDES.short : SIDES.long
    this.width = (isWide ? SIDES.long : SIDES.short) - 2 * MARGINS.side
    this.whole = this.#height - MARGINS.top - MARGINS.bottom
    this.#document = document
    this.#fonts = fonts
    this.#setter = new LineSetter(fonts, shaper)
    this.#pen = pen
    this.#glyphs = pen && new GlyphPen(pen)
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
    const number = this.#oneLine(`Page ${this.number} of ${this.#total}`, EDGE.style)
    const wide = (number.width * EDGE.style.size) / 1000
    const foot = this.#height - EDGE.foot
    if (this.number > 1) this.writeOne(`${title}: ${subtitle}`, this.left, EDGE.head, this.width, EDGE.style)
    this.writeOne(footer, this.left, foot, this.width - wide - 24, EDGE.style)
    this.write(number, this.left + this.width - wide, foot, EDGE.style)
  }

  lineHeight({ size }: Style): number {
    return size * HEIGHT
  }

  /** The words in lines that are no wider. */
  lines(words: Words, width: number, { size, weight = 'regular' }: Style): readonly Line<Look>[] {
    const pieces = piecesOf(words, weight).map(({ text, look }) => ({
      text: settable(text, (codePoint) => isSettable(codePoint, this.#fonts)),
      look,
    }))
    return this.#setter.lines(pieces, (width * 1000) / size)
  }

  #oneLine(text: string, style: Style): Line<Look> {
    return this.lines(text, Number.POSITIVE_INFINITY, style)[0]!
  }

  /** One line, whose top is at `y`. */
  write(line: Line<Look>, x: number, y: number, { size, colour = INK }: Style): void {
    let at = x
    const spans = line.spans.map(({ run: { face, look }, words, width }) => {
      const wide = (width * size) / 1000
      if (look.isCode) this.#pen?.rect(at, y, wide, size * HEIGHT).fill(SHADE)
      at += wide
      return { face, isOblique: look.isItalic, x: at - wide, words }
    })
    this.#glyphs?.write(spans, { y: y + size * BASELINE, size, colour })
  }

  /** One line between `x` and what is that wide: text that is written from right to left is set at the right. */
  writeWithin(line: Line<Look>, x: number, y: number, width: number, style: Style): void {
    const left = line.isRtl ? width - (line.width * style.size) / 1000 : 0
    this.write(line, x + Math.max(0, left), y, style)
  }

  /** As much of it as one line has room for. */
  writeOne(text: string, x: number, y: number, width: number, style: Style): void {
    const lines = this.lines(text, width - style.size, style)
    if (lines.length === 1) this.write(lines[0]!, x, y, style)
    else this.write(this.#oneLine(`${lines[0]!.text} …`, style), x, y, style)
  }

  /**
   * Lines one beneath the other, over as many sheets as they take.
   * @param indent at the side where its lines begin
   * @param mark a number or bullet in the room before them; one that is wider reaches out
   */
  paragraph(words: Words, style: Style, { indent = 0, mark }: { indent?: number; mark?: Mark } = {}): void {
    const height = this.lineHeight(style)
    const width = this.width - indent
    for (const [index, line] of this.lines(words, width, style).entries()) {
      if (this.room < height) this.turn()
      if (mark && index === 0) this.#mark(mark, indent, style, line.isRtl)
      this.writeWithin(line, this.left + (line.isRtl ? 0 : indent), this.y, width, style)
      this.y += height
    }
  }

  #mark({ text, room }: Mark, indent: number, style: Style, isRtl: boolean): void {
    const line = this.#oneLine(text, style)
    const wide = (line.width * style.size) / 1000
    const gap = Math.max(room, wide + style.size * 0.3)
    const x = isRtl ? this.left + this.width - indent + gap - wide : this.left + indent - gap
    this.write(line, x, this.y, style)
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
