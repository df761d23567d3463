import bidiFactory, { type Bidi, type EmbeddingLevels } from 'bidi-js'
import {
  continuesCharacter,
  hasRightToLeft,
  isIgnorable,
  isPlain,
  type Script,
  scriptOf,
} from '../scripts.ts'
import type { Face, Fonts, Weight } from './fonts.ts'

/*
 * A text, which is one paragraph, as runs: characters that look alike, have one font and one script, and are written in one
 * direction (Unicode Bidirectional Algorithm, UAX 9). A line is a part of it, whose runs stand in the order of the eye.
 */

/** Its types describe another form of the module than Node loads. */
const bidi = (bidiFactory as unknown as () => Bidi)()

export interface Run<Look> {
  readonly start: number
  readonly end: number
  readonly look: Look
  readonly face: Face
  readonly isRtl: boolean
}

export interface Piece<Look> {
  readonly text: string
  readonly look: Look
}

export class Runs<Look extends { readonly weight: Weight }> {
  readonly text: string
  /** The paragraph is written from right to left. */
  readonly isRtl: boolean
  readonly #levels: EmbeddingLevels | null
  readonly #runs: readonly Run<Look>[]

  constructor(pieces: readonly Piece<Look>[], fonts: Fonts) {
    this.text = pieces.map(({ text }) => text).join('')
    this.#levels = hasRightToLeft(this.text) ? bidi.getEmbeddingLevels(this.text) : null
    this.isRtl = ((this.#levels?.paragraphs[0]?.level ?? 0) & 1) === 1
    this.#runs = [...this.#split(pieces, fonts)]
  }

  /** In the order of the text. */
  within(start: number, end: number): Run<Look>[] {
    const found: Run<Look>[] = []
    for (let at = this.#indexAt(start); at < this.#runs.length; at += 1) {
      const run = this.#runs[at]!
      if (run.start >= end) break
      found.push({ ...run, start: Math.max(run.start, start), end: Math.min(run.end, end) })
    }
    return found
  }

  /** In the order of the eye, from left to right. */
  seen(start: number, end: number): Run<Look>[] {
    const runs = this.within(start, end)
    if (!this.#levels || runs.length === 0) return runs
    // The library gives the order of a whole text only, which is too much for each line of a long one.
    const order = Array.from({ length: end - start }, (_, index) => index)
    for (const [first = 0, last = 0] of bidi.getReorderSegments(this.text, this.#levels, start, end - 1))
      order.splice(
        first - start,
        last - first + 1,
        ...order.slice(first - start, last - start + 1).toReversed(),
      )
    const places: number[] = []
    for (const [place, index] of order.entries()) places[index] = place
    return runs.toSorted((one, other) => places[one.start - start]! - places[other.start - start]!)
  }

  #indexAt(start: number): number {
    let [low, high] = [0, this.#runs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#runs[middle]!.end <= start) low = middle + 1
      else high = middle
    }
    return low
  }

  *#split(pieces: readonly Piece<Look>[], fonts: Fonts): Generator<Run<Look>> {
    let at = 0
    for (const { text, look } of pieces) {
      if (text === '') continue
      const from = at
      at += text.length
      if (!this.#levels && isPlain(text)) {
        yield { start: from, end: at, look, face: fonts.base(look.weight), isRtl: false }
        continue
      }
      yield* this.#splitPiece(text, look, from, fonts)
    }
  }

  *#splitPiece(text: string, look: Look, from: number, fonts: Fonts): Generator<Run<Look>> {
    const base = fonts.base(look.weight)
    let open: Open | null = null
    let at = from
    const run = ({ start, face, level }: Open, end: number): Run<Look> => ({
      ...{ start, end, look, face, isRtl: (level & 1) === 1 },
    })
    for (const character of text) {
      const codePoint = character.codePointAt(0)!
      const level = this.#levels?.levels[at] ?? 0
      const script = scriptOf(codePoint)
      const isNear: boolean =
        open?.level === level && (open.script === script || open.script === 'other' || script === 'other')
      const continues: boolean =
        isNear &&
        (character === ' ' || continuesCharacter(character)) &&
        (open!.face.has(codePoint) || isIgnorable(codePoint))
      // What several scripts share, such as the Arabic comma, is set in the font of the text before it.
      const isShared: boolean =
        isNear && script === 'other' && !base.has(codePoint) && open!.face.has(codePoint)
      const face: Face = continues || isShared ? open!.face : (fonts.faceFor(codePoint, look.weight) ?? base)
      if (open && isNear && open.face === face) {
        if (open.script === 'other') open.script = script
      } else {
        if (open) yield run(open, at)
        open = { start: at, face, level, script }
      }
      at += character.length
    }
    if (open) yield run(open, at)
  }
}

interface Open {
  readonly start: number
  readonly face: Face
  readonly level: number
  script: Script
}
