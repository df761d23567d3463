import { times } from '../words/times.ts'

const DAY = 86_400_000

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const near = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** A time: in words near today, as a date further away, and exactly (here, and in UTC) on hover. */
export function Moment({ at }: { at: string }) {
  const time = new Date(at)
  return (
    <time dateTime={at} title={`${exact.format(time)}\n${at}`} style={{ whiteSpace: 'nowrap' }}>
      {wordsOf(time)}
    </time>
  )
}

const UNITS = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function wordsOf(time: Date): string {
  const distance = time.getTime() - Date.now()
  if (Math.abs(distance) > 7 * DAY) return date.format(time)
  if (Math.abs(distance) < 60_000) return times.justNow
  const [unit, length] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ['minute', 60_000]
  return near.format(Math.round(distance / length), unit)
}
