import { z } from 'zod'
import type { SheetColumn } from './columns.ts'
import type { Meant } from './lookups.ts'
import { monthCalled } from './month-names.ts'
import type { FoundCell } from './read-file.ts'

/* Days and moments as people write them. What could be two of them is none, and told. */

const NO_DAY = 'is no date: write one such as 2026-12-31'
const TWO_DAYS =
  'could be one of two dates: write it as 2026-12-31, or say at the columns whether the day or the month comes first'
const SHORT_YEAR = 'has a year of two digits: write all four, such as 2026-12-31'

/** In the order of the year, or with points, as nobody begins with the month there; strokes could mean either. */
export function dayOf(text: string, cell: FoundCell, dates: SheetColumn['dates']): Meant<string> {
  if (typeof cell === 'number') return { fault: NO_DAY }
  const named = dayOfNamedMonth(text)
  if (named) return named
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  if (year) return dayFrom(year, month!, day!)
  if (/^\d{1,2}([./-])\d{1,2}\1\d\d$/.test(text)) return { fault: SHORT_YEAR }
  const [, slashYear, slashMonth, slashDay] = /^(\d{4})\/(\d\d)\/(\d\d)$/.exec(text) ?? []
  if (slashYear) return dayFrom(slashYear, slashMonth!, slashDay!)
  const strokes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text)
  if (strokes) return dayOfStrokes(strokes, dates)
  return { is: text.replace(/^(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?Z?$/, '$1') }
}

/** With strokes the day or the month comes first: which, only a number tells that no month has. */
function dayOfStrokes(
  [, first, second, year]: readonly string[],
  dates: SheetColumn['dates'],
): Meant<string> {
  const [one, other] = [Number(first), Number(second)]
  const isOpen = one <= 12 && other <= 12 && one !== other
  if (isOpen && !dates) return { fault: TWO_DAYS }
  const isMonthFirst = isOpen ? dates === 'month_first' : other > 12
  return isMonthFirst ? dayFrom(year!, first!, second!) : dayFrom(year!, second!, first!)
}

/** "1 April 2027", "1-Apr-2027", "April 1st, 2027", "30. Juni 2027" and "1 de mayo de 2027"; null of any other text. */
function dayOfNamedMonth(text: string): Meant<string> | null {
  const [, day, name, year] =
    /^(\d{1,2})(?:st|nd|rd|th|er|[º°ª])?[ .-]+(?:de +|d['’])?(\p{L}{3,12})[ .,-]+(?:del? +)?(\d{4})$/iu.exec(
      text,
    ) ?? []
  const [, first, behind, of] = /^(\p{L}{3,12})[ .]+(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})$/iu.exec(text) ?? []
  const word = name ?? first
  const month = word === undefined ? null : monthCalled(word)
  return month === null ? null : dayFrom(year ?? of!, String(month), day ?? behind!)
}

/** Judged here: whoever reads what is wrong finds it in their file as they wrote it. */
function dayFrom(year: string, month: string, day: string): Meant<string> {
  const is = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return z.iso.date().safeParse(is).success ? { is } : { fault: NO_DAY }
}

/** A day, in the forms of days, or a moment; without an offset it is in UTC. */
export function instantOf(text: string, cell: FoundCell, dates: SheetColumn['dates']): Meant<string> {
  const day = dayOf(text, cell, dates)
  if ('fault' in day) return day
  const [, on, at, seconds = ':00'] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(text) ?? []
  const is = on ? `${on}T${at}${seconds}Z` : text.includes('T') ? text : day.is
  const isDay = /^\d{4}-\d\d-\d\d$/.test(is)
  const form = isDay ? z.iso.date() : z.iso.datetime({ offset: true })
  return form.safeParse(is).success ? { is } : { fault: NO_DAY }
}
