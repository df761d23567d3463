import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import type { Kind } from '../../model/kind.ts'
import { pastReasons } from '../../model/states.ts'
import { asGiven } from './as-given.ts'
import type { PreparedRow } from './prepare-rows.ts'
import type { RowOutcome } from './write-rows.ts'

/*
 * A change of many records can be taken back: each record is given what it had, on the version that the change made, and
 * what an import added goes (undone-rows.ts). Who has moved on since is left.
 */

/** The change that takes back what a row has changed; null where it changed nothing. */
export function backOf(kind: Kind, { before, given }: PreparedRow, outcome: RowOutcome): Values | null {
  if (!before || !('record' in outcome) || outcome.outcome !== 'changed') return null
  const { record } = outcome
  const fields = Object.keys(given)
  // A value may bring another with it, as a rating that is given is pinned; and a state that was left took its reason.
  const along = Object.keys(kind.fields).filter((field) => !isDeepStrictEqual(before[field], record[field]))
  const all = new Set([...fields, ...along, ...pastReasons(kind.states, before, record, fields)])
  return Object.fromEntries(
    [...all].map((field) => {
      if (field === CUSTOM_FIELDS) return [field, customBefore(before, given[field] as Values | null)]
      return followingAgain(kind, field, before) ?? [field, asGiven(before[field] ?? null)]
    }),
  )
}

/** What lets a value follow that was not given but followed: it is cleared, or the flag says so. */
function followingAgain({ follows }: Kind, field: string, before: Values): [string, null | false] | null {
  const told = follows?.[field]
  if (!told || before[told.field] !== told.value) return null
  return told.value === false ? [told.field, false] : [field, null]
}

/** Custom fields are given by name, and others stay. */
function customBefore(before: Values, given: Values | null): Values | null {
  const had = (before[CUSTOM_FIELDS] ?? {}) as Values
  if (given === null) return had
  return Object.fromEntries(Object.keys(given).map((name) => [name, had[name] ?? null]))
}
