import type { Complaint, Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'

/** What the fact `asked` tells: the moment, who asks, and the state of the policy. */
interface Asked {
  readonly now: string
  readonly userId: string | null
  readonly userName: string | null
  readonly policyStatus: string | null
}

export const rules: Partial<KindRules> = {
  derive: (values, facts) => {
    const asked = facts?.asked as Asked | undefined
    return asked ? { requestedBy: values.requestedBy ?? requestedBy(asked) } : {}
  },
  refuse: (before, after, _given, _decided, facts) =>
    before || !facts?.asked ? null : refuseRequest(after, facts.asked as Asked),
}

const requestedBy = ({ userId, userName }: Asked) =>
  userId === null ? null : { type: 'user', id: userId, displayName: userName }

function refuseRequest(after: Values, asked: Asked): Complaint | null {
  const { type, refId } = after.approver as { type: string; refId: string }
  if (asked.userId === null)
    return { path: 'requestedBy', message: 'is nobody: let a user of the organization ask' }
  if (type !== 'user') return { path: 'approver', message: 'does not sign in: name a user' }
  if (refId === asked.userId)
    return { path: 'approver', message: 'is who asks: name another person, who decides' }
  if (String(after.expiresAt) <= asked.now)
    return { path: 'expiresAt', message: 'is over already: give a time that is to come' }
  if (after.effectiveDate && String(after.effectiveDate) > String(after.expiresAt).slice(0, 10))
    return { path: 'effectiveDate', message: 'is after its end: give an earlier day' }
  return asked.policyStatus === 'retired'
    ? { conflict: 'The policy is retired: there is nothing to be excepted from.' }
    : null
}
