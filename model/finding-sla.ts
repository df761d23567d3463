import type { FindingSlaDays } from './organization.ts'
import { isInYears, LAST_DAY } from './times.ts'

/** What an organization says of the time in which its security findings are to be resolved. */
export interface FindingSla {
  readonly days: FindingSlaDays
  /** Whose days they are counted in. */
  readonly timezone: string
}

/**
 * The day by which a finding is to be resolved.
 * @param detectedAt when it was found; the day it is there and then is the first that is counted from
 * @returns null where nothing is set for the severity
 */
export function dayOfSla(
  { days, timezone }: FindingSla,
  severity: unknown,
  detectedAt: string,
): string | null {
  const count = days[severity as keyof FindingSlaDays] ?? null
  if (count === null) return null
  const { year, month, day } = partsIn(timezone, detectedAt)
  const due = new Date(Date.UTC(year!, month! - 1, day! + count)).toISOString().slice(0, 'YYYY-MM-DD'.length)
  // As late as a day may be.
  return isInYears(due) ? due : LAST_DAY
}

/** The date that it is somewhere at a moment. */
function partsIn(timeZone: string, moment: string): Readonly<Record<string, number>> {
  const known = formats.get(timeZone)
  const format =
    known ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      calendar: 'gregory',
    })
  if (!known) formats.set(timeZone, format)
  return Object.fromEntries(
    format.formatToParts(Date.parse(moment)).map(({ type, value }) => [type, Number(value)]),
  )
}

/** To make one takes longer than to use it. */
const formats = new Map<string, Intl.DateTimeFormat>()
