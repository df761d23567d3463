import { readMarkdown } from '../../../model/markdown.ts'
import {
  type Change,
  type Changed,
  type Comparison,
  comparing,
  isWhole,
  sidesOf,
  type Words,
  wordsBetween,
} from './compare.ts'
import { Numbers } from './numbers-as-read.ts'
import { depthOf } from './passages.ts'
import { textOf } from './plain-words.ts'
import { isOfTable, type ReadRow, readTables } from './tables-as-read.ts'

/*
 * Changes as people read them, who never saw a mark of Markdown: a heading is one, an item of a list has its point or
 * its number, and a row stands in its table (tables-as-read.ts). A passage of which the marks alone changed is told as
 * that; a number in a list that only moved on with
 * what is before it is no change (numbers-as-read.ts).
 */

export type ReadChange = ReadPassage | ReadRow

export type ReadPassage =
  | Exclude<Change, Changed>
  | { readonly type: 'reformatted'; readonly text: string }
  | { readonly type: 'changed'; readonly passage: Passage; readonly words: readonly Words[] }

/** A passage without its marks. */
export interface Passage {
  readonly look: 'heading' | 'item' | 'quote' | 'code' | 'words'
  /** Of an item: its point or number. */
  readonly mark?: string
  /** Of an item: how many lists it stands in beside its own. */
  readonly depth?: number
  /** Of a heading. */
  readonly level?: number
  readonly text: string
}

export const isRow = (change: ReadChange): change is ReadRow => 'table' in change

export type ReadComparison = Comparison<ReadChange>

/** All of it at once. */
export function asRead(changes: readonly Change[]): readonly ReadChange[] {
  const steps = readingAs(changes)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** What leads from one text to the other as they are read, in steps (compare.ts). */
export function* comparingAsRead(from: string, to: string): Generator<void, ReadComparison> {
  const { changes, isCoarse } = yield* comparing(from, to)
  return { changes: yield* readingAs(changes), isCoarse }
}

function* readingAs(changes: readonly Change[]): Generator<void, ReadChange[]> {
  const read: ReadChange[] = []
  const numbers = new Numbers()
  for (let at = 0; at < changes.length; ) {
    let end = at
    while (end < changes.length && isOfTable(changes[end]!)) end += 1
    const rows = end > at ? yield* readTables(changes.slice(at, end)) : null
    if (rows) numbers.end()
    for (const row of rows ?? []) read.push(row)
    for (const change of changes.slice(at, rows ? at : Math.max(end, at + 1))) {
      if (change.type === 'changed') yield
      read.push(readAs(change, numbers))
    }
    at = Math.max(end, at + 1)
  }
  return read
}

function readAs(change: Change, numbers: Numbers): ReadPassage {
  const renumbered = numbers.follow(change)
  if (change.type !== 'changed') return change
  const { before: from, after: to } = sidesOf(change) as { before: string; after: string }
  const [before, after] = [passageOf(from), passageOf(to)]
  if (renumbered)
    return {
      type: 'changed',
      passage: { look: 'words', text: `${renumbered.to} ${after.text}` },
      words: [
        { type: 'removed', text: renumbered.from },
        { type: 'added', text: renumbered.to },
        { type: 'same', text: ` ${after.text}` },
      ],
    }
  if (before.text === after.text) return { type: isRenumbered(from, to) ? 'same' : 'reformatted', text: to }
  return { type: 'changed', passage: after, words: wordsBetween(before.text, after.text, isWhole(change)) }
}

const NUMBER = /^\s*\d{1,9}[.)] /
const isRenumbered = (from: string, to: string): boolean =>
  NUMBER.test(from) && NUMBER.test(to) && from.replace(NUMBER, '') === to.replace(NUMBER, '')

function passageOf(passage: string): Passage {
  const blocks = readMarkdown(passage.trimStart())
  const [block] = blocks
  const text = textOf(blocks)
  if (blocks.length !== 1) return { look: 'words', text }
  switch (block!.type) {
    case 'heading':
      return { look: 'heading', level: block!.level, text }
    case 'list':
      return {
        ...{ look: 'item', depth: depthOf(passage), text },
        mark: block!.isOrdered ? `${block!.start}.` : depthOf(passage) > 0 ? '◦' : '•',
      }
    case 'quote':
      return { look: 'quote', text }
    case 'code':
      return { look: 'code', text }
    default:
      return { look: 'words', text }
  }
}
