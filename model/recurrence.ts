/*
 * When work that comes again is due next. All of it is days as texts, YYYY-MM-DD, of the calendar alone: which day it is
 * anywhere is asked by whoever calls.
 */

export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

export interface Recurrence {
  readonly frequency: (typeof FREQUENCIES)[number]
  /** Every so many days, weeks, months or years; each, where absent. */
  readonly interval?: number | undefined
  /** Of weeks: on which of their days; on that of the one before, where none are named. */
  readonly weekdays?: readonly Weekday[] | undefined
  /** Of months and years: on which day of the month, or its last where it is shorter; on that of the one before, if absent. */
  readonly dayOfMonth?: number | undefined
  /** The last day on which one may be due. */
  readonly until?: string | null | undefined
  /** What becomes of the next where one is late: it is as far from the day it was done, or stays where it was. */
  readonly overdue?: 'delay_next' | 'no_impact' | undefined
  /** Whether the next one is made as soon as this one is due, or not before it is done. */
  readonly next?: 'when_done' | 'when_due' | undefined
}

/**
 * @param due when the one before was due
 * @param done the day on which it was done; null where the next one comes whether or not it is done
 * @returns the day on which the next one is due, after `due` and never before it was done; null where none comes
 */
export function nextDue(recurrence: Recurrence, due: string, done: string | null): string | null {
  const isDelayed = recurrence.overdue === 'delay_next' && done !== null && done > due
  const from = isDelayed ? done : due
  let next = following(recurrence, from)
  // What was missed meanwhile is over: one that is late already when it comes helps nobody.
  while (done !== null && next !== null && next < done) next = following(recurrence, next)
  return next
}

/** The next day of the rule after one of its days. */
function following(recurrence: Recurrence, day: string): string | null {
  const next = step(recurrence, day)
  return next > LAST_DAY || (recurrence.until && next > recurrence.until) ? null : next
}

/** Of the years that a date may have (times.ts, which every page would load for this). */
const LAST_DAY = '2200-12-31'

function step({ frequency, interval = 1, weekdays = [], dayOfMonth }: Recurrence, day: string): string {
  switch (frequency) {
    case 'daily':
      return plusDays(day, interval)
    case 'weekly': {
      const today = weekdayOf(day)
      const wanted = weekdays.map((one) => WEEKDAYS.indexOf(one)).sort((one, other) => one - other)
      if (wanted.length === 0) return plusDays(day, 7 * interval)
      const later = wanted.find((one) => one > today)
      return plusDays(day, later === undefined ? 7 * interval + wanted[0]! - today : later - today)
    }
    case 'monthly':
      return plusMonths(day, interval, dayOfMonth)
    case 'yearly':
      return plusMonths(day, 12 * interval, dayOfMonth)
  }
}

const DAY = 24 * 60 * 60 * 1000

/** @param count may be below nought */
export const plusDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)

/** How many days one day is after another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY)

/** 0 is Monday, with which weeks begin. */
export const weekdayOf = (day: string): number => (new Date(day).getUTCDay() + 6) % 7

/** Where a day of the month is named and still to come in this one, it is that. */
function plusMonths(day: string, count: number, dayOfMonth?: number): string {
  const soon = dayOfMonth === undefined ? day : inMonth(day, 0, dayOfMonth)
  return soon > day ? soon : inMonth(day, count, dayOfMonth ?? Number(day.slice(8)))
}

function inMonth(day: string, after: number, dayOfMonth: number): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) + after]
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1, Math.min(dayOfMonth, last))).toISOString().slice(0, 10)
}
