import type { Values } from '../../model/complaint.ts'
import { doesCount, ownerOfDeadline } from '../../model/deadlines.ts'
import { fieldTitle } from '../../model/field-title.ts'
import { type Kind, principalFields, type Waiting } from '../../model/kind.ts'
import type { NoticeName } from '../../model/notice-kinds.ts'
import { isTerminal, machineOf, ownerOf } from '../../model/roles.ts'
import { ROLE_SCOPES, type Role } from '../../model/scopes.ts'
import { mayTakeUp } from '../../model/waiting.ts'
import type { Caller } from '../caller/caller.ts'
import { type Answered, doneBy, type NewNotice } from '../journal/tell.ts'

/*
 * Whom a write of records concerns, read off what their kind says: whose a record is now, for whom it waits, and who
 * asked for what was decided.
 */

/** A record that is written; before it was made there was none. */
export interface WrittenRecord {
  readonly before: Values | null
  readonly after: Values
}

/** What is told when a record begins to wait for somebody, and when it has been seen to. */
const TOLD: Readonly<Record<Waiting['act'], { readonly asked: NoticeName; readonly done: NoticeName }>> = {
  decide: { asked: 'asked_to_decide', done: 'decided' },
  hand_in: { asked: 'asked_to_hand_in', done: 'handed_in' },
}

/** The notices of a write; none for most. */
export function noticesOf(kind: Kind, caller: Caller, written: readonly WrittenRecord[]): NewNotice[] {
  if (kind.owners.length + kind.waits.length === 0) return []
  return written.flatMap((one) =>
    // Whoever it concerned is told nothing more of what was put away.
    one.after.archivedAt
      ? []
      : [...askings(kind, caller, one), ...assignments(kind, caller, one), ...movings(kind, caller, one)],
  )
}

/** Whoever a field names anew, unless the record is to wait for them some day: then they are asked. */
function assignments(kind: Kind, caller: Caller, { before, after }: WrittenRecord): NewNotice[] {
  return principalFields(kind).flatMap((field): NewNotice[] => {
    const who = refOf(after[field])
    if (who === null || isToBeAsked(kind, field, after)) return []
    if (who === refOf(before?.[field] ?? null) && !isTheirsNow(kind, field, before!, after)) return []
    const as = field === ownerOf(kind) ? {} : { as: fieldTitle(kind, field) }
    return [
      { kind: 'assigned', who, record: recordOf(kind, after), facts: { ...doneBy(caller), field, ...as } },
    ]
  })
}

/** Whether a record waits for whom a field names, or may come to do so from the state in which it is. */
const isToBeAsked = (kind: Kind, field: string, record: Values): boolean =>
  kind.waits.some(
    (waiting) => waiting.whom === field && (isWaiting(waiting, record) || mayWait(kind, waiting, record)),
  )

function mayWait(kind: Kind, { while: { field, values } }: Waiting, record: Values): boolean {
  const machine = machineOf(kind, field)
  if (!machine) return false
  const reached = new Set([String(record[field])])
  for (const state of reached) for (const next of machine.next[state] ?? []) reached.add(next)
  return values.some((value) => reached.has(value) || (machine.byAction?.[value]?.length ?? 0) > 0)
}

/** What somebody was asked to take was taken in their name by another. */
function isTheirsNow(kind: Kind, field: string, before: Values, after: Values): boolean {
  const waited = kind.waits.find((waiting) => waiting.whom === field && isWaiting(waiting, before))
  if (!waited || isTerminal(kind, after)) return false
  const { field: state } = waited.while
  return machineOf(kind, state)?.byAction?.[String(after[state])] === undefined
}

function askings(kind: Kind, caller: Caller, { before, after }: WrittenRecord): NewNotice[] {
  const principals = new Set(principalFields(kind))
  const told = kind.waits.flatMap((waiting): NewNotice[] => {
    const { act, whom } = waiting
    const waited = before !== null && isWaiting(waiting, before)
    const waits = isWaiting(waiting, after)
    const record = recordOf(kind, after)
    const who = refOf(after[whom])
    if (waits && who !== null && !(waited && who === refOf(before[whom])))
      return asked(kind, waiting, { who, record, facts: { ...doneBy(caller), field: whom } })
    if (!waited || waits || !isAnswer(kind, waiting, after)) return []
    const state = String(after[waiting.while.field])
    const facts = { ...doneBy(caller), ...(act === 'decide' ? { state } : {}) }
    return askers(waiting, after).map(({ who, field }) => ({
      ...{ kind: TOLD[act].done, who, record },
      // Whose it is need not be who asked for the decision.
      facts: act === 'decide' && principals.has(field) ? { ...facts, as: 'of yours' } : facts,
    }))
  })
  // Whoever is told that it was decided against what they handed in knows that it is theirs again.
  const isOutcome = ({ kind }: NewNotice) => Object.values(TOLD).some(({ done }) => done === kind)
  return told.filter(
    (one) => isOutcome(one) || !told.some((other) => isOutcome(other) && other.who === one.who),
  )
}

