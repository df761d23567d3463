import type { Complaint, Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'
import { dayIn } from '../zoned-times.ts'
import { type Asking, refuseAsking, requestedBy } from './request-rules.ts'

/** What the fact `asked` tells: the moment, who asks, whom it is for, the state of the policy, and whose days count. */
interface Asked extends Asking {
  readonly policyStatus: string | null
  readonly timeZone: string
  /** Whom it is for, as a user where they are one. */
  readonly holderId: string | null
}

export const rules: Partial<KindRules> = {
  derive: (values, facts) => {
    const asked = facts?.asked as Asked | undefined
    return asked ? { requestedBy: values.requestedBy ?? requestedBy(asked) } : {}
  },
  refuse: (before, after, _given, _decided, facts) =>
    before || !facts?.asked ? null : refuseRequest(after, facts.asked as Asked),
}

function refuseRequest(after: Values, asked: Asked): Complaint | null {
  const refused = refuseAsking(after, asked)
  if (refused) return refused
  if ((after.approver as { refId: string }).refId === asked.holderId)
    return { path: 'approver', message: 'is whom it is for: name another person, who decides' }
  const lastDay = dayIn(asked.timeZone, new Date(String(after.expiresAt)))
  if (after.effectiveDate && String(after.effectiveDate) > lastDay)
    return { path: 'effectiveDate', message: 'is after its end: give an earlier day' }
  return asked.policyStatus === 'retired'
    ? { conflict: 'The policy is retired: there is nothing to be excepted from.' }
    : null
}
