import type { Complaint, Values } from '../../model/complaint.ts'
import { hasInput } from '../../model/described-field.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { machineOf } from '../../model/roles.ts'
import { isByAction, type StateMachine } from '../../model/states.ts'
import { fieldsOf } from './fields.ts'

/** The states that this person may lead a record to from the one it is in. */
export function nextStates(
  { field, next, leavingNeeds }: StateMachine,
  record: Values,
  capabilities: readonly string[],
): readonly string[] {
  const state = String(record[field])
  const needed = leavingNeeds?.[state]
  return needed && !capabilities.includes(needed) ? [] : (next[state] ?? [])
}

/** Whether a step is asked about first: one that archives, or out of what was decided, which no step leads back to. */
export const isAskedFirst = ({ archived, done = [] }: StateMachine, from: string, to: string): boolean =>
  archived !== undefined && (to === archived.state || done.includes(from))

/** What a field offers: a state that only an act of its own leads to is nowhere to be chosen. */
export function offered(kind: DescribedKind, field: string, options: readonly string[]): readonly string[] {
  const machine = machineOf(kind, field)
  return machine ? options.filter((state) => !isByAction(machine, state)) : options
}

/** The fields that a state asks for, of these values, where the field has states. */
export const askedBy = (kind: DescribedKind, values: Values, field: string): readonly string[] =>
  (machineOf(kind, field)?.asks?.[String(values[field])] ?? []).flatMap(({ fields }) => fields)

export interface Wanted {
  readonly fields: readonly string[]
  readonly message: string
}

/**
 * What a kind wants to know before it takes a change, by its own rule; the service asks the same again.
 * @returns the fields to ask for, and why; null where it takes the change, or where no answer to a question would help
 */
export function wantedBefore(kind: DescribedKind, before: Values, change: Values): Wanted | null {
  const complaint = complaintAbout(kind, before, change)
  if (!complaint || !('path' in complaint)) return null
  const { path, message } = complaint
  const fields = Object.values(kind.crossTabs ?? {}).find((pair) => pair.includes(path)) ?? [path]
  return fields.every((field) => isAskable(kind, before, change, field)) ? { fields, message } : null
}

function complaintAbout(kind: DescribedKind, before: Values, change: Values): Complaint | null {
  const after = { ...before, ...change }
  // Where an operation leads is no choice of an edit; what is asked there is asked all the same.
  const led = kind.states.flatMap((machine) =>
    isByAction(machine, String(change[machine.field])) ? machine.field : [],
  )
  return kind.refuse(before, { ...after, ...kind.derive(after) }, new Set(Object.keys(change)), new Set(led))
}

/** The state that is led to is no answer; and a choice is one only where something can be chosen that would do. */
function isAskable(kind: DescribedKind, before: Values, change: Values, name: string): boolean {
  const field = fieldsOf(kind).get(name)
  if (!field || !hasInput(field) || (name in change && machineOf(kind, name))) return false
  return field.form !== 'choice' || answersTo(kind, before, change, name).length > 0
}

/** Of the choices of a field, those that a change could be made with. */
export function answersTo(
  kind: DescribedKind,
  before: Values,
  change: Values,
  field: string,
): readonly string[] {
  return offered(kind, field, fieldsOf(kind).get(field)!.options).filter((option) => {
    const complaint = complaintAbout(kind, before, { ...change, [field]: option })
    return !complaint || field !== fieldOf(complaint)
  })
}

const fieldOf = (complaint: Complaint): string | undefined =>
  'path' in complaint ? complaint.path : 'conflict' in complaint ? undefined : complaint.transition.path

/**
 * Whether a value that stands there already has to be said again with a change, as a reason has: the kind takes the
 * same value once it is given.
 */
export function isAskedAnew(kind: DescribedKind, before: Values, change: Values, field: string): boolean {
  const isWanted = (given: Values) => wantedBefore(kind, before, given)?.fields.includes(field) ?? false
  return isWanted(change) && !isWanted({ ...change, [field]: before[field] })
}

/**
 * A change of state with as many of the answers as this record lacks: what it has already is never replaced by what
 * was said of many.
 * @returns `wanted` where it still lacks something
 */
export function answered(
  kind: DescribedKind,
  before: Values,
  change: Values,
  answers: Values,
): { change: Values; wanted: Wanted | null } {
  const wanted = wantedBefore(kind, before, change)
  if (!wanted) return { change, wanted }
  const open = wanted.fields.filter((field) => !(field in change))
  const empty = open.filter((field) => (before[field] ?? null) === null)
  const given = (empty.length > 0 ? empty : open).filter((field) => (answers[field] ?? null) !== null)
  if (given.length === 0) return { change, wanted }
  const further = Object.fromEntries(given.map((field) => [field, answers[field]]))
  return answered(kind, before, { ...change, ...further }, answers)
}
