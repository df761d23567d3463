import { diffWordsWithSpace } from 'diff'
import { type Anchor, alignPassages, longestInOrder, type Stretch } from './align-passages.ts'
import { isHeading, nameOfRow, passagesIn, sortOf } from './passages.ts'

/*
 * Two texts, passage by passage: a paragraph, a heading, an item of a list, a row of a table. Passages that are alike
 * are found first (align-passages.ts), which costs little however long the texts are; those that stand in each other's
 * place are compared by word, rows by what their first cell calls them; and what is gone here and new there in the same
 * words has moved.
 *
 * All of it is done in steps, between which the page answers to its reader, and no text takes long: what would is told more
 * coarsely, whole passages in place of words, and it is said so.
 */

export type Change =
  | { readonly type: 'same' | 'added' | 'removed' | 'moved_here' | 'moved_away'; readonly text: string }
  | Changed

export interface Changed {
  readonly type: 'changed'
  readonly words: readonly Words[]
}

export interface Words {
  readonly type: 'same' | 'added' | 'removed'
  readonly text: string
}

export interface Comparison<Told = Change> {
  /** What leads from one text to the other, in the order of the latter. */
  readonly changes: readonly Told[]
  /** Whether some of it is told by whole passages, because more would have taken too long. */
  readonly isCoarse: boolean
}

/** Shorter ones are alike by chance, but for headings. */
const MOVED_AT_LEAST = 24
/** What shares less than this part of its words is another passage, and no other wording of the same. */
const ALIKE_FROM = 0.35
/** Beyond it whole passages are shown: nobody follows so many changes within one. */
export const EDITS_AT_MOST = 200
/** Of all passages together: pairs of which it is judged whether they are alike, and what comparing them by word takes. */
const PAIRS_AT_MOST = 20_000
const LETTERS_AT_MOST = 6_000_000
/** What it takes, in letters: of any pair, for so many of its edits as much again, and of one that is given up. */
const OF_A_PAIR = 200
const EDITS_AS_MUCH_AGAIN = 20
const GIVEN_UP = EDITS_AT_MOST / EDITS_AS_MUCH_AGAIN

/** All of it at once. */
export function compareTexts(from: string, to: string): readonly Change[] {
  const steps = comparing(from, to)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value.changes
}

/** The same step by step, each of a few milliseconds. */
export function* comparing(from: string, to: string): Generator<void, Comparison> {
  const [before, after] = [passagesIn(from), passagesIn(to)]
  yield
  const { stretches, isCoarse } = yield* alignPassages(before, after)
  const moved = movedAmong(stretches, before, after)
  const effort = new Effort()
  const changes: Change[] = []
  for (const stretch of stretches) {
    const there = after.slice(...stretch.to)
    if (stretch.isSame) for (const text of there) changes.push({ type: 'same', text })
    else yield* replaced(before.slice(...stretch.from), there, moved, effort, changes)
  }
  return { changes, isCoarse: isCoarse || effort.isOver }
}

/** Passages that are gone in one place and new in another. */
function movedAmong(
  stretches: readonly Stretch[],
  before: readonly string[],
  after: readonly string[],
): ReadonlySet<string> {
  const others = stretches.flatMap((one) => (one.isSame ? [] : [one]))
  const gone = new Set(others.flatMap(({ from }) => before.slice(...from)))
  const come = others.flatMap(({ to }) => after.slice(...to))
  return new Set(come.filter((one) => (one.length >= MOVED_AT_LEAST || isHeading(one)) && gone.has(one)))
}

/** How much more is compared. */
class Effort {
  readonly #words = new Map<string, ReadonlySet<string>>()
  #pairs = PAIRS_AT_MOST
  #letters = LETTERS_AT_MOST

  get isOver(): boolean {
    return this.#pairs <= 0 || this.#letters <= 0
  }

