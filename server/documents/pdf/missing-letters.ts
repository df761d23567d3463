import type { Fact, PaperDocument } from '../document.ts'
import { seenLines } from '../words.ts'

/** What a document says at its top of the letters that its fonts do not have: who reads it knows that something is missing. */
export function missingLetters(
  { title, subtitle, facts, blocks }: PaperDocument,
  hasLetter: (codePoint: number) => boolean,
): readonly Fact[] {
  let count = 0
  const look = (told: unknown): void => {
    if (typeof told === 'string')
      for (const line of seenLines(told))
        for (const letter of line) count += hasLetter(letter.codePointAt(0)!) ? 0 : 1
    else if (typeof told === 'object' && told !== null) for (const one of Object.values(told)) look(one)
  }
  look([title, subtitle, facts, blocks])
  if (count === 0) return []
  const value = `${count}, each shown as \ufffd. This file has Latin, Greek and Cyrillic letters: take it out in another format to read the others.`
  return [{ name: 'Letters that are not shown', value, isWide: true }]
}
