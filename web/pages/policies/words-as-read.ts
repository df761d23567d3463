import { type Words, wordsBetween } from './compare.ts'
import { type Run, textOf } from './plain-words.ts'

/** Words of a passage, in the look that they have there. */
export interface ReadWords extends Words {
  /** Where not all of them are plain. */
  readonly runs?: readonly Run[]
}

/** What leads from one passage to another: words that are gone look as they did, all others as they do now. */
export function wordsAsRead(from: readonly Run[], to: readonly Run[], isWholly: boolean): ReadWords[] {
  const [before, after] = [new Reading(from), new Reading(to)]
  return wordsBetween(textOf(from), textOf(to), isWholly).map((words) => {
    const gone = words.type === 'added' ? [] : before.next(words.text.length)
    const come = words.type === 'removed' ? gone : after.next(words.text.length)
    return inRuns(words, come)
  })
}

export const inRuns = (words: Words, runs: readonly Run[]): ReadWords =>
  runs.some(({ marks }) => marks.length > 0) ? { ...words, runs } : words

/** Goes through runs from their first letter to the last. */
class Reading {
  readonly #runs: readonly Run[]
  #at = 0
  #within = 0

  constructor(runs: readonly Run[]) {
    this.#runs = runs
  }

  next(length: number): Run[] {
    const read: Run[] = []
    for (let left = length; left > 0 && this.#at < this.#runs.length; ) {
      const { text, marks } = this.#runs[this.#at]!
      const some = text.slice(this.#within, this.#within + left)
      if (some !== '') read.push({ text: some, marks })
      left -= some.length
      this.#within += some.length
      if (this.#within === text.length) [this.#at, this.#within] = [this.#at + 1, 0]
    }
    return read
  }
}
