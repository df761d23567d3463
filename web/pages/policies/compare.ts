import { diffArrays, diffWordsWithSpace } from 'diff'

/*
 * Two texts, passage by passage: a paragraph, a heading, an item of a list, a row of a table. Passages that are alike
 * are found first, which costs little however long the texts are; those that stand in each other's place are compared by
 * word; and what is gone here and new there in the same words has moved.
 */

export type Change =
  | { readonly type: 'same' | 'added' | 'removed' | 'moved_here' | 'moved_away'; readonly text: string }
  | { readonly type: 'changed'; readonly words: readonly Words[] }

export interface Words {
  readonly type: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Shorter ones are alike by chance. */
const MOVED_AT_LEAST = 24
/** What shares less than this part of its words is another passage, and no other wording of the same. */
const ALIKE_FROM = 0.35
/** Beyond it whole passages are shown: nobody follows so many changes within one. */
const EDITS_AT_MOST = 400
const PASSAGES_MOVED_AT_MOST = 4_000

/** What leads from one text to the other, in the order of the latter; null where too little is alike to be told. */
export function compareTexts(from: string, to: string): Change[] | null {
  const found = diffArrays(passagesIn(from), passagesIn(to), { maxEditLength: PASSAGES_MOVED_AT_MOST })
  if (!found) return null
  const moved = movedAmong(found)
  const changes: Change[] = []
  for (let at = 0; at < found.length; at += 1) {
    const { value, added, removed } = found[at]!
    if (!added && !removed) {
      changes.push(...value.map((text) => ({ type: 'same', text }) as const))
      continue
    }
    const next = found[at + 1]
    if (removed && next?.added) {
      changes.push(...replaced(value, next.value, moved))
      at += 1
    } else changes.push(...value.map((text) => alone(text, removed ? 'removed' : 'added', moved)))
  }
  return changes
}

const passagesIn = (text: string): string[] =>
  text
    .split(/\n{2,}|\n(?=\s*(?:[-*+]|\d{1,9}[.)]|#{1,6}|\|) )/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

interface Part {
  readonly value: readonly string[]
  readonly added: boolean
  readonly removed: boolean
}

/** Passages that are gone in one place and new in another. */
function movedAmong(parts: readonly Part[]): ReadonlySet<string> {
  const gone = new Set(parts.flatMap(({ value, removed }) => (removed ? value : [])))
  const come = parts.flatMap(({ value, added }) => (added ? value : []))
  return new Set(come.filter((one) => one.length >= MOVED_AT_LEAST && gone.has(one)))
}

const alone = (text: string, type: 'added' | 'removed', moved: ReadonlySet<string>): Change =>
  moved.has(text) ? { type: type === 'added' ? 'moved_here' : 'moved_away', text } : { type, text }

/** Passages in place of others, in their order: each compared with the next that is like it. */
function replaced(before: readonly string[], after: readonly string[], moved: ReadonlySet<string>): Change[] {
  const changes: Change[] = []
  let left = before.filter((one) => !moved.has(one))
  changes.push(...before.filter((one) => moved.has(one)).map((text) => alone(text, 'removed', moved)))
  for (const text of after) {
    const place = moved.has(text) ? -1 : left.slice(0, LOOKED_AHEAD).findIndex((one) => isAlike(one, text))
    if (place < 0) {
      changes.push(alone(text, 'added', moved))
      continue
    }
    changes.push(...left.slice(0, place).map((one) => alone(one, 'removed', moved)))
    changes.push(inWords(left[place]!, text))
    left = left.slice(place + 1)
  }
  return [...changes, ...left.map((one) => alone(one, 'removed', moved))]
}

const LOOKED_AHEAD = 8

/** Whether enough of the words of both are the same. */
function isAlike(one: string, other: string): boolean {
  const [words, others] = [wordsIn(one), wordsIn(other)]
  const shared = [...words].filter((word) => others.has(word)).length
  return shared / Math.max(words.size, others.size, 1) >= ALIKE_FROM
}

const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

function inWords(from: string, to: string): Change {
  const found = diffWordsWithSpace(from, to, { maxEditLength: EDITS_AT_MOST })
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
