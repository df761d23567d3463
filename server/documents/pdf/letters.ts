import { join } from 'node:path'
import type PDFDocument from 'pdfkit'

/* The letters that documents are set in: fonts/OFL.txt is their licence. */

export type Weight = 'regular' | 'bold'

const FONTS: Readonly<Record<Weight, string>> = { regular: 'NotoSans-Regular.ttf', bold: 'NotoSans-Bold.ttf' }

/** How high a line of them is, and how far its top is from what surrounds it, by their size. */
export const HEIGHT = 1.362

export class Letters {
  readonly #fonts: Readonly<Record<Weight, Font>>
  readonly #widths: Readonly<Record<Weight, Map<string, number>>> = { regular: new Map(), bold: new Map() }

  constructor(pdf: InstanceType<typeof PDFDocument>) {
    const open = (weight: Weight): Font => {
      pdf.registerFont(weight, join(import.meta.dirname, 'fonts', FONTS[weight]))
      return (pdf.font(weight) as unknown as { _font: { font: Font } })._font.font
    }
    this.#fonts = { regular: open('regular'), bold: open('bold') }
  }

  has = (codePoint: number): boolean => this.#fonts.regular.hasGlyphForCodePoint(codePoint)

  /** At the size of 1. Letters that stand closer in some pairs are taken as wide as they are alone. */
  widthOf(text: string, weight: Weight): number {
    const [font, known] = [this.#fonts[weight], this.#widths[weight]]
    let width = 0
    for (const letter of text) {
      let one = known.get(letter)
      if (one === undefined) {
        one = font.glyphForCodePoint(letter.codePointAt(0)!).advanceWidth / font.unitsPerEm
        known.set(letter, one)
      }
      width += one
    }
    return width
  }
}

/** What the library has of a font, and hands out no other way. */
interface Font {
  readonly unitsPerEm: number
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): { readonly advanceWidth: number }
}