/** Of what somebody was asked for the day has moved: they and whoever asked are told. */
const movings = (kind: Kind, caller: Caller, { before, after }: WrittenRecord): NewNotice[] =>
  kind.waits.flatMap((waiting): NewNotice[] => {
    const { whom } = waiting
    const who = refOf(after[whom])
    if (before === null || who === null || !isWaiting(waiting, before) || !isWaiting(waiting, after))
      return []
    const moved = Object.values(kind.deadlines).some(
      (deadline) =>
        ownerOfDeadline(kind, deadline) === whom &&
        [before, after].every((one) => doesCount(kind, deadline, one)) &&
        before[deadline.field] !== after[deadline.field],
    )
    if (!moved || who !== refOf(before[whom])) return []
    const told = { kind: 'moved', record: recordOf(kind, after) } as const
    return [
      { ...told, who, facts: { ...doneBy(caller), as: 'waits for you' } },
      ...askers(waiting, after)
        .filter((asker) => asker.who !== who)
        .map((asker) => ({ ...told, who: asker.who, facts: { ...doneBy(caller), as: 'you asked for' } })),
    ]
  })

/** Whoever is named but may not decide is told that they are named, and not asked. */
function asked(kind: Kind, waiting: Waiting, told: Omit<NewNotice, 'kind'>): NewNotice[] {
  const { act } = waiting
  const [may, mayNot] = [true, false].map((is) =>
    ROLES.filter((role) => mayTakeUp(kind, waiting, role) === is),
  )
  if (act !== 'decide' || mayNot!.length === 0) return [{ ...told, kind: TOLD[act].asked }]
  const as = fieldTitle(kind, told.facts.field!)
  return [
    { ...told, kind: TOLD[act].asked, roles: may! },
    { ...told, kind: 'assigned', facts: { ...told.facts, as }, roles: mayNot! },
  ]
}

const ROLES = Object.keys(ROLE_SCOPES) as Role[]

/**
 * What was told before and nobody has to see to any more: a question that was answered or is somebody else's now, a
 * date that was kept, has moved, or is another's, and what was given to somebody and is no longer theirs.
 */
export const answeredBy = (kind: Kind, written: readonly WrittenRecord[]): Answered[] =>
  written.flatMap(({ before, after }) => {
    if (before === null) return []
    const recordId = after.id as string
    const told = (one: Pick<Answered, 'kind' | 'field' | 'as'>, field: string | undefined): Answered => {
      const who = field === undefined ? null : refOf(before[field])
      return { ...one, recordId, ...(who === null ? {} : { who }) }
    }
    const questions = kind.waits.flatMap((waiting): Answered[] => {
      if (!isWaiting(waiting, before)) return []
      const isOpen = isWaiting(waiting, after) && isSame(before, after, waiting.whom)
      return isOpen ? [] : [told({ kind: TOLD[waiting.act].asked }, waiting.whom)]
    })
    const dates = Object.entries(kind.deadlines).flatMap(([name, deadline]): Answered[] => {
      if (!doesCount(kind, deadline, before)) return []
      const owner = ownerOfDeadline(kind, deadline)
      const isOpen =
        doesCount(kind, deadline, after) &&
        before[deadline.field] === after[deadline.field] &&
        (owner === undefined || isSame(before, after, owner))
      const as = calledOf(kind, name)
      return isOpen ? [] : (['due', 'overdue'] as const).map((one) => told({ kind: one, as }, owner))
    })
    const given = principalFields(kind).flatMap((field): Answered[] =>
      refOf(before[field]) === null || isSame(before, after, field)
        ? []
        : [told({ kind: 'assigned', field }, field)],
    )
    return [...questions, ...dates, ...given]
  })

const isSame = (before: Values, after: Values, field: string): boolean =>
  refOf(before[field]) === refOf(after[field])

/** How a deadline is told: as its field is called, "Due", "End of support"; what ends by itself is due to nobody. */
export function calledOf(kind: Kind, deadline: string): string {
  const { field, lapses } = kind.deadlines[deadline]!
  return lapses === undefined ? fieldTitle(kind, field) : 'Ends'
}

const isWaiting = ({ while: { field, values } }: Waiting, record: Values): boolean =>
  !record.archivedAt && values.includes(String(record[field]))

/** What was waited for has come, and was not merely called off, or over by time alone. */
function isAnswer(kind: Kind, { act, while: { field } }: Waiting, after: Values): boolean {
  if (after.archivedAt) return false
  const machine = machineOf(kind, field)
  const state = String(after[field])
  return act === 'decide' ? (machine?.byAction?.[state]?.length ?? 0) > 0 : !isTerminal(kind, after)
}

/** Who asked, and which field says so: those that the kind names; whoever added the record, where these are empty. */
function askers({ askedBy = [] }: Waiting, record: Values): { who: string; field: string }[] {
  const of = (fields: readonly string[]) =>
    fields.flatMap((field) => {
      const who = refOf(record[field])
      return who === null ? [] : [{ who, field }]
    })
  const named = of(askedBy)
  const all = named.length > 0 ? named : of(['createdBy'])
  return [...new Map(all.toReversed().map((one) => [one.who, one])).values()].toReversed()
}

/** The id of a principal, or of who did something. */
function refOf(value: unknown): string | null {
  const { refId, id } = (value ?? {}) as { refId?: string; id?: string }
  return refId ?? id ?? null
}

const recordOf = (kind: Kind, { id }: Values) => ({ kind: kind.name, id: id as string })
