import type { Output } from './calls.ts'
import { wallClock } from './formats.ts'

export type Deadline = Output<'listDeadlines'>['data'][number]

const DAY_LENGTH = 'YYYY-MM-DD'.length

interface Dated {
  readonly date: string
}

/** Whether it is of a day as such, and not of a moment in it. */
export const isDay = ({ date }: Dated): boolean => date.length === DAY_LENGTH

/** The day on which it stands, where the organization is. */
export const dayOf = (one: Dated): string =>
  isDay(one) ? one.date : wallClock(new Date(one.date)).slice(0, DAY_LENGTH)
