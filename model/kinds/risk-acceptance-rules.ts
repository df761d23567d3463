import type { Complaint, Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'
import { type Asking, refuseAsking, requestedBy } from './request-rules.ts'
import { isSameRating, type Rating } from './risk-rating.ts'

/** What the fact `asked` tells: of the risk as it is, of whoever calls, and of the moment. */
interface Asked extends Rating, Asking {
  readonly riskStatus: string | null
  readonly riskReference: string | null
  /** The acceptance by which the risk is accepted. */
  readonly standingId: string | null
  /** Another one of the risk that waits to be decided. */
  readonly waiting: { readonly id: string; readonly reference: string } | null
}

/** The states of a risk in which it can be accepted, or accepted anew. */
export const ACCEPTABLE: readonly string[] = ['assessed', 'in_treatment', 'monitored', 'accepted']

/**
 * What was asked for is frozen when it is asked for. An approved acceptance is over as soon as its risk does not stand
 * by it: the risk says so itself (risk-rules.ts), here is only why.
 */
export const rules: Partial<KindRules> = {
  derive: (values, facts) => {
    const asked = facts?.asked as Asked | undefined
    if (!asked) return {}
    const frozen = values.frozenLevel ? frozenOf(values) : asked
    const isOver = values.status === 'approved' && asked.standingId !== values.id
    return {
      title: values.title ?? `Acceptance of ${asked.riskReference}`,
      requestedBy: values.requestedBy ?? requestedBy(asked),
      frozenLikelihood: frozen.likelihood,
      frozenImpact: frozen.impact,
      frozenLevel: frozen.level,
      stale: !isSameRating(frozen, asked),
      ...(isOver ? { status: 'revoked', statusReason: whyOver(frozen, asked) } : {}),
    }
  },
  refuse: (before, after, _given, _decided, facts) =>
    before || !facts?.asked ? null : refuseRequest(after, facts.asked as Asked),
}

const frozenOf = ({ frozenLikelihood, frozenImpact, frozenLevel }: Values): Rating =>
  ({ likelihood: frozenLikelihood, impact: frozenImpact, level: frozenLevel }) as Rating

function whyOver(frozen: Rating, asked: Asked): string {
  if (asked.standingId !== null) return 'Another acceptance of the risk was approved'
  if (!isSameRating(frozen, asked)) return 'The risk is rated otherwise than it was accepted'
  return asked.riskStatus === 'closed' ? 'The risk was closed' : 'The risk is no longer accepted'
}

function refuseRequest(after: Values, asked: Asked): Complaint | null {
  const refused = refuseAsking(after, asked)
  if (refused) return refused
  if (asked.level === null)
    return { path: 'riskId', message: 'has no rating: give the risk likelihood and impact first' }
  if (!ACCEPTABLE.includes(String(asked.riskStatus)))
    return {
      conflict: `The risk is ${asked.riskStatus}: it can be accepted once it is assessed, in treatment or monitored.`,
      of: 'riskId',
    }
  if (asked.waiting)
    return {
      conflict: `An acceptance of this risk is asked for already, ${asked.waiting.reference}: have that decided, or withdraw it and ask again.`,
      of: 'riskId',
      holder: asked.waiting,
    }
  return null
}
