import type { CatalogRequirement } from './catalog.ts'

/*
 * What became of the requirements of one list in another, by their keys: those of two editions, or of a file and of what
 * is kept from it.
 */

/** What may differ of a requirement that stays where it is. */
export const COMPARED = [
  'sourceId',
  'title',
  'text',
  'guidance',
  'kind',
  'assessable',
  'levels',
  'weight',
  'importance',
  'typicalEvidence',
  'annotation',
] as const

export type ComparedField = (typeof COMPARED)[number]

export type Comparable = Pick<CatalogRequirement, 'key' | 'parentKey' | ComparedField>

export interface ChangedRequirement {
  readonly key: string
  readonly fields: readonly ComparedField[]
}

export interface MovedRequirement {
  readonly key: string
  /** What it stands beneath; null at the top. */
  readonly from: string | null
  readonly to: string | null
}

export interface EditionsCompared {
  /** In the order of the newer. */
  readonly added: readonly string[]
  /** In the order of the older. */
  readonly removed: readonly string[]
  /** That say something else, in the order of the newer. One that moved besides is among those as well. */
  readonly changed: readonly ChangedRequirement[]
  /** Beneath another requirement, or to another place among those that stay beneath the same. */
  readonly moved: readonly MovedRequirement[]
  readonly unchanged: number
}

/** @param older and newer, each in its order, with keys of their own */
export function compareEditions(
  older: readonly Comparable[],
  newer: readonly Comparable[],
): EditionsCompared {
  const before = new Map(older.map((one) => [one.key, one]))
  const after = new Map(newer.map((one) => [one.key, one]))
  const changed: ChangedRequirement[] = []
  const moved: MovedRequirement[] = []
  const stays = placesThatStay(older, newer, before)
  let unchanged = 0
  for (const one of newer) {
    const was = before.get(one.key)
    if (!was) continue
    const fields = COMPARED.filter((field) => !isSame(was[field], one[field]))
    if (fields.length > 0) changed.push({ key: one.key, fields })
    const hasMoved = !stays.has(one.key)
    if (hasMoved) moved.push({ key: one.key, from: was.parentKey ?? null, to: one.parentKey ?? null })
    if (fields.length === 0 && !hasMoved) unchanged += 1
  }
  return {
    added: newer.filter(({ key }) => !before.has(key)).map(({ key }) => key),
    removed: older.filter(({ key }) => !after.has(key)).map(({ key }) => key),
    changed,
    moved,
    unchanged,
  }
}

export const isSameEdition = ({ added, removed, changed, moved }: EditionsCompared): boolean =>
  added.length + removed.length + changed.length + moved.length === 0

/** What is not there is the same as what is empty; levels are a set. */
function isSame(one: unknown, other: unknown): boolean {
  const empty = (value: unknown) => value ?? null
  if (Array.isArray(one) && Array.isArray(other)) {
    const of = new Set(one)
    return one.length === other.length && other.every((value) => of.has(value))
  }
  return empty(one) === empty(other)
}

/**
 * Whoever stands beneath the same as before, in the same order: of siblings, the longest row that keeps its order, so
 * that one that was taken out of the middle and put last has moved, and the others have not.
 */
function placesThatStay(
  older: readonly Comparable[],
  newer: readonly Comparable[],
  before: ReadonlyMap<string, Comparable>,
): ReadonlySet<string> {
  const placed = new Map(older.map(({ key }, index) => [key, index]))
  const siblings = new Map<string | undefined, string[]>()
  for (const { key, parentKey } of newer) {
    const was = before.get(key)
    if (!was || was.parentKey !== parentKey) continue
    const beneath = siblings.get(parentKey)
    if (beneath) beneath.push(key)
    else siblings.set(parentKey, [key])
  }
  return new Set([...siblings.values()].flatMap((keys) => longestRising(keys, (key) => placed.get(key)!)))
}

/** The longest row of them whose places rise. */
export function longestRising(keys: readonly string[], placeOf: (key: string) => number): string[] {
  /** At each length, the index of the key that ends the row with the lowest place. */
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, key] of keys.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (placeOf(keys[ends[middle]!]!) < placeOf(key)) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? ends[low - 1]! : -1
    ends[low] = index
  }
  const row: string[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) row.push(keys[at]!)
  return row.reverse()
}
