/*
 * What the library that reads workbooks does not tell of a sheet: the cells that have a formula and no value, as
 * programs write them that do not reckon, and those that are merged with what stands above them. Both look empty, and
 * are not what somebody sees in the spreadsheet.
 */

/** In place of a cell: as `#REF!`, it is told with what would be right (take-cell.ts). */
export const NOT_RECKONED = '#FORMULA!'
export const MERGED = '#MERGED!'

/** More are not told: no sheet that people made has so many. */
const MARKS_AT_MOST = 50_000
const TAG_AT_MOST = 4_096

const TAG = /<(\/?)(?:[A-Za-z]\w*:)?(c|f|v|is|mergeCell)(?=[\s/>])([^<>]*)>/g

/** Looks through the XML of a sheet as it comes out of the archive. */
export class SheetMarks {
  readonly #formulas = new Map<number, number[]>()
  readonly #merges: { column: number; from: number; to: number }[] = []
  #count = 0
  #rest = ''
  #cell: { attributes: string; hasFormula: boolean; hasValue: boolean } | null = null

  /** @param chunk in which each byte is a letter: no tag has others */
  take(chunk: string): void {
    const text = this.#rest + chunk
    let done = 0
    for (const tag of text.matchAll(TAG)) {
      const end = tag.index + tag[0].length
      // Whether a value is empty, the letter behind its tag says.
      if (end === text.length) break
      this.#tag(tag[1] === '/', tag[2]!, tag[3]!, text[end]!)
      done = end
    }
    const open = text.lastIndexOf('<')
    this.#rest = open < done || text.length - open > TAG_AT_MOST ? '' : text.slice(open)
  }

  #tag(isEnd: boolean, name: string, attributes: string, next: string): void {
    const isEmpty = attributes.endsWith('/')
    if (name === 'mergeCell') this.#merge(attribute(attributes, 'ref'))
    else if (name === 'c' && !isEnd)
      this.#cell = isEmpty ? null : { attributes, hasFormula: false, hasValue: false }
    else if (name === 'c') this.#ended()
    else if (this.#cell && !isEnd && name === 'f') this.#cell.hasFormula = true
    else if (this.#cell && !isEnd && !isEmpty) this.#cell.hasValue ||= name === 'is' || next !== '<'
  }

  #ended(): void {
    const cell = this.#cell
    this.#cell = null
    if (!cell?.hasFormula || cell.hasValue) return
    // A text that is empty is what a formula came to.
    const isPlain = ['', 'n'].includes(attribute(cell.attributes, 't'))
    const place = isPlain ? placeOf(attribute(cell.attributes, 'r')) : null
    if (!place || ++this.#count > MARKS_AT_MOST) return
    const columns = this.#formulas.get(place.row)
    if (columns) columns.push(place.column)
    else this.#formulas.set(place.row, [place.column])
  }

  #merge(ref: string): void {
    const [first, last] = ref.split(':').map(placeOf)
    if (!first || !last || last.row <= first.row || ++this.#count > MARKS_AT_MOST) return
    this.#merges.push({ column: first.column, from: first.row, to: last.row })
  }

  /** @returns a function that marks the cells of one row after the other, downwards; rows are counted from 1 */
  marker<Cell>(): (row: number, cells: readonly (Cell | null)[]) => readonly (Cell | string | null)[] {
    const waiting = this.#merges.toSorted((one, other) => other.from - one.from)
    /** The last row of the merged cells that began in each column. */
    const open = new Map<number, number>()
    return (row, cells) => {
      const isSaid = (column: number) => (cells[column] ?? null) !== null && cells[column] !== ''
      for (const [column, to] of open) if (to < row) open.delete(column)
      const marked: (Cell | string | null)[] = [...cells]
      const mark = (column: number, as: string) => {
        while (marked.length < column) marked.push(null)
        marked[column] = as
      }
      for (const column of this.#formulas.get(row) ?? []) if (!isSaid(column)) mark(column, NOT_RECKONED)
      // A row that is nothing but the lower half of another is none.
      if (marked.some((cell) => cell !== null && cell !== ''))
        for (const column of open.keys()) if (!isSaid(column)) mark(column, MERGED)
      while (waiting.length > 0 && waiting.at(-1)!.from <= row) {
        const merge = waiting.pop()!
        if (merge.from === row && isSaid(merge.column))
          open.set(merge.column, Math.max(merge.to, open.get(merge.column) ?? 0))
      }
      return marked
    }
  }
}

/** The value of an attribute of a tag, which ends at the quotation mark that began it; empty where it has none. */
export function attribute(attributes: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return value?.[1] ?? value?.[2] ?? ''
}

function placeOf(text: string): { row: number; column: number } | null {
  const [, letters, row] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(text) ?? []
  if (!letters) return null
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(row), column }
}
