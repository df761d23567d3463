import { closest, distance } from 'fastest-levenshtein'

/* Which of the names that are known somebody meant: "did you mean" is said only of what is near. */

const SLIPS_AT_MOST = 3

/** The name that was meant, where one is near: but for capitals and signs the same, or a slip or two away. */
export function nearestName(name: string, known: readonly string[]): string | null {
  // A longer one is near to none of them, and to compare it would take as long as it is.
  const isLonger = name.length > 2 * SLIPS_AT_MOST + Math.max(0, ...known.map(({ length }) => length))
  if (known.length === 0 || isLonger) return null
  const plain = folded(name)
  const byPlain = new Map(known.toReversed().map((one) => [folded(one), one]))
  const nearest = closest(plain, [...byPlain.keys()].toReversed())
  const slips = distance(plain, nearest)
  return slips === 0 || slips <= slipsIn(plain, nearest) ? (byPlain.get(nearest) ?? null) : null
}

/** The same, or the one of them that has it as its first or last word: `statusReason` of `reason`. */
export function meantName(name: string, known: readonly string[]): string | null {
  const nearest = nearestName(name, known)
  if (nearest !== null) return nearest
  const word = folded(name)
  const within = known.filter((one) => {
    const words = wordsIn(one)
    return words.length > 1 && (words[0] === word || words.at(-1) === word)
  })
  return within.length === 1 ? within[0]! : null
}

/** As many as leave most of it: none of a letter or two, and where it begins with another letter one at most. */
function slipsIn(name: string, nearest: string): number {
  const most = Math.min(SLIPS_AT_MOST, Math.floor(Math.min(name.length, nearest.length) / 2.5))
  return name[0] === nearest[0] ? most : Math.min(1, most)
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
