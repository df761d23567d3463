import { type Change, sidesOf } from './compare.ts'

/*
 * The numbers of a list as they move on. Items that are new or gone move those behind them by as many; a number that moved
 * by anything else is another than was read, as where a list begins with another.
 */

/** The marks of an item, before and after. */
export interface Renumbered {
  readonly from: string
  readonly to: string
}

export class Numbers {
  /** By how many items have moved so far, of each list by how far in it stands. */
  readonly #moved = new Map<number, number>()

  /** What ends every list. */
  end(): void {
    this.#moved.clear()
  }

  /** Reckons with the next change. @returns the number that it changed, where nothing before it moved it there */
  follow(change: Change): Renumbered | null {
    const { before, after } = sidesOf(change)
    const [from, to] = [itemIn(before), itemIn(after)]
    const item = to ?? from
    if (!item) {
      if (!/^\s/.test(after ?? before ?? '')) this.end()
      return null
    }
    for (const depth of this.#moved.keys()) if (depth > item.depth) this.#moved.delete(depth)
    const moved = this.#moved.get(item.depth) ?? 0
    const by = from && to ? to.number - from.number : moved + (to ? 1 : -1)
    this.#moved.set(item.depth, by)
    return from && to && from.words === to.words && by !== moved && by !== 0
      ? { from: from.mark, to: to.mark }
      : null
  }
}

function itemIn(passage: string | null) {
  const [, space, mark, number, words] = /^(\s*)((\d{1,9})[.)]) ([\s\S]*)$/.exec(passage ?? '') ?? []
  return mark === undefined ? null : { depth: space!.length, mark, number: Number(number), words: words! }
}
