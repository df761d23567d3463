import { diffWordsWithSpace } from 'diff'
import { type Block, type Inline, readMarkdown } from '../../../model/markdown.ts'
import {
  type Change,
  type Changed,
  type Comparison,
  comparing,
  EDITS_AT_MOST,
  type Words,
} from './compare.ts'

/*
 * Changes as people read them, who never saw a mark of Markdown: a heading is one, and an item of a list has its point or
 * its number. What leads elsewhere says where, since that is part of what a text says. A passage of which the marks alone
 * changed is told as that; a number in a list that only moved on is no change.
 */

export type ReadChange =
  | Exclude<Change, Changed>
  | { readonly type: 'reformatted'; readonly text: string }
  | { readonly type: 'changed'; readonly passage: Passage; readonly words: readonly Words[] }

/** A passage without its marks. */
export interface Passage {
  readonly look: 'heading' | 'item' | 'quote' | 'code' | 'row' | 'words'
  /** Of an item: its point or number. */
  readonly mark?: string
  /** Of a heading. */
  readonly level?: number
  readonly text: string
}

/** A row of a table that stands alone: those of dashes part the head from the others. */
export const isRow = (passage: string): boolean => passage.startsWith('| ')
export const isDashes = (passage: string): boolean => /^\|[\s|:-]+$/.test(passage)

export type ReadComparison = Comparison<ReadChange>

/** All of it at once. */
export const asRead = (changes: readonly Change[]): ReadChange[] => changes.flatMap(readAs)

/** What leads from one text to the other as they are read, in steps (compare.ts). */
export function* comparingAsRead(from: string, to: string): Generator<void, ReadComparison> {
  const { changes, isCoarse } = yield* comparing(from, to)
  const read: ReadChange[] = []
  for (const change of changes) {
    if (change.type === 'changed') yield
    read.push(...readAs(change))
  }
  return { changes: read, isCoarse }
}

function readAs(change: Change): ReadChange[] {
  if (change.type !== 'changed') return isDashes(change.text) ? [] : [change]
  const [from, to] = [said(change, 'removed'), said(change, 'added')]
  const [before, after] = [passageOf(from), passageOf(to)]
  if (before.text === after.text) return [{ type: isRenumbered(from, to) ? 'same' : 'reformatted', text: to }]
  const found = isWhole(change)
    ? undefined
    : diffWordsWithSpace(before.text, after.text, { maxEditLength: EDITS_AT_MOST })
  const words = found?.map(
    ({ value, added, removed }) =>
      ({ type: added ? 'added' : removed ? 'removed' : 'same', text: value }) as const,
  )
  return [
    {
      type: 'changed',
      passage: after,
      words: words ?? [
        { type: 'removed', text: before.text },
        { type: 'added', text: after.text },
      ],
    },
  ]
}

/** Whether no word of it was compared: more would have taken too long. */
const isWhole = ({ words }: Changed): boolean => words.every(({ type }) => type !== 'same')

const said = ({ words }: Changed, side: 'added' | 'removed'): string =>
  words
    .filter(({ type }) => type === 'same' || type === side)
    .map(({ text }) => text)
    .join('')

const NUMBER = /^\s*\d{1,9}[.)] /
const isRenumbered = (from: string, to: string): boolean =>
  NUMBER.test(from) && NUMBER.test(to) && from.replace(NUMBER, '') === to.replace(NUMBER, '')

export function passageOf(passage: string): Passage {
  if (isRow(passage)) return { look: 'row', text: cellsOf(passage).join(' | ') }
  const blocks = readMarkdown(passage)
  const [block] = blocks
  const text = textOf(blocks)
  if (blocks.length !== 1) return { look: 'words', text }
  switch (block!.type) {
    case 'heading':
      return { look: 'heading', level: block!.level, text }
    case 'list':
      return { look: 'item', mark: block!.isOrdered ? `${block!.start}.` : '•', text }
    case 'quote':
      return { look: 'quote', text }
    case 'code':
      return { look: 'code', text }
    default:
      return { look: 'words', text }
  }
}

/** What stands in the cells of a row. */
export const cellsOf = (row: string): string[] => {
  const [table] = readMarkdown(`${row}\n${'| --- '.repeat(columnsOf(row))}|`)
  return table?.type === 'table' ? table.head.map(lineOf) : [row]
}

const columnsOf = (row: string): number =>
  row
    .replace(/\\./g, '')
    .replace(/\|\s*$/, '')
    .split('|').length - 1

const textOf = (blocks: readonly Block[]): string => blocks.map(wordsOf).join('\n')

function wordsOf(block: Block): string {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return lineOf(block.inline)
    case 'list':
      return block.items.map(textOf).join('\n')
    case 'quote':
      return textOf(block.blocks)
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(lineOf).join(' | ')).join('\n')
    case 'code':
      return block.text
    case 'rule':
      return ''
  }
}

const lineOf = (inline: readonly Inline[]): string =>
  inline
    .map((part) => {
      switch (part.type) {
        case 'strong':
        case 'emphasis':
          return lineOf(part.inline)
        case 'link':
          return part.text === part.url ? part.url : `${part.text} (${part.url})`
        case 'image':
          return `${part.text} ${part.fileId}`
        case 'break':
          return '\n'
        case 'mention':
          return `@${part.name}`
        default:
          return part.text
      }
    })
    .join('')
