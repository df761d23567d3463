/**
 * How times, days, numbers and money are written, in one place: in the language and the time zone of the
 * organization, so that two people who look at a record, or at the log, read the same; and as the browser has it
 * before somebody is signed in. Words stay English, as all that the app says.
 */

interface Settings {
  readonly locale?: string
  readonly timezone?: string
}

let settings: Settings = {}
let locale: string | undefined
let dates = new WeakMap<object, Intl.DateTimeFormat>()
let numbers = new WeakMap<object, Intl.NumberFormat>()

/** Those of the organization that the session is in. */
export function setFormats(next: Settings): void {
  if (next.locale === settings.locale && next.timezone === settings.timezone) return
  settings = isKnown(next) ? next : {}
  locale = settings.locale && variantOf(settings.locale)
  dates = new WeakMap()
  numbers = new WeakMap()
}

/** An old browser may not know what the service knows. */
function isKnown({ locale, timezone }: Settings): boolean {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone: timezone }) !== null
  } catch {
    return false
  }
}

const { locale: browserLocale } = new Intl.DateTimeFormat().resolvedOptions()

/** Where the organization names a language alone, the reader's own variant of it: en-GB for en. */
const variantOf = (wanted: string): string =>
  browserLocale.startsWith(`${wanted}-`) ? browserLocale : wanted

/** What the browser has chosen, which is always a tag and a zone that it knows. */
export const ofBrowser = (): { locale: string; timezone: string } => ({
  locale: browserLocale,
  timezone: browserZone(),
})

const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zone in which times are written and typed. */
export const timeZone = (): string => settings.timezone ?? browserZone()

/** Whether the reader's own clock shows another time than the page does. */
export const isOtherZone = (at: Date): boolean => wallClock(at) !== wallClock(at, browserZone())

/** @param how one object for each way to write, kept by who asks: it is what the formatter is found by */
export function writtenTime(time: Date, how: Intl.DateTimeFormatOptions): string {
  let format = dates.get(how)
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { timeZone: timeZone(), ...how })
    dates.set(how, format)
  }
  return format.format(time)
}

const PLAIN: Intl.NumberFormatOptions = {}

export function writtenNumber(value: number, how = PLAIN): string {
  let format = numbers.get(how)
  if (!format) {
    format = new Intl.NumberFormat(locale, how)
    numbers.set(how, format)
  }
  return format.format(value)
}

/** An amount of money, to the cent only where there are any. */
export const writtenMoney = (value: number, currency: string): string =>
  writtenNumber(value, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })

/** `2026-05-17 10:00:00`, as clocks in a zone show it; that of the organization, where none is named. */
export const wallClock = (at: Date, zone = timeZone()): string => at.toLocaleString('sv', { timeZone: zone })

/** The day it is now, `2026-05-17`. */
export const today = (): string => wallClock(new Date()).slice(0, 10)
