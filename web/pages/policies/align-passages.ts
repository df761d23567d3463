import { diffArrays } from 'diff'

/*
 * Which passages of two texts are the same ones, in their order. What stands in both once is an anchor: the longest run of
 * anchors that keeps its order cuts the texts into stretches, each of which is cut in the same way (Bram Cohen's patience
 * diff). That takes a time that grows with the length of the texts, whatever is in them; a stretch without anchors, such
 * as of blank rows, is compared as any diff does while it is short, and else told as another one.
 */

/** Passages that are in both, or that one side has in the place of those of the other. */
export type Stretch =
  | { readonly isSame: true; readonly to: readonly [number, number] }
  | {
      readonly isSame: false
      readonly from: readonly [number, number]
      readonly to: readonly [number, number]
    }

/** Of a stretch without anchors: its length by the edits that are looked for. */
const EFFORT_OF_STRETCH = 200_000
const EDITS_AT_MOST = 1_000
/** How often a passage is looked at, at most, for the passages that there are. */
const LOOKED_AT = 15

/**
 * In steps that take some milliseconds each.
 * @returns the stretches, in the order of both texts; and whether some were given up
 */
export function* alignPassages(
  before: readonly string[],
  after: readonly string[],
): Generator<void, { stretches: Stretch[]; isCoarse: boolean }> {
  const known = new Map<string, number>()
  const a = yield* numbered(before, known)
  const b = yield* numbered(after, known)
  const anchorsIn = anchorFinder(a, b, known.size)
  const stretches: Stretch[] = []
  const open: Range[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }]
  let [isCoarse, effort] = [false, LOOKED_AT * (a.length + b.length)]
  while (open.length > 0) {
    const { a0, a1, b0, b1 } = open.pop()!
    let [start, end] = [0, 0]
    while (a0 + start < a1 && b0 + start < b1 && a[a0 + start] === b[b0 + start]) start += 1
    while (a0 + start < a1 - end && b0 + start < b1 - end && a[a1 - end - 1] === b[b1 - end - 1]) end += 1
    if (start > 0) stretches.push({ isSame: true, to: [b0, b0 + start] })
    if (end > 0) open.push({ a0: a1 - end, a1, b0: b1 - end, b1 })
    const inner = { a0: a0 + start, a1: a1 - end, b0: b0 + start, b1: b1 - end }
    const size = lengthOf(inner)
    if (size === 0) continue
    effort -= size
    const isOneSided = inner.a0 === inner.a1 || inner.b0 === inner.b1
    const anchors = isOneSided || effort < 0 ? [] : anchorsIn(inner)
    if (anchors.length > 0) for (const range of cutAt(inner, anchors).reverse()) open.push(range)
    else {
      const told = isOneSided || effort < 0 ? null : compared(a, b, inner)
      isCoarse ||= !isOneSided && told === null && size > 2 * EDITS_AT_MOST
      for (const stretch of told ?? [otherIn(inner)]) stretches.push(stretch)
    }
    yield
  }
  return { stretches, isCoarse }
}

/** From `a0` up to `a1`, and so on. */
interface Range {
  readonly a0: number
  readonly a1: number
  readonly b0: number
  readonly b1: number
}

const lengthOf = ({ a0, a1, b0, b1 }: Range): number => a1 - a0 + b1 - b0
const otherIn = ({ a0, a1, b0, b1 }: Range): Stretch => ({ isSame: false, from: [a0, a1], to: [b0, b1] })

const AT_ONCE = 10_000

/** Passages as numbers, the same ones as the same number. */
function* numbered(passages: readonly string[], known: Map<string, number>): Generator<void, Int32Array> {
  const numbers = new Int32Array(passages.length)
  for (const [at, passage] of passages.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) yield
    let number = known.get(passage)
    if (number === undefined) {
      number = known.size
      known.set(passage, number)
    }
    numbers[at] = number
  }
  return numbers
}

/** Where a passage is that stands once on both sides of a range. */
export interface Anchor {
  readonly a: number
  readonly b: number
}

/** @returns what finds the anchors of a range that keep their order, the most that there are */
function anchorFinder(a: Int32Array, b: Int32Array, count: number): (range: Range) => readonly Anchor[] {
  const [turns, ofA, ofB] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)]
  const place = new Int32Array(count)
  let turn = 0
  return ({ a0, a1, b0, b1 }) => {
    turn += 1
    for (let at = a0; at < a1; at += 1) {
      const number = a[at]!
      if (turns[number] !== turn) [turns[number], ofA[number], ofB[number]] = [turn, 0, 0]
      ofA[number]! += 1
    }
    for (let at = b0; at < b1; at += 1) {
      const number = b[at]!
      if (turns[number] !== turn) continue
      ofB[number]! += 1
      place[number] = at
    }
    const found: Anchor[] = []
    for (let at = a0; at < a1; at += 1) {
      const number = a[at]!
      if (ofA[number] === 1 && ofB[number] === 1) found.push({ a: at, b: place[number]! })
    }
    return longestInOrder(found)
  }
}

/** The most of them whose places in `b` rise as those in `a` do. */
export function longestInOrder(anchors: readonly Anchor[]): readonly Anchor[] {
  const ends: number[] = []
  const before = new Int32Array(anchors.length)
  for (const [at, { b }] of anchors.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (anchors[ends[middle]!]!.b < b) low = middle + 1
      else high = middle
    }
    before[at] = low > 0 ? ends[low - 1]! : -1
    ends[low] = at
  }
  const run: Anchor[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) run.push(anchors[at]!)
  return run.reverse()
}

/** The ranges between anchors, each with the anchor that it begins with. */
function cutAt({ a0, a1, b0, b1 }: Range, anchors: readonly Anchor[]): Range[] {
  const ranges: Range[] = []
  let [a, b] = [a0, b0]
  for (const anchor of [...anchors, { a: a1, b: b1 }]) {
    if (anchor.a > a || anchor.b > b) ranges.push({ a0: a, a1: anchor.a, b0: b, b1: anchor.b })
    ;[a, b] = [anchor.a, anchor.b]
  }
  return ranges
}

/** A short range without anchors, as any diff tells it; null where that takes too long. */
function compared(a: Int32Array, b: Int32Array, range: Range): Stretch[] | null {
  const edits = Math.min(EDITS_AT_MOST, Math.floor(EFFORT_OF_STRETCH / lengthOf(range)))
  if (edits < 1) return null
  const [here, there] = [[...a.subarray(range.a0, range.a1)], [...b.subarray(range.b0, range.b1)]]
  const parts = diffArrays(here, there, { maxEditLength: edits })
  if (!parts) return null
  const stretches: Stretch[] = []
  let [from, to] = [range.a0, range.b0]
  for (let at = 0; at < parts.length; at += 1) {
    const { value, added, removed } = parts[at]!
    if (!added && !removed) {
      stretches.push({ isSame: true, to: [to, to + value.length] })
      from += value.length
      to += value.length
      continue
    }
    const next = removed && parts[at + 1]?.added ? parts[++at]!.value.length : 0
    const [gone, come] = removed ? [value.length, next] : [0, value.length]
    stretches.push({ isSame: false, from: [from, from + gone], to: [to, to + come] })
    from += gone
    to += come
  }
  return stretches
}
