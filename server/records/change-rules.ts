import { isDeepStrictEqual } from 'node:util'
import { writableFields } from '../../model/access.ts'
import type { Complaint, Values } from '../../model/complaint.ts'
import { refuseTooMany } from '../../model/custom-fields.ts'
import type { Facts } from '../../model/fact.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import { outsideOf } from '../../model/states.ts'
import { isNamed } from '../../model/whom.ts'
import { type Caller, isPerson } from '../caller/caller.ts'
import { may, refuseUnlessAllowed } from '../caller/rights.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { capability, type TransactionContext } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'

/* What a record may not become, and who may not lead it there: what create-record.ts and change-record.ts ask before they write. */

/** Whether a field is given another value than it has. */
export function differs(kind: Kind, field: string, before: Values, given: Values): boolean {
  if (!principalFields(kind).includes(field)) return !isDeepStrictEqual(given[field], before[field] ?? null)
  const [now, then] = [given[field], before[field]] as ({ type: string; refId: string } | null)[]
  return now?.refId !== then?.refId || now?.type !== then?.type
}

/** @throws {Refusal} `validation_failed` or `invalid_transition`, where the kind refuses what the record would be */
export function complain(
  kind: Kind,
  before: Values | null,
  after: Values,
  given: ReadonlySet<string>,
  decided: ReadonlySet<string>,
  facts: Facts,
): void {
  const complaint = kind.refuse(before, after, given, decided, facts) ?? refuseCustomFields(before, after)
  if (complaint) throw refusedFor(complaint)
}

/** @throws {Refusal} where the kind keeps the record from being deleted */
export function refuseDeletion(kind: Kind, record: Values, facts: Facts): void {
  const complaint = kind.rules?.refuseDeletion?.(record, facts)
  if (complaint) throw refusedFor(complaint)
}

function refusedFor(complaint: Complaint): Refusal {
  if ('path' in complaint) return invalid(complaint)
  if ('conflict' in complaint) return conflictFor(complaint)
  const { path, from, to, allowed, way } = complaint.transition
  const told = transitionTold({ from, to, allowed })
  return new Refusal('invalid_transition', `${path} ${told}${way ? `, and ${way}` : ''}.`, {
    path,
    from,
    to,
    allowed,
  })
}

function conflictFor({ conflict, of, holder }: Extract<Complaint, { conflict: string }>): Refusal {
  const message = conflict.replace(/\.$/, '')
  return new Refusal('conflict', conflict, {
    ...(of && { errors: [{ path: of, message }] }),
    ...(holder && { holder }),
  })
}

/** @param word how a state is called there */
export function transitionTold(
  { from, to, allowed }: { readonly from: string; readonly to: string; readonly allowed: readonly string[] },
  word: (state: string) => string = (state) => state,
): string {
  const next = allowed.length > 0 ? `it can go to ${allowed.map(word).join(', ')}` : 'it stays as it is'
  return `cannot go from ${word(from)} to ${word(to)}: ${next}`
}

const refuseCustomFields = (before: Values | null, after: Values): Complaint | null =>
  before && isDeepStrictEqual(before.customFields, after.customFields)
    ? null
    : refuseTooMany(after.customFields as Values | null)

/**
 * @throws {Refusal} `conflict`, where an operation acts on a record in a state in which it cannot be done;
 *   `other_person_required`, where the record names somebody else for it
 */
export async function refuseAct(
  { tx, actsOn, caller }: TransactionContext,
  kind: Kind,
  record: Values,
): Promise<void> {
  if (actsOn?.kind !== kind.name || actsOn.id !== record.id) return
  refuseOtherState(actsOn, record)
  const { who } = actsOn
  if (!who) return
  const entries = who.inDirectory || who.except ? await entriesOfCaller(tx, caller) : []
  if (isNamed(who, record, caller, entries)) return
  const own = who.except?.find((field) =>
    isNamed({ named: [field], inDirectory: true }, record, caller, entries),
  )
  if (own)
    throw new Refusal('other_person_required', `You are named in it as ${own}: let somebody else do this.`, {
      named: who.named,
    })
  throw new Refusal(
    'other_person_required',
    `Only whoever it names can do this (${who.named.join(' or ')})${who.orAdmin ? ', or an admin' : ''}: ask them.`,
    { named: who.named },
  )
}

async function entriesOfCaller(tx: Transaction, { userId }: Caller): Promise<string[]> {
  const rows = await tx.read<{ id: string }>(entriesOf(tx.organizationId, userId))
  return rows.map(({ id }) => id)
}

const entriesOf = statement(`select id from personnel where organization_id = $1 and user_id = $2`)

function refuseOtherState(actsOn: NonNullable<TransactionContext['actsOn']>, record: Values): void {
  const path = outsideOf(actsOn.when, record)
  if (path === undefined) return
  const allowed = actsOn.when[path]!
  const [from, wanted] = [told(record[path]), allowed.map(told).join(' or ')]
  throw new Refusal('conflict', `${path} is ${from}: this can be done while it is ${wanted}.`, {
    path,
    from,
    allowed,
  })
}

const told = (value: unknown): string =>
  value === null ? 'empty' : typeof value === 'object' ? 'not empty' : String(value)

/** @throws {Refusal} `field_not_permitted` for what the caller may not move */
export function refuseUnwritable(kind: Kind, caller: Caller, moved: readonly string[]): void {
  const writable = writableFields(kind, (needs) => may(caller, needs))
  if (!writable) return
  const fields = moved.filter((field) => !writable.includes(field))
  if (fields.length > 0)
    throw new Refusal(
      'field_not_permitted',
      `${isPerson(caller) ? 'Your role' : 'A key or token'} may change ${writable.length > 0 ? `only ${writable.join(', ')}` : 'none of its fields'}: leave out ${fields.join(', ')}.`,
      { fields },
    )
}

/** Refuses to lead a record out of a state that only a person with a capability may end. */
export function refuseLeaving(
  { states }: Kind,
  caller: Caller,
  before: Values,
  after: Values,
  decided: ReadonlySet<string>,
): void {
  for (const { field, leavingNeeds } of states) {
    if (decided.has(field)) continue
    const needed = leavingNeeds?.[String(before[field])]
    if (needed && before[field] !== after[field]) refuseUnlessAllowed(capability(needed), caller, {})
  }
}

/** @throws {Refusal} `validation_failed` for what always has a value */
export function refuseCleared(kind: Kind, given: Values): void {
  const errors = Object.keys(given)
    .filter((field) => given[field] === null && (kind.required.includes(field) || field in kind.defaults))
    .map((path) => ({ path, message: 'cannot be cleared: give a value, or leave it out' }))
  if (errors.length > 0) throw invalid(...errors)
}
