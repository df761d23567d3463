import * as harfbuzz from 'harfbuzzjs'
import type { Face } from './fonts.ts'

/*
 * Characters become glyphs: HarfBuzz joins, reorders and places them as browsers do. Each glyph is given the characters
 * that a reader of the PDF finds at its place, so that the glyphs of a text, in the order of reading, give the text again.
 */

export interface Glyph {
  readonly id: number
  /** What it represents in the text; empty for none. */
  readonly text: string
  /** How far the next one is, and how far it is moved, in thousandths of the size. */
  readonly advance: number
  readonly dx: number
  readonly dy: number
  /** Of a space that shows nothing and represents a character: how wide the PDF says that it is. */
  readonly width?: number
}

/** Glyphs from left to right. */
export interface Shaped {
  readonly glyphs: readonly Glyph[]
  /** In thousandths of the size. */
  readonly width: number
  /**
   * The text, where it cannot be read off the glyphs one by one: they are moved, or there are more of them than characters.
   */
  readonly text: string | null
}

/** Longer ones are rare, and each would take much memory. */
const LETTERS_CACHED = 60
const CACHED_AT_MOST = 20_000

export class Shaper {
  readonly #shaped = new Map<Face, Readonly<Record<'ltr' | 'rtl', Map<string, Shaped>>>>()
  /** Glyphs that are alike are one object: a document has few of them. */
  readonly #glyphs = new Map<Face, Map<string, Glyph>>()
  readonly #buffer = new harfbuzz.Buffer()
  #count = 0

  /** Of one word at most: what is far apart is not shaped together. */
  shape(face: Face, text: string, isRtl: boolean): Shaped {
    const cache = this.#cacheOf(face)[isRtl ? 'rtl' : 'ltr']
    const known = cache.get(text)
    if (known) return known
    const shaped = this.#make(face, text, isRtl)
    if (text.length <= LETTERS_CACHED && this.#count < CACHED_AT_MOST) {
      cache.set(text, shaped)
      this.#count += 1
    }
    return shaped
  }

  #cacheOf(face: Face) {
    let cache = this.#shaped.get(face)
    if (!cache) {
      cache = { ltr: new Map(), rtl: new Map() }
      this.#shaped.set(face, cache)
    }
    return cache
  }

  #make(face: Face, text: string, isRtl: boolean): Shaped {
    const buffer = this.#buffer
    buffer.clearContents()
    buffer.setClusterLevel(harfbuzz.ClusterLevel.MONOTONE_CHARACTERS)
    buffer.addText(text)
    buffer.setDirection(isRtl ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR)
    buffer.guessSegmentProperties()
    harfbuzz.shape(face.shaped, buffer)
    const [infos, places] = [buffer.getGlyphInfos(), buffer.getGlyphPositions()]
    const glyphs: Glyph[] = []
    let width = 0
    let isOdd = false
    let marks = ''
    for (const cluster of clustersOf(infos, text, isRtl)) {
      const texts = shared(cluster.text, cluster.to - cluster.from, isRtl)
      isOdd ||= texts.length > 1
      for (let at = cluster.from; at < cluster.to; at += 1) {
        const { xAdvance, xOffset, yOffset } = places[at]!
        let own = texts[at - cluster.from]!
        let read: readonly string[] = []
        // From left to right, a mark comes before its letter here.
        if (isRtl && ONLY_MARKS.test(own)) [own, marks] = ['', own + marks]
        else if (isRtl && marks !== '') {
          read = Array.from(own + marks).toReversed()
          ;[own, marks] = ['', '']
        }
        const glyph: Glyph = {
          id: infos[at]!.codepoint,
          text: own,
          advance: rounded(xAdvance * face.scale),
          dx: rounded(xOffset * face.scale),
          dy: rounded(yOffset * face.scale),
        }
        isOdd ||= glyph.dx !== 0 || glyph.dy !== 0
        width += glyph.advance
        glyphs.push(this.#one(face, glyph))
        for (const space of spacesFor(read, glyph.advance, face)) glyphs.push(this.#one(face, space))
      }
    }
    return { glyphs, width, text: isOdd && !isRtl ? text : null }
  }

  #one(face: Face, glyph: Glyph): Glyph {
    let all = this.#glyphs.get(face)
    if (!all) {
      all = new Map()
      this.#glyphs.set(face, all)
    }
    const key = [glyph.id, glyph.text, glyph.advance, glyph.dx, glyph.dy, glyph.width].join('\0')
    const known = all.get(key)
    if (!known) all.set(key, glyph)
    return known ?? glyph
  }
}

const ONLY_MARKS = /^\p{M}*$/u

const rounded = (value: number) => Math.round(value * 100) / 100

/**
 * A letter with marks is read in the wrong order, or in pieces, by programs that take text out of PDFs where it is written
 * from right to left: they go by places, and marks are above and beneath. So its glyphs stand for nothing, and in the same
 * place spaces, side by side, stand for its characters.
 */
function spacesFor(characters: readonly string[], advance: number, face: Face): Glyph[] {
  const id = face.shaped.nominalGlyph(0x20)
  if (id === undefined) return []
  const width = rounded(advance / characters.length)
  return characters.map((text, index) => ({
    ...{ id, text, dy: 0, width },
    // The first one is where the letter began.
    ...(index === 0 ? { dx: -advance, advance: width - advance } : { dx: 0, advance: width }),
  }))
}

interface Cluster {
  /** Its glyphs, from left to right. */
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Glyphs that come from the same characters stand together, and clusters follow each other in the order of the line. */
function clustersOf(infos: readonly { readonly cluster: number }[], text: string, isRtl: boolean): Cluster[] {
  const clusters: (Cluster & { to: number; begins: number })[] = []
  for (const [at, { cluster }] of infos.entries()) {
    const last = clusters.at(-1)
    if (last?.begins === cluster) last.to = at + 1
    else clusters.push({ from: at, to: at + 1, begins: cluster, text: '' })
  }
  return clusters.map(({ from, to, begins }, index) => {
    const end = clusters[isRtl ? index - 1 : index + 1]?.begins ?? text.length
    return { from, to, text: text.slice(begins, end) }
  })
}

/** The characters of a cluster, for each of its glyphs: read in the order of the text they give it again. */
function shared(text: string, count: number, isRtl: boolean): string[] {
  if (count === 1) return [text]
  const characters = Array.from(text)
  const texts = Array.from({ length: count }, (_, index) =>
    index === count - 1 ? characters.slice(index).join('') : (characters[index] ?? ''),
  )
  return isRtl ? texts.toReversed() : texts
}
