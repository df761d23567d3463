/** The turn in which a row can be written; or the rows that lead to each other in a ring, on which it waits. */
export type TurnOrRing = number | readonly number[]

/**
 * In which turn each of some rows can be written, so that all that it waits for is written before.
 * @param waits of each row, for which others; one that is not among them waits for none
 */
export function turnsOf(waits: ReadonlyMap<number, readonly number[]>): ReadonlyMap<number, TurnOrRing> {
  const turns = new Map<number, TurnOrRing>()
  const open = new Map<number, Set<number>>()
  const waiting = new Map<number, number[]>()
  for (const [row, those] of waits) {
    open.set(row, new Set(those.filter((one) => waits.has(one))))
    for (const one of open.get(row)!) waiting.set(one, [...(waiting.get(one) ?? []), row])
  }
  const ready = [...open].flatMap(([row, those]) => (those.size === 0 ? [row] : []))
  for (const row of ready) {
    // Whatever it waits for was ready before it, and has its turn.
    turns.set(row, Math.max(-1, ...waits.get(row)!.map((one) => (turns.get(one) ?? 0) as number)) + 1)
    for (const one of waiting.get(row) ?? []) {
      const left = open.get(one)!
      left.delete(row)
      if (left.size === 0) ready.push(one)
    }
  }
  for (const row of waits.keys()) if (!turns.has(row)) turns.set(row, ringFrom(row, open, turns))
  return turns
}

/** The ring that a row leads to, by way of what it still waits for. */
function ringFrom(
  row: number,
  open: ReadonlyMap<number, ReadonlySet<number>>,
  turns: ReadonlyMap<number, TurnOrRing>,
): readonly number[] {
  const way: number[] = []
  const places = new Map<number, number>()
  for (let at = row; ; ) {
    const known = turns.get(at)
    if (known !== undefined && typeof known !== 'number') return known
    const before = places.get(at)
    if (before !== undefined) return way.slice(before)
    places.set(at, way.length)
    way.push(at)
    at = open.get(at)!.values().next().value!
  }
}
