import type PDFDocument from 'pdfkit'
import type { Face } from './fonts.ts'
import type { Glyph, Shaped } from './shaping.ts'

/*
 * Writes glyphs into a PDF. The library that writes PDFs sets text only as it shapes it itself, so the operators that show
 * glyphs are written here, and the library embeds the fonts: a subset of each, with widths and the text of each glyph.
 */

/** With what its types leave out. */
export type Pen = InstanceType<typeof PDFDocument> & {
  openImage(bytes: Uint8Array): object
  addContent(operators: string): unknown
  readonly page: { readonly fonts: Record<string, unknown> }
  readonly _font: EmbeddedFont
}

/** A font as the library embeds it. */
interface EmbeddedFont {
  readonly id: string
  ref(): unknown
  readonly subset: { readonly glyphs: number[]; readonly mapping: Record<number, number> }
  /** By the code of a glyph in the subset. */
  readonly widths: number[]
  readonly unicode: number[][]
}

/** Slanted as much as the library slants. */
const SLANT = 0.25

export class GlyphPen {
  readonly #pen: Pen
  readonly #fonts = new Map<Face, { font: EmbeddedFont; codes: Map<string, number> }>()

  constructor(pen: Pen) {
    this.#pen = pen
  }

  /** Glyphs of one line, whose baseline is at `y`. */
  write(
    spans: readonly {
      readonly face: Face
      readonly isOblique: boolean
      readonly x: number
      readonly words: readonly Shaped[]
    }[],
    { y, size, colour }: { y: number; size: number; colour: string },
  ): void {
    if (spans.length === 0) return
    this.#pen.fillColor(colour)
    const operators = ['BT']
    for (const { face, isOblique, x, words } of spans) {
      const { font, codes } = this.#fontOf(face)
      this.#pen.page.fonts[font.id] ??= font.ref()
      // The page is drawn from the top, so that letters are turned over.
      operators.push(`/${font.id} ${number(size)} Tf`)
      operators.push(`1 0 ${isOblique ? SLANT : 0} -1 ${number(x)} ${number(y)} Tm`)
      operators.push(...showing(words, size, (glyph) => codeOf(face, font, codes, glyph), font.widths))
    }
    operators.push('ET')
    this.#pen.addContent(operators.join('\n'))
  }

  #fontOf(face: Face) {
    let known = this.#fonts.get(face)
    if (!known) {
      if (face.postscriptName === null) this.#pen.registerFont(face.name, face.bytes as never)
      else this.#pen.registerFont(face.name, face.bytes as never, face.postscriptName)
      this.#pen.font(face.name)
      known = { font: this.#pen._font, codes: new Map() }
      this.#fonts.set(face, known)
    }
    return known
  }
}

/**
 * The code of a glyph that represents this text. A glyph that represents several texts is in the subset for each of them:
 * the PDF says of a code, and not of a place, what it represents.
 */
function codeOf(face: Face, font: EmbeddedFont, codes: Map<string, number>, glyph: Glyph): number {
  const { id, text, width } = glyph
  const key = `${id} ${width ?? ''} ${text}`
  let code = codes.get(key)
  if (code === undefined) {
    code = font.subset.glyphs.push(id) - 1
    font.subset.mapping[id] ??= code
    font.widths[code] = width ?? face.shaped.glyphHAdvance(id) * face.scale
    font.unicode[code] = Array.from(text === '' ? NOTHING : text, (one) => one.codePointAt(0)!)
    codes.set(key, code)
  }
  return code
}

/** No text, for readers that know nothing of replaced text: a mark that is not seen, and that searches leave out. */
const NOTHING = '\u034f'

function showing(
  words: readonly Shaped[],
  size: number,
  codeOfGlyph: (glyph: Glyph) => number,
  widths: readonly number[],
): string[] {
  const operators: string[] = []
  let shown = ''
  let codes = ''
  let rise = 0
  const endCodes = () => {
    if (codes !== '') shown += `<${codes}>`
    codes = ''
  }
  const move = (by: number) => {
    if (Math.abs(by) < 0.01) return
    endCodes()
    shown += ` ${number(-by)} `
  }
  const flush = () => {
    endCodes()
    if (shown !== '') operators.push(`[${shown}] TJ`)
    shown = ''
  }
  for (const { glyphs, text } of words) {
    if (text !== null) {
      flush()
      operators.push(`/Span <</ActualText <feff${hexOf(text)}>>> BDC`)
    }
    let isHidden = false
    const hide = (hides: boolean) => {
      if (hides === isHidden) return
      flush()
      operators.push(hides ? '/Span <</ActualText <feff>>> BDC' : 'EMC')
      isHidden = hides
    }
    for (const glyph of glyphs) {
      hide(text === null && glyph.text === '')
      if (glyph.dy !== rise) {
        flush()
        rise = glyph.dy
        operators.push(`${number((rise * size) / 1000)} Ts`)
      }
      const code = codeOfGlyph(glyph)
      move(glyph.dx)
      codes += code.toString(16).padStart(4, '0')
      move(glyph.advance - widths[code]! - glyph.dx)
    }
    hide(false)
    if (text !== null) {
      flush()
      operators.push('EMC')
    }
  }
  flush()
  if (rise !== 0) operators.push('0 Ts')
  return operators
}

const hexOf = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')

const number = (value: number): string => String(Math.round(value * 1000) / 1000)
