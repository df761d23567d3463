const DAY = 86_400_000

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const near = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** A date without a time: in words near today, and as it is on hover. */
export function Day({ on }: { on: string }) {
  return (
    <time dateTime={on} title={date.format(new Date(on))}>
      {wordsOf(on)}
    </time>
  )
}

function wordsOf(on: string): string {
  const now = new Date()
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())
  const days = Math.round((Date.parse(on) - today) / DAY)
  return Math.abs(days) > 7 ? date.format(new Date(on)) : near.format(days, 'day')
}
