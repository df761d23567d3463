import { today, writtenTime } from '../client/formats.ts'

const DAY = 86_400_000

const DATE = { dateStyle: 'medium', timeZone: 'UTC' } as const
const near = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** A date without a time: in words near today, and as it is on hover. */
export function Day({ on }: { on: string }) {
  return (
    <time dateTime={on} title={writtenTime(new Date(on), DATE)}>
      {wordsOf(on)}
    </time>
  )
}

function wordsOf(on: string): string {
  const days = Math.round((Date.parse(on) - Date.parse(today())) / DAY)
  return Math.abs(days) > 7 ? writtenTime(new Date(on), DATE) : near.format(days, 'day')
}
