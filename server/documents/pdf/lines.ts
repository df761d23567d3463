import { seenLines } from '../words.ts'

/*
 * Text broken into lines, in a time that grows with its length alone, whatever stands in it.
 */

/** Letters that look alike. */
export interface Piece<Look> {
  readonly text: string
  readonly look: Look
}
export type Line<Look> = readonly Piece<Look>[]
export type WidthOf<Look> = (text: string, look: Look) => number

const MISSING = '\ufffd'

/** As it can be set: what the font has no letter for is shown as missing. */
export function settable(text: string, hasLetter: (codePoint: number) => boolean): string {
  return seenLines(text)
    .map((line) =>
      Array.from(line, (letter) => (hasLetter(letter.codePointAt(0)!) ? letter : MISSING)).join(''),
    )
    .join('\n')
}

/** @returns at least one line */
export function linesOf<Look>(
  pieces: Line<Look>,
  width: number,
  widthOf: WidthOf<Look>,
): readonly Line<Look>[] {
  const filling = new Filling(width, widthOf)
  for (const { text, look } of pieces)
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) filling.turn()
      for (const [place, word] of line.split(' ').entries()) {
        if (place > 0) filling.space(look)
        filling.add(word, look)
      }
    }
  return filling.end()
}

/** Lines that fill one after another: a word goes to the next whole, with all its looks. */
class Filling<Look> {
  readonly #lines: Piece<Look>[][] = []
  readonly #width: number
  readonly #widthOf: WidthOf<Look>
  #line: Piece<Look>[] = []
  #taken = 0
  #word: Piece<Look>[] = []
  #blanks: Look[] = []

  constructor(width: number, widthOf: WidthOf<Look>) {
    this.#width = width
    this.#widthOf = widthOf
  }

  add(text: string, look: Look): void {
    if (text !== '') this.#word.push({ text, look })
  }

  /** A word ends before it. */
  space(look: Look): void {
    this.#endWord()
    this.#blanks.push(look)
  }

  turn(): void {
    this.#endWord()
    this.#lines.push(this.#line)
    ;[this.#line, this.#taken, this.#blanks] = [[], 0, []]
  }

  end(): readonly Line<Look>[] {
    this.turn()
    return this.#lines
  }

  #endWord(): void {
    if (this.#word.length === 0) return
    const wide = this.#widthOfAll(this.#word)
    const blanks = this.#blanks.map((look) => ({ text: ' ', look }))
    const blank = this.#widthOfAll(blanks)
    // How far in a line begins is kept, and no blank begins one that goes on.
    if (this.#line.length > 0 && this.#taken + blank + wide > this.#width) {
      this.#lines.push(this.#line)
      ;[this.#line, this.#taken] = [[], 0]
    } else if (blank < this.#width) {
      for (const one of blanks) append(this.#line, one)
      this.#taken += blank
    }
    if (this.#taken + wide <= this.#width) for (const piece of this.#word) append(this.#line, piece)
    else this.#takeApart()
    this.#taken = this.#widthOfAll(this.#line)
    ;[this.#word, this.#blanks] = [[], []]
  }

  /** A word that is wider than the line, between its letters. */
  #takeApart(): void {
    for (const { text, look } of this.#word)
      for (const letter of text) {
        const wide = this.#widthOf(letter, look)
        if (this.#line.length > 0 && this.#taken + wide > this.#width) {
          this.#lines.push(this.#line)
          ;[this.#line, this.#taken] = [[], 0]
        }
        append(this.#line, { text: letter, look })
        this.#taken += wide
      }
  }

  #widthOfAll(pieces: Line<Look>): number {
    let width = 0
    for (const { text, look } of pieces) width += this.#widthOf(text, look)
    return width
  }
}

function append<Look>(line: Piece<Look>[], piece: Piece<Look>): void {
  const last = line.at(-1)
  if (last?.look === piece.look) line[line.length - 1] = { look: last.look, text: last.text + piece.text }
  else line.push(piece)
}
