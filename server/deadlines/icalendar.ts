/*
 * A calendar as other programs read it: RFC 5545, and of RFC 7986 the name and how often to look again.
 */

export interface CalendarEvent {
  /** The same for as long as it is the same event. */
  readonly uid: string
  /** A day, or an instant in UTC. */
  readonly date: string
  readonly summary: string
  readonly description: string
  readonly url: string
}

/** @param stamp when all of this was so: the day, in UTC */
export function calendarOf(name: string, stamp: string, events: readonly CalendarEvent[]): string {
  const stamped = `DTSTAMP:${compact(`${stamp}T00:00:00.000Z`)}`
  const lines = events.flatMap((event) => [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    stamped,
    event.date.length === DAY_LENGTH
      ? `DTSTART;VALUE=DATE:${event.date.replaceAll('-', '')}`
      : `DTSTART:${compact(event.date)}`,
    folded(`SUMMARY:${escaped(event.summary)}`),
    folded(`DESCRIPTION:${escaped(event.description)}`),
    folded(`URL:${event.url}`),
    // It is something to have done, and keeps nobody busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const title = escaped(name)
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Plumbline//Deadlines//EN',
    'CALSCALE:GREGORIAN',
    folded(`NAME:${title}`),
    folded(`X-WR-CALNAME:${title}`),
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...lines,
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** 2026-11-23T09:00:00.000Z as 20261123T090000Z. */
const compact = (instant: string): string => `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** No line of a text begins another property. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '')

const LINE_BYTES = 75

/** A line has no more than so many bytes; what goes on stands behind a space, and no letter is cut. */
function folded(line: string): string {
  if (line.length * 3 <= LINE_BYTES || Buffer.byteLength(line) <= LINE_BYTES) return line
  const parts: string[] = []
  let [part, bytes] = ['', 0]
  for (const letter of line) {
    const more = Buffer.byteLength(letter)
    if (bytes + more > LINE_BYTES) {
      parts.push(part)
      part = ''
      // For the space before it.
      bytes = 1
    }
    part += letter
    bytes += more
  }
  return [...parts, part].join('\r\n ')
}
