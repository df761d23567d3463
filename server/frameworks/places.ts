import { longestRising } from './compare-editions.ts'

/** Between two neighbours when all are placed anew: room for what a correction adds. */
export const STEP = 20

/**
 * Places for keys in a new order, so that as few as can be get another: those that are in order among each other keep
 * theirs, and the others go between them.
 * @param placed that they have, by their keys
 */
export function placesOf(
  keys: readonly string[],
  placed: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const known = keys.filter((key) => placed.has(key))
  const stays = new Set(longestRising(known, (key) => placed.get(key)!))
  const places = new Map<string, number>()
  let [before, waiting] = [-1, [] as string[]]
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
    if (!settle(placed.get(key)!)) return anew(keys)
    before = placed.get(key)!
    places.set(key, before)
  }
  settle(before + (waiting.length + 1) * STEP)
  return places
}

const anew = (keys: readonly string[]): ReadonlyMap<string, number> =>
  new Map(keys.map((key, index) => [key, index * STEP]))
