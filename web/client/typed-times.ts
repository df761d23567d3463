import { endOfDayIn, momentIn } from '../../model/zoned-times.ts'
import { timeZone } from './formats.ts'

/* What somebody types as a day and a time means these in the organization's zone. */

/** The moment at which clocks there show this: `2026-05-17` and `10:00`. */
export const momentAt = (day: string, time?: string): Date => momentIn(timeZone(), day, time)

/** The last millisecond of a day there. */
export const endOfDay = (day: string): Date => endOfDayIn(timeZone(), day)
