import { today } from '../../client/formats.ts'

/** The day so many days from today; before today, where they are fewer than none. */
export function inDays(days: number): string {
  const day = new Date(`${today()}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

/** What runs out within so many days is told of before. */
export const SOON_DAYS = 60
