import { diffWordsWithSpace } from 'diff'
import { alignPassages, type Stretch } from './align-passages.ts'

/*
 * Two texts, passage by passage: a paragraph, a heading, an item of a list, a row of a table. Passages that are alike
 * are found first (align-passages.ts), which costs little however long the texts are; those that stand in each other's
 * place are compared by word; and what is gone here and new there in the same words has moved.
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
/** Longer ones are cut where a sentence ends, and compared as several. */
const PASSAGE_AT_MOST = 2_000
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

const passagesIn = (text: string): string[] =>
  text
    .split(/\n{2,}|\n(?=\s*(?:[-*+]|\d{1,9}[.)]|#{1,6}|\|) )/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .flatMap((one) => (one.length > PASSAGE_AT_MOST ? sentencesIn(one) : one))

/** Sentences, and of one without an end so many letters each. */
const sentencesIn = (text: string): string[] =>
  (text.match(SENTENCE) ?? []).map((one) => one.trim()).filter((one) => one !== '')

const SENTENCE = new RegExp(
  `[^]{1,${PASSAGE_AT_MOST}}?(?:[.!?:;](?=\\s)|[。！？；]|\\n|$)|[^]{1,${PASSAGE_AT_MOST}}`,
  'gu',
)

const HEADING = /^#{1,6} /

/** Passages that are gone in one place and new in another. */
function movedAmong(
  stretches: readonly Stretch[],
  before: readonly string[],
  after: readonly string[],
): ReadonlySet<string> {
  const others = stretches.flatMap((one) => (one.isSame ? [] : [one]))
  const gone = new Set(others.flatMap(({ from }) => before.slice(...from)))
  const come = others.flatMap(({ to }) => after.slice(...to))
  return new Set(come.filter((one) => (one.length >= MOVED_AT_LEAST || HEADING.test(one)) && gone.has(one)))
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
    if (this.#pairs <= 0) return false
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
    const found =
      this.#letters > 0 ? diffWordsWithSpace(from, to, { maxEditLength: EDITS_AT_MOST }) : undefined
    const effort = found ? found.length / EDITS_AS_MUCH_AGAIN : GIVEN_UP
    this.#letters -= OF_A_PAIR + (from.length + to.length) * (1 + effort)
    const parts = found ?? [
      { value: from, removed: true, added: false },
      { value: to, removed: false, added: true },
    ]
    return {
      type: 'changed',
      words: parts.map(({ value, added, removed }) => ({
        type: added ? 'added' : removed ? 'removed' : 'same',
        text: value,
      })),
    }
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
  let at = 0
  for (const text of after) {
    yield
    const place = moved.has(text) ? -1 : likeIn(left, at, text, effort)
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

/** @returns the first of the next ones that is like it; -1 where none is */
function likeIn(left: readonly string[], from: number, text: string, effort: Effort): number {
  const to = Math.min(left.length, from + LOOKED_AHEAD)
  for (let at = from; at < to; at += 1) if (effort.isAlike(left[at]!, text)) return at
  return -1
}
