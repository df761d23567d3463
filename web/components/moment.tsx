import { type ReactNode, useSyncExternalStore } from 'react'
import { isOtherZone, today, wallClock, writtenTime } from '../client/formats.ts'
import { times } from '../copy/times.ts'
import { usePrinting } from './use-printing.ts'

/*
 * Every time of the app is drawn here: in the organization's zone, and on hover exactly: there, where the reader is,
 * and in UTC, which is what logs elsewhere have.
 */

const DAY = 86_400_000

const FULL = { dateStyle: 'full', timeStyle: 'long' } as const
const HERE = { ...FULL, timeZone: undefined }
const DATE = { dateStyle: 'medium' } as const
const CLOCK = { timeStyle: 'medium' } as const
/** With the zone, where the reader's own clock shows another time. */
const FOREIGN_CLOCK = { timeStyle: 'long' } as const
const ZONED = { dateStyle: 'medium', timeStyle: 'long' } as const
const NEAR_DAY = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
const MINUTES = { dateStyle: 'medium', timeStyle: 'short' } as const
const near = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/**
 * A time: in words near today, as a date further away.
 * @param isExact as a log has it: to the second, with the day where that is not today
 */
export function Moment({ at, isExact = false }: { at: string; isExact?: boolean }) {
  return <Timed at={at}>{isExact ? exactly(new Date(at)) : <InWords at={at} />}</Timed>
}

/**
 * A time that counts as a date, such as that of an approval or an end: with the hour where it is near, in place of the
 * year, which nobody asks for then.
 */
export function DatedMoment({ at }: { at: string }) {
  const time = new Date(at)
  const isPrinting = usePrinting()
  return (
    <Timed at={at}>{isPrinting ? momentWord(at) : writtenTime(time, isNear(time) ? NEAR_DAY : DATE)}</Timed>
  )
}

/** Written anew as time goes by: a page may stay open for hours, and paper is read whenever. */
function InWords({ at }: { at: string }) {
  useSyncExternalStore(onTick, () => Math.floor(Date.now() / TICK))
  return usePrinting() ? momentWord(at) : inWords(new Date(at))
}

const TICK = 30_000
const tickers = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined

function onTick(tell: () => void): () => void {
  tickers.add(tell)
  ticking ??= setInterval(() => {
    for (const one of tickers) one()
  }, TICK)
  return () => {
    tickers.delete(tell)
    if (tickers.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

/** How long ago a time was: in days, however many. */
export function Age({ from }: { from: string }) {
  useSyncExternalStore(onTick, () => Math.floor(Date.now() / TICK))
  const days = Math.floor((Date.now() - Date.parse(from)) / DAY)
  return <Timed at={from}>{days < 1 ? inWords(new Date(from)) : near.format(-days, 'day')}</Timed>
}

/** A time with its day and its zone, to the second: for what is held against other logs, or kept as proof. */
export function ZonedMoment({ at }: { at: string }) {
  return <Timed at={at}>{writtenTime(new Date(at), ZONED)}</Timed>
}

/** The same in UTC, to the millisecond. */
export const utcWord = (at: string): string => inUtc(new Date(at))

/** Something that is said of a time, which it shows on hover. */
export function Timed({ at, children }: { at: string; children: ReactNode }) {
  const time = new Date(at)
  // Written out when somebody points at it: a list has hundreds, and each would cost more than its words.
  const tell = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const here = isOtherZone(time) ? [writtenTime(time, HERE)] : []
    currentTarget.title = [writtenTime(time, FULL), ...here, inUtc(time)].join('\n')
  }
  return (
    <time dateTime={at} onPointerEnter={tell} style={{ whiteSpace: 'nowrap' }}>
      {children}
    </time>
  )
}

/** A time as one text, to the minute; what is none stays as it is. */
export const momentWord = (at: string): string =>
  Number.isNaN(Date.parse(at)) ? at : writtenTime(new Date(at), MINUTES)

const inUtc = (time: Date): string => time.toISOString().replace('T', ' ').replace('Z', ' UTC')

function exactly(time: Date): string {
  const clock = writtenTime(time, isOtherZone(time) ? FOREIGN_CLOCK : CLOCK)
  return wallClock(time).startsWith(today()) ? clock : `${writtenTime(time, DATE)}, ${clock}`
}

const UNITS = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const isNear = (time: Date): boolean => Math.abs(time.getTime() - Date.now()) <= 7 * DAY

function inWords(time: Date): string {
  const distance = time.getTime() - Date.now()
  if (!isNear(time)) return writtenTime(time, DATE)
  if (Math.abs(distance) < 60_000) return times.justNow
  const [unit, length] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ['minute', 60_000]
  return near.format(Math.round(distance / length), unit)
}