  /** Whether enough of the words of both are the same. */
  isAlike(one: string, other: string): boolean {
    if (one === other) return true
    if (this.#pairs <= 0 || sortOf(one) !== sortOf(other)) return false
    this.#pairs -= 1
    const [words, others] = [this.#wordsIn(one), this.#wordsIn(other)]
    let shared = 0
    for (const word of words) shared += others.has(word) ? 1 : 0
    return shared / Math.max(words.size, others.size, 1) >= ALIKE_FROM
  }

  #wordsIn(text: string): ReadonlySet<string> {
    const words = this.#words.get(text) ?? new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    this.#words.set(text, words)
    return words
  }

  inWords(from: string, to: string): Change {
    const words = this.#letters > 0 ? wordsOf(from, to) : null
    const effort = words ? words.length / EDITS_AS_MUCH_AGAIN : GIVEN_UP
    this.#letters -= OF_A_PAIR + (from.length + to.length) * (1 + effort)
    return { type: 'changed', words: words ?? wordsBetween(from, to, true) }
  }
}

const alone = (text: string, type: 'added' | 'removed', moved: ReadonlySet<string>): Change =>
  moved.has(text) ? { type: type === 'added' ? 'moved_here' : 'moved_away', text } : { type, text }

const LOOKED_AHEAD = 8

/** Passages in place of others, in their order: each compared with the next that is like it. */
function* replaced(
  before: readonly string[],
  after: readonly string[],
  moved: ReadonlySet<string>,
  effort: Effort,
  changes: Change[],
): Generator<void, void> {
  for (const text of before) if (moved.has(text)) changes.push(alone(text, 'removed', moved))
  const left = before.filter((one) => !moved.has(one))
  const named = namedAlike(left, after)
  let [at, behind] = [0, 0]
  for (const [index, text] of after.entries()) {
    yield
    while (behind < named.length && named[behind]!.b < index) behind += 1
    const next = named[behind]
    const place = moved.has(text)
      ? -1
      : next?.b === index
        ? next.a
        : likeIn(left, at, Math.min(next?.a ?? left.length, at + LOOKED_AHEAD), text, effort)
    if (place < 0) {
      changes.push(alone(text, 'added', moved))
      continue
    }
    for (; at < place; at += 1) changes.push(alone(left[at]!, 'removed', moved))
    changes.push(left[at] === text ? { type: 'same', text } : effort.inWords(left[at]!, text))
    at += 1
  }
  for (; at < left.length; at += 1) changes.push(alone(left[at]!, 'removed', moved))
}

/** @returns the first of some that is like it; -1 where none is */
function likeIn(left: readonly string[], from: number, to: number, text: string, effort: Effort): number {
  for (let at = from; at < to; at += 1) if (effort.isAlike(left[at]!, text)) return at
  return -1
}

/** Rows that one name is of on both sides, and of no other there: however else they read, they are about the same thing. */
function namedAlike(before: readonly string[], after: readonly string[]): readonly Anchor[] {
  const [here, there] = [placesByName(before), placesByName(after)]
  const pairs = [...here].flatMap(([name, a]) => {
    const b = there.get(name) ?? null
    return a === null || b === null ? [] : [{ a, b }]
  })
  return longestInOrder(pairs)
}

/** Where the row of each name stands; null for a name of several. */
function placesByName(passages: readonly string[]): Map<string, number | null> {
  const places = new Map<string, number | null>()
  for (const [at, passage] of passages.entries()) {
    const name = nameOfRow(passage)
    if (name !== null) places.set(name, places.has(name) ? null : at)
  }
  return places
}

/** What leads from one passage to another, by word where that does not take too long. */
export const wordsBetween = (from: string, to: string, isWholly = false): readonly Words[] =>
  (isWholly ? null : wordsOf(from, to)) ?? [
    { type: 'removed', text: from },
    { type: 'added', text: to },
  ]

const wordsOf = (from: string, to: string): Words[] | null =>
  diffWordsWithSpace(from, to, { maxEditLength: EDITS_AT_MOST })?.map(({ value, added, removed }) => ({
    type: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  })) ?? null

/** Whether no word of it was compared: more would have taken too long. */
export const isWhole = (change: Change): boolean =>
  change.type === 'changed' && change.words.every(({ type }) => type !== 'same')

/** A passage in both texts; null where it is not there. */
export function sidesOf(change: Change): { before: string | null; after: string | null } {
  switch (change.type) {
    case 'changed':
      return { before: said(change, 'removed'), after: said(change, 'added') }
    case 'same':
      return { before: change.text, after: change.text }
    case 'added':
    case 'moved_here':
      return { before: null, after: change.text }
    case 'removed':
    case 'moved_away':
      return { before: change.text, after: null }
  }
}

const said = ({ words }: Changed, side: 'added' | 'removed'): string =>
  words
    .filter(({ type }) => type === 'same' || type === side)
    .map(({ text }) => text)
    .join('')
