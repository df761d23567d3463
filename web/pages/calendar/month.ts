/* Months and their weeks, which begin on Monday; days as texts, 2026-11-23, of the calendar alone. */

const DAY = 86_400_000

/** The day so many days after one. */
export const plusDays = (day: string, days: number): string => text(Date.parse(day) + days * DAY)

const text = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** @param month such as `2026-11` @returns its weeks, with the days of other months that fill the first and the last */
export function weeksOf(month: string): string[][] {
  const first = Date.parse(`${month}-01`)
  const begin = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY
  const end = Date.parse(`${monthAfter(month, 1)}-01`)
  const weeks: string[][] = []
  for (let week = begin; week < end; week += 7 * DAY)
    weeks.push(Array.from({ length: 7 }, (_, at) => text(week + at * DAY)))
  return weeks
}

/** @param count of months, below nought for those before */
export function monthAfter(month: string, count: number): string {
  const [year, at] = month.split('-').map(Number) as [number, number]
  return text(Date.UTC(year, at - 1 + count, 1)).slice(0, 7)
}
