import type { Complaint, Values } from '../complaint.ts'
import type { KindRules, Write } from '../kind-rules.ts'
import { nextDue, type Recurrence } from '../recurrence.ts'

/** What the fact `around` tells: who writes in person, and of the plan that the task is of its phases, and its state. */
interface Around {
  readonly person: string | null
  readonly phases: readonly string[] | null
  /** The state of the plan, where the task is given to one. */
  readonly plan: string | null
}

export const rules: Partial<KindRules> = {
  derive: (values, _facts, write) => ({
    recurrence: anchored(values, write?.before),
    phaseKey: phaseOf(values, write?.before),
    ...(write && saidBy(values, write)),
  }),
  refuse: (before, after, _given, decided, facts) => {
    const around = facts?.around as Around | undefined
    const moves = (...fields: string[]) => fields.some((field) => !isSame(before?.[field], after[field]))
    return (
      (around && !decided?.has('status') ? refuseProgram(before, after, around) : null) ??
      refuseRecurrence(after) ??
      // Of the last of a series nothing comes, and it is one all the same.
      (moves('recurrence', 'dueDate') && !decided?.has('recurrence') ? refuseEnd(after) : null) ??
      (around && moves('planId') && !decided?.has('planId') ? refuseCancelled(after, around) : null) ??
      // A plan may lose a phase that tasks still name.
      (around && moves('phaseKey', 'planId') ? refusePhase(after, around) : null) ??
      null
    )
  },
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** A phase is one of the plan, and goes with it. */
const phaseOf = ({ planId, phaseKey }: Values, before: Values | null | undefined): unknown =>
  before?.planId && !planId && before.phaseKey === phaseKey ? null : phaseKey

/** A program suggests; that something is to be done is a person's word. */
const refuseProgram = (before: Values | null, after: Values, { person }: Around): Complaint | null =>
  before === null && person === null && after.status !== 'suggested'
    ? { path: 'status', message: 'is for a person to say: leave it out, and the task is suggested' }
    : null

function refuseRecurrence({ recurrence, dueDate }: Values): Complaint | null {
  if (!recurrence) return null
  const rule = recurrence as Recurrence
  if (!dueDate)
    return { path: 'dueDate', message: 'is missing: a task that comes again says when it is due first' }
  if (rule.weekdays?.length && rule.frequency !== 'weekly')
    return { path: 'recurrence.weekdays', message: 'are those of weekly: leave them out, or set weekly' }
  if (rule.dayOfMonth !== undefined && (rule.frequency === 'daily' || rule.frequency === 'weekly'))
    return {
      path: 'recurrence.dayOfMonth',
      message: 'is that of monthly and yearly: leave it out, or set one of them',
    }
  if (rule.dayOfMonth !== undefined && rule.overdue === 'delay_next')
    return {
      path: 'recurrence.dayOfMonth',
      message: 'is not for delay_next, which counts from the day on which it was done: leave one of them out',
    }
  if (rule.until && rule.until < String(dueDate))
    return { path: 'recurrence.until', message: 'is before it is due: give a later day, or leave it out' }
  return null
}

function refuseEnd({ recurrence, dueDate }: Values): Complaint | null {
  const rule = recurrence as Recurrence | null
  if (!rule || nextDue(rule, String(dueDate), null) !== null) return null
  return {
    path: rule.until ? 'recurrence.until' : 'recurrence',
    message: rule.until
      ? 'is before the next one would be due: give a later day, or leave the recurrence out'
      : 'leads past the year 2200: set a smaller interval, or leave it out',
  }
}

const refuseCancelled = ({ status }: Values, { plan }: Around): Complaint | null =>
  plan === 'cancelled' && status !== 'done' && status !== 'dismissed'
    ? { path: 'planId', message: 'is a plan that was cancelled: name another one, or leave it out' }
    : null

const refusePhase = ({ phaseKey, planId }: Values, { phases }: Around): Complaint | null => {
  if (!phaseKey) return null
  if (!planId) return { path: 'phaseKey', message: 'is one of a plan: name the plan too, or leave it out' }
  if (!phases || phases.includes(String(phaseKey))) return null
  const known = phases.length > 0 ? `give one of ${phases.join(', ')}` : 'add it to the plan first'
  return { path: 'phaseKey', message: `is no phase of this plan: ${known}` }
}

/**
 * The 31st is the last day of shorter months, and the 31st again after them: the rule remembers it. Where the task itself
 * is moved from its day, the rule goes with it.
 */
function anchored({ recurrence, dueDate }: Values, before: Values | null | undefined): unknown {
  const isMoved =
    before?.dueDate && dueDate && before.dueDate !== dueDate && isSame(before.recurrence, recurrence)
  const { dayOfMonth: _, ...unbound } = (recurrence ?? {}) as Recurrence
  const rule = (isMoved && recurrence ? unbound : recurrence) as Recurrence | null
  const isOfMonths =
    (rule?.frequency === 'monthly' || rule?.frequency === 'yearly') && rule.overdue !== 'delay_next'
  const day = Number(String(dueDate ?? '').slice(8))
  return isOfMonths && rule.dayOfMonth === undefined && day > 28 ? { ...rule, dayOfMonth: day } : rule
}

function saidBy(values: Values, { before, by }: Write): Values {
  if (before === null) return { suggestedBy: values.status === 'suggested' ? by : null, hasNext: false }
  const isOpen = ({ status }: Values) => status !== 'suggested' && status !== 'dismissed'
  const isAccepted = !isOpen(before) && isOpen(values) && !values.acceptedBy
  return isAccepted ? { acceptedBy: by } : {}
}
