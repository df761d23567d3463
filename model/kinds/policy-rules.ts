import type { Complaint, Values } from '../complaint.ts'
import { type Decider, keepsFromDeciding } from '../deciders.ts'
import type { KindRules } from '../kind-rules.ts'
import { IN_FORCE } from './policy-approval.ts'

/** What the fact `asked` tells: the day it is, and who of the further approvers is here. */
interface Asked {
  readonly today: string
  readonly furtherApprovers: readonly (Decider & { readonly id: string; readonly name: string })[]
  /** Whether a text of it was ever in force. */
  readonly wasPublished: boolean
  /** Whether somebody writes it in person, rather than a program. */
  readonly byPerson: boolean
}

/** The states in which a text is before its approvers, or has just been approved by them. */
const BEFORE_APPROVERS: readonly unknown[] = ['in_review', 'approved']

/** What its approvers were asked by, and what the text before them was read with. */
const APPROVAL = ['approver', 'extraApproverIds', 'quorum', 'quorumCount'] as const
const SETTLED = [...APPROVAL, 'effectiveDate'] as const

export const rules: Partial<KindRules> = {
  derive: (values, facts) => {
    const asked = facts?.asked as Asked | undefined
    const origin = values.origin ?? 'written'
    const inForce = Boolean(values.currentVersionId)
    if (!asked) return { origin, inForce }
    const isReviewed = (IN_FORCE as readonly unknown[]).includes(values.status) && !values.archivedAt
    const reviewOverdue =
      isReviewed && typeof values.reviewDate === 'string' && values.reviewDate < asked.today
    return { origin, inForce, reviewOverdue }
  },
  refuseDeletion: (_, facts) =>
    (facts.asked as Asked).wasPublished
      ? { conflict: 'A version of it was published, and what was in force is kept: retire it instead.' }
      : null,
  refuse: (before, after, given, decided, facts) =>
    refuseSettled(before, after, decided) ??
    refuseProgram(before, after, given, facts?.asked as Asked | undefined) ??
    refuseApprovers(before, after, facts?.asked as Asked | undefined) ??
    refuseAudience(after) ??
    (after.quorum === 'n' && !after.quorumCount
      ? { path: 'quorumCount', message: 'is asked for with the quorum n: say how many have to approve' }
      : null),
}

/** Whoever decides does so by what they were asked: that moves again once the text is out of review. */
function refuseSettled(
  before: Values | null,
  after: Values,
  decided?: ReadonlySet<string>,
): Complaint | null {
  if (!before || decided?.has('status') || !BEFORE_APPROVERS.includes(before.status)) return null
  const path = SETTLED.find((field) => told(before[field]) !== told(after[field]))
  return path
    ? { path, message: 'is settled while a version is reviewed: withdraw that, and change it then' }
    : null
}

/** Whoever settles who has to say yes decides as well, and that is left to people once a text was in force. */
function refuseProgram(
  before: Values | null,
  after: Values,
  given: ReadonlySet<string>,
  asked?: Asked,
): Complaint | null {
  if (!before || !asked?.wasPublished || asked.byPerson) return null
  const path = APPROVAL.find((field) => given.has(field) && told(before[field]) !== told(after[field]))
  return path
    ? { path, message: 'is for a person to change, once a version was published: ask somebody to' }
    : null
}

const told = (value: unknown): string =>
  JSON.stringify((value as { refId?: string } | null)?.refId ?? value ?? null)

/** Whom it is for is named, before they are asked for anything. */
function refuseAudience({ audience, audienceIds, requiresAttestation }: Values): Complaint | null {
  const isNamed = audience === 'departments' || audience === 'groups'
  if (isNamed && ((audienceIds ?? []) as readonly string[]).length === 0)
    return { path: 'audienceIds', message: `is asked for with the audience ${audience}: name them` }
  return requiresAttestation === true && (audience ?? 'none') === 'none'
    ? { path: 'audience', message: 'is asked for where it is to be acknowledged: say whom it is for' }
    : null
}

function refuseApprovers(before: Values | null, after: Values, asked?: Asked): Complaint | null {
  const approver = after.approver as { type: string; refId: string } | null
  if (approver && approver.type !== 'user')
    return { path: 'approver', message: 'does not sign in: name a user, who can decide' }
  const further = (after.extraApproverIds ?? []) as readonly string[]
  if (approver && further.includes(approver.refId))
    return { path: 'extraApproverIds', message: 'has the approver as well: name each once' }
  const known = (before?.extraApproverIds ?? []) as readonly string[]
  const message = asked && further.filter((one) => !known.includes(one)).flatMap((one) => idle(one, asked))[0]
  return message ? { path: 'extraApproverIds', message } : null
}

/** What is said of a further approver who could not decide; nothing of one who can. */
function idle(id: string, { furtherApprovers }: Asked): string[] {
  const one = furtherApprovers.find((member) => member.id === id)
  if (!one) return [`has ${id}, who is no user here: leave them out`]
  const why = keepsFromDeciding(one, 'viewer')
  return why ? [`has ${one.name}, who ${why}: leave them out, or have an admin change that`] : []
}
