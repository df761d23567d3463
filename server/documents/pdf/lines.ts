import LineBreaker from 'linebreak'
import { hasEastAsian, isIgnorable, SPACELESS } from '../scripts.ts'
import { seenLines } from '../words.ts'
import type { Fonts, Weight } from './fonts.ts'
import { type Piece, type Run, Runs } from './runs.ts'
import type { Shaped, Shaper } from './shaping.ts'

/*
 * Text broken into lines, in a time that grows with its length only, whatever it contains. Lines end at spaces, and where
 * a script has none, where the Unicode Line Breaking Algorithm (UAX 14) or a dictionary of words lets them.
 */

/** Words that look alike, from left to right, with the spaces between them. */
export interface Span<Look> {
  readonly run: Run<Look>
  readonly words: readonly Shaped[]
  /** In thousandths of the size, as all widths here. */
  readonly width: number
}

export interface Line<Look> {
  readonly spans: readonly Span<Look>[]
  readonly text: string
  readonly width: number
  /** Is set at the right. */
  readonly isRtl: boolean
}

/** Shown in place of what no font has. */
export const MISSING = '\ufffd'

/** As it can be set: what no font has is shown as missing. */
export const settable = (text: string, has: (codePoint: number) => boolean): string =>
  seenLines(text)
    .map((line) => Array.from(line, (one) => (has(one.codePointAt(0)!) ? one : MISSING)).join(''))
    .join('\n')

export class LineSetter<Look extends { readonly weight: Weight }> {
  readonly #fonts: Fonts
  readonly #shaper: Shaper

  constructor(fonts: Fonts, shaper: Shaper) {
    this.#fonts = fonts
    this.#shaper = shaper
  }

  /**
   * @param width in thousandths of the size
   * @returns at least one line
   */
  lines(pieces: readonly Piece<Look>[], width: number): readonly Line<Look>[] {
    return paragraphsOf(pieces).flatMap((paragraph) => {
      const runs = new Runs(paragraph, this.#fonts)
      const filling = new Filling(runs.text, width, (start, end) => this.#widthOf(runs, start, end))
      return filling.all().map(({ start, end }) => this.#line(runs, start, end))
    })
  }

  #widthOf(runs: Runs<Look>, start: number, end: number): number {
    let width = 0
    for (const run of runs.within(start, end))
      for (const word of wordsOf(runs.text, run)) width += this.#shaper.shape(run.face, word, run.isRtl).width
    return width
  }

  #line(runs: Runs<Look>, start: number, end: number): Line<Look> {
    const spans = runs.seen(start, end).map((run): Span<Look> => {
      const shaped = wordsOf(runs.text, run).map((word) => this.#shaper.shape(run.face, word, run.isRtl))
      const width = shaped.reduce((sum, one) => sum + one.width, 0)
      return { run, words: run.isRtl ? shaped.toReversed() : shaped, width }
    })
    const width = spans.reduce((sum, one) => sum + one.width, 0)
    return { spans, text: runs.text.slice(start, end), width, isRtl: runs.isRtl }
  }
}

/** Words and the spaces between them: what is shaped together. */
const wordsOf = (text: string, { start, end }: Run<unknown>): readonly string[] =>
  text.slice(start, end).match(/ |[^ ]+/g) ?? []

function paragraphsOf<Look>(pieces: readonly Piece<Look>[]): readonly (readonly Piece<Look>[])[] {
  const paragraphs: Piece<Look>[][] = [[]]
  for (const { text, look } of pieces)
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) paragraphs.push([])
      paragraphs.at(-1)!.push({ text: line, look })
    }
  return paragraphs
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Lines that fill one after another: what may not be parted goes to the next as a whole. */
class Filling {
  readonly #text: string
  readonly #width: number
  readonly #widthOf: (start: number, end: number) => number
  readonly #lines: Range[] = []
  /** Of the open line: its end is -1 while it is empty. */
  #start = 0
  #end = -1
  #taken = 0

  constructor(text: string, width: number, widthOf: (start: number, end: number) => number) {
    this.#text = text
    this.#width = width
    this.#widthOf = widthOf
  }

  all(): readonly Range[] {
    let at = 0
    for (const end of breaksOf(this.#text)) {
      const blanks = /^ */.exec(this.#text.slice(at, end))![0].length
      if (at + blanks < end) this.#add(at, at + blanks, end)
      at = end
    }
    this.#lines.push({ start: Math.max(0, this.#start), end: Math.max(this.#end, this.#start) })
    return this.#lines
  }

  /** @param from of the blanks before it */
  #add(from: number, start: number, end: number): void {
    const blank = this.#widthOf(from, start)
    const wide = end - start > LONGEST ? Number.POSITIVE_INFINITY : this.#widthOf(start, end)
    // How far in a paragraph begins is kept, and no blank begins a line that continues one.
    if (this.#end !== -1 && this.#taken + blank + wide > this.#width) {
      this.#turn(start)
    } else if (this.#end === -1 && blank >= this.#width) {
      this.#start = start
    } else {
      this.#taken += blank
    }
    if (this.#taken + wide <= this.#width) {
      this.#taken += wide
      this.#end = end
    } else this.#takeApart(start, end)
  }

  #turn(next: number): void {
    this.#lines.push({ start: this.#start, end: this.#end })
    ;[this.#start, this.#end, this.#taken] = [next, -1, 0]
  }

  /** What is wider than a line, between the characters that its reader sees. */
  #takeApart(start: number, end: number): void {
    for (const { index, segment } of CHARACTERS.segment(this.#text.slice(start, end))) {
      const at = start + index
      const wide = this.#widthOf(at, at + segment.length)
      if (this.#end !== -1 && this.#taken + wide > this.#width) this.#turn(at)
      this.#taken += wide
      this.#end = at + segment.length
    }
  }
}

/** Characters that fit into no line, at any size: they are not measured together. */
const LONGEST = 2_000

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })
const WORDS = new Intl.Segmenter('th', { granularity: 'word' })

/** Where a line may end, in order; the last one is the end of the text. Blanks stand before what follows them. */
function breaksOf(text: string): readonly number[] {
  const spaceless = [...text.matchAll(SPACELESS)]
  const breaks = new Set<number>()
  for (const { index, 0: letters } of spaceless)
    for (const word of WORDS.segment(letters)) if (word.index > 0) breaks.add(index + word.index)
  if (hasEastAsian(text)) {
    const breaker = new LineBreaker(text)
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      // A space at the end of a line belongs before the next word here.
      let at = next.position
      while (at > 0 && text[at - 1] === ' ') at -= 1
      breaks.add(at)
    }
  }
  for (const { index } of text.matchAll(/(?<=[^ ])(?= )/g)) breaks.add(index)
  breaks.delete(0)
  breaks.add(text.length)
  return [...breaks].toSorted((one, other) => one - other)
}

/** A font needs no glyph for it. */
export const isSettable = (codePoint: number, fonts: Fonts): boolean =>
  isIgnorable(codePoint) || codePoint === 0x0a || fonts.faceFor(codePoint, 'regular') !== null
