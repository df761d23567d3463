import { longestRising } from './compare-editions.ts'

/** Between two neighbours when all are placed anew: room for what a correction adds. */
export const STEP = 20

/**
 * Places for keys in a new order, so that as few as can be get another: those that are in order among each other keep
 * theirs, and the others go between them.
 * @param placed that they have, by their keys
 * @param behind the place of what stands before all of them, which stays
 */
export function placesOf(
  keys: readonly string[],
  placed: ReadonlyMap<string, number>,
  behind = -1,
): ReadonlyMap<string, number> {
  const known = keys.filter((key) => (placed.get(key) ?? -1) > behind)
  const stays = new Set(longestRising(known, (key) => placed.get(key)!))
  const places = new Map<string, number>()
  let [before, waiting] = [behind, [] as string[]]
  const settle = (after: number): boolean => {
    if (after - before <= waiting.length) return false
    const gap = (after - before) / (waiting.length + 1)
    for (const [index, key] of waiting.entries()) places.set(key, Math.floor(before + gap * (index + 1)))
    waiting = []
    return true
  }
  for (const key of keys) {
    if (!stays.has(key)) {
      waiting.push(key)
      continue
    }
    if (!settle(placed.get(key)!)) return anew(keys, behind)
    before = placed.get(key)!
    places.set(key, before)
  }
  settle(before + (waiting.length + 1) * STEP)
  return places
}

const anew = (keys: readonly string[], behind: number): ReadonlyMap<string, number> => {
  const first = behind < 0 ? 0 : behind + STEP
  return new Map(keys.map((key, index) => [key, first + index * STEP]))
}
