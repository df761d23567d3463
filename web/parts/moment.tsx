import type { ReactNode } from 'react'
import { times } from '../words/times.ts'

/*
 * Every time of the app is drawn here: in the reader's zone, and on hover exactly, there and in UTC, which is what
 * logs elsewhere have.
 */

const DAY = 86_400_000

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const minutes = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const near = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/**
 * A time: in words near today, as a date further away.
 * @param isExact as a log has it: to the second, with the day where that is not today
 */
export function Moment({ at, isExact = false }: { at: string; isExact?: boolean }) {
  return <Timed at={at}>{(isExact ? exactly : inWords)(new Date(at))}</Timed>
}

/** A time with its day and its zone, to the second: for what is held against other logs, or kept as proof. */
export function ZonedMoment({ at }: { at: string }) {
  return <Timed at={at}>{zoned.format(new Date(at))}</Timed>
}

/** The same in UTC, to the millisecond. */
export const utcWord = (at: string): string => inUtc(new Date(at))

/** Something that is said of a time, which it shows on hover. */
export function Timed({ at, children }: { at: string; children: ReactNode }) {
  const time = new Date(at)
  // Written out when somebody points at it: a list has hundreds, and each would cost more than its words.
  const tell = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    currentTarget.title = `${full.format(time)}\n${inUtc(time)}`
  }
  return (
    <time dateTime={at} onPointerEnter={tell} style={{ whiteSpace: 'nowrap' }}>
      {children}
    </time>
  )
}

/** A time as one text, to the minute; what is none stays as it is. */
export const momentWord = (at: string): string =>
  Number.isNaN(Date.parse(at)) ? at : minutes.format(new Date(at))

const inUtc = (time: Date): string => time.toISOString().replace('T', ' ').replace('Z', ' UTC')

function exactly(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString()
  return isToday ? clock.format(time) : `${date.format(time)}, ${clock.format(time)}`
}

const UNITS = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function inWords(time: Date): string {
  const distance = time.getTime() - Date.now()
  if (Math.abs(distance) > 7 * DAY) return date.format(time)
  if (Math.abs(distance) < 60_000) return times.justNow
  const [unit, length] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ['minute', 60_000]
  return near.format(Math.round(distance / length), unit)
}
