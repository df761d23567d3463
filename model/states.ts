import type { Complaint, Values } from './complaint.ts'

/** From each state, the states that may follow. */
export type Transitions = Readonly<Record<string, readonly string[]>>

/** The states that a field of a kind goes through, and what leads from one to the next. */
export interface StateMachine {
  /** The field whose value is the state. */
  readonly field: string
  /** From each state, those that an edit may lead to. */
  readonly next: Transitions
  /**
   * States that no creation and no edit reaches, each with the operations that lead to it; none, where time alone does
   * (`lapses` of a deadline). They are not offered where a state is chosen.
   */
  readonly byAction?: Readonly<Record<string, readonly string[]>>
  /**
   * Of those, the states to which a selection is led as well: each of its records by the operation, which is named alone
   * and takes what else the change says.
   */
  readonly inBulk?: readonly string[]
  /**
   * States in which a record is as it is meant to be. Left out: the first of those that end it, or, where none does,
   * the last of all.
   */
  readonly done?: readonly string[]
  /** What a record has while it is in a state. */
  readonly asks?: Readonly<Record<string, readonly Ask[]>>
  /** The field that says why a record is in a state, where whoever sees to it has to read that first. */
  readonly because?: Readonly<Record<string, string>>
  /**
   * Flags of the kind, each with the states beside which it is said where it is set, and the field that says of what:
   * what holds while a record is in them would else be taken to have ended.
   */
  readonly also?: Readonly<Record<string, { readonly states: readonly string[]; readonly of: string }>>
  /** The state of what is archived, which comes and goes with that; and the one to which a record comes back from it. */
  readonly archived?: { readonly state: string; readonly back: string }
  /** States that only a person with this capability leads a record out of. */
  readonly leavingNeeds?: Readonly<Record<string, 'settings.manage'>>
}

/**
 * What a state asks of a record that comes to it, by creation or by an edit, and of every edit while it is there. A
 * state that is reached through others asks what they ask: who names it on creation has been through none of them.
 */
export interface Ask {
  readonly fields: readonly string[]
  /** The values that will do; any but none, where absent. */
  readonly among?: readonly string[]
  /** A flag among the readings of the kind: where it is set, what other records say is answer enough. */
  readonly or?: string
  /** Given with the step itself: what was said at an earlier one does not count. */
  readonly anew?: true
  /** It says why the record is in this state, and is cleared when the record leaves it. */
  readonly isReason?: true
  readonly message: string
}

/** States by the field that has them: of each field named, a record is in one of its states. */
export type InStates = Readonly<Record<string, readonly unknown[]>>

/** The first field of a record that is in none of the states named of it, of which null is to be empty; none where all are. */
export const outsideOf = (states: InStates, record: Values): string | undefined =>
  Object.keys(states).find((field) => !states[field]!.includes(stateOf(record[field])))

const stateOf = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? null : (value ?? null)

/** Whether an operation alone leads to the state. */
export const isByAction = ({ byAction = {} }: StateMachine, state: string): boolean =>
  Object.hasOwn(byAction, state)

/** What leads to a state that an operation alone leads to, for whoever tried something else. */
export function waysTo({ byAction = {} }: StateMachine, state: string, before?: string): string {
  const operations = byAction[state] ?? []
  if (operations.length === 0) return `time alone leads to ${state}: give another state`
  const cure = `call ${operations.join(' or ')}`
  return `only ${operations.join(' and ')} ${operations.length > 1 ? 'lead' : 'leads'} to ${state}: ${before ? `${before}, and then ${cure}` : `${cure} instead`}`
}

/** The first complaint that one of the state machines of a kind has about a change. */
export function refuseStates(
  machines: readonly StateMachine[],
  before: Values | null,
  after: Values,
  given: ReadonlySet<string>,
  decided: ReadonlySet<string> = new Set(),
): Complaint | null {
  for (const machine of machines) {
    const complaint = refuseState(machine, before, after, given, decided.has(machine.field))
    if (complaint) return complaint
  }
  return null
}

/**
 * The complaint about a change that leads to a state it cannot reach, or that leaves a state without what it asks.
 * A record that lacked it before may be changed elsewhere: nobody is made to mend what they did not touch.
 */
function refuseState(
  machine: StateMachine,
  before: Values | null,
  after: Values,
  given: ReadonlySet<string>,
  isDecided: boolean,
): Complaint | null {
  const { field, asks = {} } = machine
  const state = String(after[field])
  if (!before && !isDecided && isByAction(machine, state))
    return { path: field, message: waysTo(machine, state, 'add it in another state first') }
  const transition = isDecided ? null : refuseTransition(machine, before, after)
  if (transition) return transition
  const stays = before?.[field] === after[field]
  for (const ask of asks[state] ?? []) {
    if (stays && lacking(ask, before!) !== null) continue
    const path =
      lacking(ask, after) ?? (ask.anew && !stays ? ask.fields.find((one) => !given.has(one)) : null)
    if (path) return { path, message: ask.message }
  }
  return null
}

/**
 * The fields with the reason for a state that a record leaves: they are cleared with it, but for those that the change
 * itself moves, and those that the state it comes to asks for, which may be given in the same words.
 */
export function pastReasons(
  machines: readonly StateMachine[],
  before: Values,
  after: Values,
  moved: readonly string[],
): string[] {
  const left = machines.filter(({ field }) => before[field] !== after[field])
  const past = left.flatMap(({ field, asks = {} }) => asks[String(before[field])] ?? [])
  const asked = left.flatMap(({ field, asks = {} }) => asks[String(after[field])] ?? [])
  const staying = new Set([...moved, ...asked.flatMap((ask) => ask.fields)])
  return past.flatMap((ask) => (ask.isReason ? ask.fields : [])).filter((reason) => !staying.has(reason))
}

/** The first field that does not hold what is asked; null where all do. */
const lacking = ({ fields, among, or }: Ask, values: Values): string | null =>
  or !== undefined && values[or] === true
    ? null
    : (fields.find((field) => (among ? !among.includes(String(values[field])) : isEmpty(values[field]))) ??
      null)

const isEmpty = (value: unknown): boolean => (Array.isArray(value) ? value.length === 0 : !value)

function refuseTransition(machine: StateMachine, before: Values | null, after: Values): Complaint | null {
  const { field, next } = machine
  const from = before?.[field]
  const to = after[field]
  if (typeof from !== 'string' || typeof to !== 'string' || from === to) return null
  const allowed = next[from] ?? []
  if (allowed.includes(to)) return null
  const way = isByAction(machine, to) ? { way: waysTo(machine, to) } : {}
  return { transition: { path: field, from, to, allowed, ...way } }
}
