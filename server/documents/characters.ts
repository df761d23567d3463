import type { PaperDocument } from './document.ts'
import { seenLines } from './words.ts'

/** All characters of a document, and how often it has each. */
export function charactersOf({
  title,
  subtitle,
  facts,
  footer,
  blocks,
}: PaperDocument): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  const look = (value: unknown): void => {
    if (typeof value === 'string')
      for (const line of seenLines(value))
        for (const character of line) {
          const codePoint = character.codePointAt(0)!
          counts.set(codePoint, (counts.get(codePoint) ?? 0) + 1)
        }
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) look(one)
  }
  look([title, subtitle, facts, footer, blocks])
  return counts
}
