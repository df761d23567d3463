import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Values } from '../../../model/complaint.ts'
import { CUSTOM_FIELDS, isNoValue } from '../../../model/custom-field.ts'
import { mergeCustomFields } from '../../../model/custom-fields.ts'
import { parseInput } from '../../input.ts'
import { invalid } from '../../refusal.ts'
import { type Definition, valueSchema } from './definitions.ts'

/*
 * Custom fields as a write takes them. A value under a name that the organization has defined for the kind is one of
 * its type; a name that nobody has defined takes whatever it is given.
 *
 * Judged is what a write moves. A record may hold values from before a name was defined, or from when it was defined
 * otherwise: nobody is made to mend what they did not touch, so that a definition never keeps anybody from their
 * records. What is required is asked of a new record, and of a change that would take it away.
 */

/**
 * @param before what the record has; null of one that has none
 * @param given what was sent: null clears them all
 * @param isNew whether the record is just made, by whoever sent it
 * @returns all that the record has after it; null for none
 * @throws {Refusal} `validation_failed`, with each name whose value does not fit or is missing
 */
export function takeCustomFields(
  definitions: readonly Definition[],
  before: Values | null,
  given: Values | null,
  isNew = false,
): Values | null {
  refuseMiswritten(definitions, before, given)
  const judged = definitions.filter((one) => !one.retired && isJudged(one, before, given, isNew))
  if (judged.length === 0) return mergeCustomFields(before, given)
  const shape = judged.map((one) => [one.name, valueSchema(one, ownValue(before, one.name))])
  const raw = judged.flatMap(({ name }) => {
    const value = ownValue(given, name) ?? null
    return value === null ? [] : [[name, value]]
  })
  const { [CUSTOM_FIELDS]: taken } = parseInput(
    { input: z.strictObject({ [CUSTOM_FIELDS]: z.strictObject(Object.fromEntries(shape)) }) },
    { [CUSTOM_FIELDS]: Object.fromEntries(raw) },
  )
  // Whoever clears all has come as far only where nothing is asked of what is cleared.
  return mergeCustomFields(before, given && { ...given, ...(taken as Values) })
}

/**
 * A name that nobody has defined takes anything; but where it is one that somebody has, save for its capitals, its value
 * would stand where no filter and no form looks.
 */
function refuseMiswritten(
  definitions: readonly Definition[],
  before: Values | null,
  given: Values | null,
): void {
  const byLetters = new Map(definitions.map(({ name }) => [name.toLowerCase(), name]))
  const errors = Object.entries(given ?? {}).flatMap(([name, value]) => {
    const meant = byLetters.get(name.toLowerCase())
    const isNew = value !== null && ownValue(before, name) === undefined
    return meant !== undefined && isNew && !definitions.some((one) => one.name === name)
      ? [{ path: `${CUSTOM_FIELDS}.${name}`, message: `no such custom field; did you mean ${meant}?` }]
      : []
  })
  if (errors.length > 0) throw invalid(...errors)
}

function isJudged(
  { name, required }: Definition,
  before: Values | null,
  given: Values | null,
  isNew: boolean,
): boolean {
  const now = given === null ? null : ownValue(given, name)
  const then = ownValue(before, name)
  if (isNew && required && isNoValue(now)) return true
  if (now === undefined || isDeepStrictEqual(now, then ?? null)) return false
  return now === null ? required && !isNoValue(then) : true
}

/** Names are anybody's to choose: also one that every object has by nature. */
const ownValue = (values: Values | null, name: string): unknown =>
  values !== null && Object.hasOwn(values, name) ? values[name] : undefined
