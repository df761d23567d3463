const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** A time as a log has it: to the second, with the day where it is not today; and in UTC on hover. */
export function ExactTime({ at }: { at: string }) {
  const moment = new Date(at)
  const isToday = moment.toDateString() === new Date().toDateString()
  return (
    <time dateTime={at} title={`${full.format(moment)}\n${at}`} style={{ whiteSpace: 'nowrap' }}>
      {isToday ? time.format(moment) : `${day.format(moment)}, ${time.format(moment)}`}
    </time>
  )
}
