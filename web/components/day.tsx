import { today, writtenTime } from '../client/formats.ts'
import { usePrinting } from './use-printing.ts'

const DAY = 86_400_000

const DATE = { dateStyle: 'medium', timeZone: 'UTC' } as const
const near = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** A date without a time: in words near today, and as it is on hover and on paper. */
export function Day({ on }: { on: string }) {
  const isPrinting = usePrinting()
  return (
    <time dateTime={on} title={writtenDay(on)} style={{ whiteSpace: 'nowrap' }}>
      {isPrinting ? writtenDay(on) : wordsOf(on)}
    </time>
  )
}

/** A date as the app writes dates. */
export const writtenDay = (on: string): string => writtenTime(new Date(on), DATE)

function wordsOf(on: string): string {
  const days = Math.round((Date.parse(on) - Date.parse(today())) / DAY)
  return Math.abs(days) > 7 ? writtenDay(on) : near.format(days, 'day')
}
