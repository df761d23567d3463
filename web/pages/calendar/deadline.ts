import type { Output } from '../../client/calls.ts'
import { wallClock } from '../../client/formats.ts'

export type Deadline = Output<'listDeadlines'>['data'][number]

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Whether it is of a day as such, and not of a moment in it. */
export const isDay = ({ date }: Deadline): boolean => date.length === DAY_LENGTH

/** The day on which it stands, where the organization is. */
export const dayOf = (one: Deadline): string =>
  isDay(one) ? one.date : wallClock(new Date(one.date)).slice(0, DAY_LENGTH)
