const HOUR = 3_600_000

/** A length of time in its largest fitting unit: exactly, or "about" where it is rounded. */
function lengthWord(milliseconds: number): string {
  const [unit, size] =
    milliseconds >= 48 * HOUR
      ? (['day', 24 * HOUR] as const)
      : milliseconds >= HOUR
        ? (['hour', HOUR] as const)
        : milliseconds >= 60_000
          ? (['minute', 60_000] as const)
          : (['second', 1_000] as const)
  const length = Math.round(milliseconds / size)
  const about = length * size === milliseconds ? '' : 'about '
  return `${about}${length} ${unit}${length === 1 ? '' : 's'}`
}

export const times = {
  length: lengthWord,
  justNow: 'just now',
  timeOf: (title: string) => `${title}, time`,
  dayAlone: (zone: string, isUntil: boolean) =>
    `Without a time, it is the ${isUntil ? 'end' : 'start'} of that day. Time zone: ${zone}.`,
}
