/**
 * Which days and moments are taken. A typed year is wrong far more often than it lies before 1900 or after 2200, and
 * PostgreSQL and JavaScript disagree about what is further away.
 */
export const FIRST_YEAR = 1900
export const LAST_YEAR = 2200
export const LAST_DAY = `${LAST_YEAR}-12-31`

export const OUT_OF_YEARS = `is out of range: give a year from ${FIRST_YEAR} to ${LAST_YEAR}, in UTC`

/** @param text a day or a moment in UTC; what is neither is for others to refuse */
export function isInYears(text: string): boolean {
  const moment = Date.parse(text)
  if (Number.isNaN(moment)) return true
  const year = new Date(moment).getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/** ISO 8601 in UTC with milliseconds, so that equal moments are equal texts; what is no moment stays as it is. */
export function inUtc(text: string): string {
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? text : new Date(moment).toISOString()
}

/** `2026-05-17`: of a moment the day alone. */
export const isDayAlone = (text: string): boolean => text.length === 'YYYY-MM-DD'.length
