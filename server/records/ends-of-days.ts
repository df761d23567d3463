import type { Values } from '../../model/complaint.ts'
import { isUntil } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { isDayAlone, isInYears, LAST_DAY } from '../../model/times.ts'
import { dayIn, endOfDayIn } from '../../model/zoned-times.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'

/*
 * What is due on a day, or holds until it, may be done all that day. Where a field of `until` (model/fields.ts) is given
 * a day alone, the moment is therefore the last one of that day in the organization's time zone, summer time and all.
 */

/** The fields of a kind that hold until a moment, also those that the service sets. */
export const fieldsUntil = once((kind: Kind): readonly string[] =>
  Object.entries({ ...kind.fields, ...kind.derived }).flatMap(([field, schema]) =>
    isUntil(schema) ? [field] : [],
  ),
)

/** The fields in which a caller gave a day where the kind has a moment; most often none. */
export const daysAloneIn = (kind: Kind, given: Values): readonly string[] =>
  fieldsUntil(kind).filter((field) => typeof given[field] === 'string' && isDayAlone(given[field]))

/** What was given, with the end of each of these days. */
export async function withEndsOfDays(
  tx: Transaction,
  given: Values,
  fields: readonly string[],
): Promise<Values> {
  const timeZone = await heldTimeZone(tx)
  const ends = fields.map((field) => [field, endIn(timeZone, String(given[field]))])
  return { ...given, ...Object.fromEntries(ends) }
}

/** @param until a moment, which stays, or a day: then its last millisecond where the organization is */
export const endOfDay = async (tx: Transaction, until: string): Promise<string> =>
  isDayAlone(until) ? endIn(await heldTimeZone(tx), until) : until

/** West of UTC the last day that is taken ends in a year that is not. */
export function endIn(timeZone: string, day: string): string {
  const end = endOfDayIn(timeZone, day).toISOString()
  return isInYears(end) ? end : `${LAST_DAY}T23:59:59.999Z`
}

/** By when all of a day is over: no other moment is its end. */
const LAST_MOMENT = ':59.999Z'

/**
 * The other way round: of a moment that is the end of a day where the organization is, that day; of any other itself. It
 * is asked of each record of a list, so what it answered is kept.
 */
export async function daysEnding(tx: Transaction): Promise<(moment: string) => string> {
  const [row] = await tx.read<{ timezone: string }>(select(tx.organizationId))
  return daysEndingIn(row!.timezone)
}

/** As `daysEnding`, in a time zone. */
export function daysEndingIn(timeZone: string): (moment: string) => string {
  const told = new Map<string, string>()
  return (moment) => {
    if (!moment.endsWith(LAST_MOMENT)) return moment
    const before = told.get(moment)
    if (before !== undefined) return before
    const day = dayIn(timeZone, new Date(moment))
    const found = endIn(timeZone, day) === moment ? day : moment
    told.set(moment, found)
    return found
  }
}

/**
 * The time zone of the organization, which stays what it is until the transaction ends: a change of it waits, and then
 * moves what was written by it. Read once in a transaction, because a file has thousands of days.
 */
function heldTimeZone(tx: Transaction): Promise<string> {
  const read = held.get(tx) ?? readHeld(tx)
  held.set(tx, read)
  return read
}

const held = new WeakMap<Transaction, Promise<string>>()

async function readHeld(tx: Transaction): Promise<string> {
  const [row] = await tx.read<{ timezone: string }>(hold(tx.organizationId))
  return row!.timezone
}

const select = statement('select timezone from organizations where id = $1')
const hold = statement('select deadline_zone($1) as timezone')
