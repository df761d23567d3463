const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** `2 minutes`, `1 day 6 hours`: a setting or a sum of them, in words. */
export function durationWords(milliseconds: number): string {
  let left = milliseconds
  const told = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : `${count} ${unit}${count === 1 ? '' : 's'}`
  })
  return told.length > 0 ? told.join(' ') : `${milliseconds} milliseconds`
}
