/*
 * Days and clocks of a time zone. A day ends there when the next one begins, which may be an hour early or late: in some
 * zones clocks are put forward at midnight.
 */

/** `2026-05-17 10:00:00`, as clocks in a zone show it. */
const wallClockIn = (timeZone: string, at: Date): string => at.toLocaleString('sv', { timeZone })

/**
 * The moment at which clocks in a zone show this: `2026-05-17` and `10:00`. What is shown twice is meant the first or the
 * second time; what is skipped is as long after the skip as it would have been.
 */
export function momentIn(timeZone: string, day: string, time = '00:00'): Date {
  const wall = Date.parse(`${day}T${time}Z`)
  const offset = (at: number) => Date.parse(`${wallClockIn(timeZone, new Date(at)).replace(' ', 'T')}Z`) - at
  const first = wall - offset(wall)
  // Once more, where the clocks are changed between the two.
  const second = wall - offset(first)
  return new Date(second + offset(second) === wall ? second : Math.max(first, second))
}

/** The day that it is there at a moment. */
export const dayIn = (timeZone: string, at: Date): string => wallClockIn(timeZone, at).slice(0, DAY_LENGTH)

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** The last millisecond of a day there. */
export function endOfDayIn(timeZone: string, day: string): Date {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, DAY_LENGTH)
  return new Date(momentIn(timeZone, next).getTime() - 1)
}
