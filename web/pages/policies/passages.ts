import { beginsCode, cellsOf, endsCode, linesOf, tableAt } from '../../../model/markdown.ts'

/*
 * The passages of a text, each as it is written: a paragraph, a heading, an item of a list, code, a row of a table. Rows
 * are written in one way, so that neither the width of a table nor its strokes make a difference, and the head of a table
 * has its row of dashes with it, by which it is known. An item of a list within another keeps how deep it is, by two spaces
 * each.
 */

/** Longer ones are cut where a sentence ends, and compared as several. */
const PASSAGE_AT_MOST = 2_000
/** A table with a longer row is no table that anybody reads, and is compared as words are. */
const ROW_AT_MOST = 10_000

const HEADING = /^#{1,6} /
/** Of an item, or of a heading. */
const START = /^\s*(?:[-*+]|\d{1,9}[.)]|#{1,6}) /
/** An item of a list, with what stands before its point or number. */
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)]) /
/** What begins no table, whatever stands in it. */
const OTHER = /^\s*(?:>|```|(?:[-*+]|\d{1,9}[.)]|#{1,6})(?: |$))/

export function passagesIn(text: string): string[] {
  const lines = linesOf(text)
  const passages: string[] = []
  let open: string[] = []
  // How far the lists around are set in.
  let around: number[] = []
  const close = () => {
    const depth = ITEM.test(open[0] ?? '') ? around.length - 1 : 0
    const passage = INDENT.repeat(depth) + open.join('\n').trim()
    if (passage.length > PASSAGE_AT_MOST) for (const sentence of sentencesIn(passage)) passages.push(sentence)
    else if (passage.trim() !== '') passages.push(passage)
    open = []
  }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!
    if (line.trim() === '') {
      close()
      continue
    }
    const table = open.length === 0 && !OTHER.test(line) ? tableAt(lines, at) : null
    if (table && lines.slice(at, table.end).every(({ length }) => length <= ROW_AT_MOST)) {
      passages.push(`${rowOf(table.head)}\n${lines[at + 1]!.trim()}`)
      for (const row of table.rows) passages.push(rowOf(row))
      at = table.end - 1
      continue
    }
    if (beginsCode(line)) {
      close()
      open.push(line)
      while (++at < lines.length && !endsCode(lines[at]!)) open.push(lines[at]!)
      if (at < lines.length) open.push(lines[at]!)
      close()
      continue
    }
    if (START.test(line)) close()
    if (open.length === 0) around = listsAround(around, line)
    open.push(line)
    if (isHeading(line)) close()
  }
  close()
  return passages
}

const INDENT = '  '

/** In which lists an item stands, by how far each is set in; in none, where a line is no item and is not set in. */
function listsAround(before: readonly number[], line: string): number[] {
  const item = ITEM.exec(line)
  if (!item) return /^\s/.test(line) ? [...before] : []
  const width = item[1]!.replaceAll('\t', '    ').length
  // A point a letter further in is of the same list still.
  return [...before.filter((one) => one + 1 < width), width]
}

/** How many lists a passage stands in beside its own. */
export const depthOf = (passage: string): number => /^ */.exec(passage)![0].length / INDENT.length

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Sentences, and of one without an end so many letters each. */
const sentencesIn = (text: string): string[] =>
  (text.match(SENTENCE) ?? []).map((one) => one.trim()).filter((one) => one !== '')

const SENTENCE = new RegExp(
  `[^]{1,${PASSAGE_AT_MOST}}?(?:[.!?:;](?=\\s)|[。！？；]|\\n|$)|[^]{1,${PASSAGE_AT_MOST}}`,
  'gu',
)

export const isHeading = (passage: string): boolean => HEADING.test(passage)

const ROW = /^\| [^\n]* \|$/
const HEAD = /^\| [^\n]* \|\n[|\s:-]+$/

/** What a passage is, as far as others of its sort alone take its place; a row may be words between strokes too. */
export const sortOf = (passage: string): 'head' | 'row' | 'text' =>
  !passage.startsWith('| ') ? 'text' : ROW.test(passage) ? 'row' : HEAD.test(passage) ? 'head' : 'text'

/** What stands in the cells of a row, or of a head. */
export const cellsIn = (passage: string): string[] => cellsOf(passage.slice(0, lineEnd(passage)))

const lineEnd = (passage: string): number => {
  const end = passage.indexOf('\n')
  return end < 0 ? passage.length : end
}

/** What the first cell of a row calls it, where that has letters: numbers of rows are those of others as soon as one comes in. */
export function nameOfRow(passage: string): string | null {
  if (sortOf(passage) !== 'row') return null
  const name = cellsIn(passage)[0]!
  return /\p{L}/u.test(name) ? name.toLowerCase() : null
}
