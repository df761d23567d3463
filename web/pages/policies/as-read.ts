import { type Block, readMarkdown } from '../../../model/markdown.ts'
import { type Change, type Changed, type Comparison, comparing, isWhole, sidesOf } from './compare.ts'
import { Numbers } from './numbers-as-read.ts'
import { depthOf } from './passages.ts'
import { type Run, runsOf, textOf } from './plain-words.ts'
import { isOfTable, type ReadRow, readTables } from './tables-as-read.ts'
import { inRuns, type ReadWords, wordsAsRead } from './words-as-read.ts'

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
  | { readonly type: 'changed'; readonly passage: Passage; readonly words: readonly ReadWords[] }

/** A passage without its marks. */
export interface Passage {
  readonly look: 'heading' | 'item' | 'quote' | 'code' | 'words'
  /** Of an item: its point or number. */
  readonly mark?: string
  /** How many lists an item stands in beside its own. */
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
  const [before, after] = [readPassage(from), readPassage(to)]
  const { passage, runs } = after
  if (renumbered)
    return {
      type: 'changed',
      passage: {
        ...{ look: 'words', text: `${renumbered.to} ${passage.text}` },
        ...(passage.depth ? { depth: passage.depth } : {}),
      },
      words: [
        { type: 'removed', text: renumbered.from },
        { type: 'added', text: renumbered.to },
        inRuns({ type: 'same', text: ` ${passage.text}` }, [{ text: ' ', marks: [] }, ...runs]),
      ],
    }
  if (before.passage.text === passage.text)
    return { type: isRenumbered(from, to) ? 'same' : 'reformatted', text: to }
  return { type: 'changed', passage, words: wordsAsRead(before.runs, runs, isWhole(change)) }
}

const NUMBER = /^\s*\d{1,9}[.)] /
const isRenumbered = (from: string, to: string): boolean =>
  NUMBER.test(from) && NUMBER.test(to) && from.replace(NUMBER, '') === to.replace(NUMBER, '')

function readPassage(written: string): { passage: Passage; runs: readonly Run[] } {
  const blocks = readMarkdown(written.trimStart())
  const runs = runsOf(blocks)
  return { passage: passageOf(blocks, textOf(runs), depthOf(written)), runs }
}

function passageOf(blocks: readonly Block[], text: string, depth: number): Passage {
  const [block] = blocks
  if (blocks.length !== 1) return { look: 'words', text }
  switch (block!.type) {
    case 'heading':
      return { look: 'heading', level: block!.level, text }
    case 'list':
      return {
        ...{ look: 'item', depth, text },
        mark: block!.isOrdered ? `${block!.start}.` : depth > 0 ? '◦' : '•',
      }
    case 'quote':
      return { look: 'quote', text }
    case 'code':
      return { look: 'code', text }
    default:
      return { look: 'words', text }
  }
}
