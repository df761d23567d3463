import type { Values } from './complaint.ts'
import type { Deadline, Kind, Waiting } from './kind.ts'
import { principalId } from './roles.ts'

/*
 * When a deadline of a kind acts. A threshold is a number of days before its date: 30, 7, 1; at 0 the day itself begins.
 * The last one is `OVER`, at which the day is over: the record lapses, or is late from then on.
 *
 * A date without a time belongs to the organization: it begins and ends in its time zone. An instant is over at itself,
 * and so many days before it is so many days of that zone before.
 */

/** The day is over. */
export const OVER = -1

/** When somebody is told of a deadline that says nothing else. */
const NOTICES: readonly number[] = [30, 7, 1, 0, OVER]

/** At which thresholds it acts, the first one first. */
export const thresholdsOf = ({ notices = NOTICES, lapses }: Deadline): readonly number[] =>
  [...new Set(lapses === undefined ? notices : [...notices, OVER])].sort((one, other) => other - one)

/** The field of its date: one that is written, or that follows from what is. */
export const dateOf = (
  { fields, derived }: Pick<Kind, 'fields' | 'derived'>,
  { field }: Pick<Deadline, 'field'>,
) => fields[field] ?? derived[field]

/** The field that says whose it is to see to it; none of a kind that belongs to nobody. */
export const ownerOfDeadline = ({ owners }: Pick<Kind, 'owners'>, { whose }: Deadline): string | undefined =>
  whose ?? owners[0]

/** The states of a record in which a date counts, or does not; null where it counts in all. */
export interface CountedStates {
  readonly field: string
  readonly states: readonly string[]
  readonly counts: boolean
}

export function countedStates(
  { states, terminal }: Pick<Kind, 'states' | 'terminal'>,
  deadline: Deadline,
): CountedStates | null {
  if (deadline.while) return { field: states[0]!.field, states: deadline.while, counts: true }
  return terminal ? { field: terminal.field, states: terminal.values, counts: false } : null
}

/** Whether the date of a record counts as it stands: a settled or archived one has no deadlines. */
export function doesCount(
  kind: Pick<Kind, 'states' | 'terminal'>,
  deadline: Deadline,
  record: Values,
): boolean {
  const counted = countedStates(kind, deadline)
  const { [deadline.field]: date = null, archivedAt = null } = record
  return (
    date !== null &&
    archivedAt === null &&
    (counted === null || counted.states.includes(String(record[counted.field])) === counted.counts)
  )
}

/**
 * The states in which a date counts while its record waits for whoever is to see to it: they find it among what waits
 * for them.
 */
export function awaitedStates(
  kind: Pick<Kind, 'owners' | 'states' | 'terminal'>,
  deadline: Deadline,
  { while: { field, values }, whom }: Waiting,
): readonly string[] {
  if (whom !== ownerOfDeadline(kind, deadline)) return []
  const counted = countedStates(kind, deadline)
  if (counted === null || counted.field !== field) return values
  return values.filter((state) => counted.states.includes(state) === counted.counts)
}

/** The fields by which a kind's deadlines begin, move and end. */
export function deadlineMovers(kind: Kind): readonly string[] {
  const deadlines = Object.values(kind.deadlines)
  if (deadlines.length === 0) return []
  return [
    'archivedAt',
    ...deadlines.flatMap((deadline) => {
      const counted = countedStates(kind, deadline)
      const owner = ownerOfDeadline(kind, deadline)
      return [deadline.field, ...(counted ? [counted.field] : []), ...(owner ? [principalId(owner)] : [])]
    }),
  ]
}

/** What keeps the deadlines of a kind from acting as they say; nothing, where they can. */
export const deadlineFaults = (kind: Kind): string[] =>
  Object.entries(kind.deadlines).flatMap(([name, deadline]) =>
    faultsOf(kind, deadline).map((fault) => `${kind.name}.${name} ${fault}`),
  )

function faultsOf(kind: Kind, deadline: Deadline): string[] {
  const { field, notices = [], lapses, whose } = deadline
  const [machine] = kind.states
  const all = Object.keys(machine?.next ?? {})
  const unknown = (deadline.while ?? []).filter((state) => !all.includes(state))
  const isEver = (n: number) => Number.isInteger(n) && n >= OVER && n <= 366
  return [
    ...(dateOf(kind, deadline) && field in kind.derived === 'follows' in deadline
      ? []
      : [`is of ${field}, which is no field`]),
    ...(whose === undefined || kind.owners.includes(whose) ? [] : [`is ${whose}’s, who is no owner`]),
    ...(notices.every(isEver) ? [] : ['tells on days that never come']),
    ...unknown.map((state) => `counts in ${state}, which is no state`),
    ...(lapses === undefined ? [] : lapseFaults(kind, deadline, lapses)),
  ]
}

function lapseFaults(kind: Kind, deadline: Deadline, lapses: string): string[] {
  const [machine] = kind.states
  const counted = countedStates(kind, deadline)
  if (!machine || !(lapses in machine.next)) return [`lapses to ${lapses}, which is no state`]
  const isCounted = (state: string) =>
    counted === null || counted.field !== machine.field || counted.states.includes(state) === counted.counts
  const from = Object.keys(machine.next).filter(isCounted)
  const leads = (state: string) =>
    Object.hasOwn(machine.byAction ?? {}, lapses) || machine.next[state]!.includes(lapses)
  return [
    ...(from.includes(lapses) ? [`goes on counting once it lapsed to ${lapses}`] : []),
    ...from
      .filter((state) => state !== lapses && !leads(state))
      .map((state) => `lapses from ${state} to ${lapses}, where nothing leads`),
  ]
}
