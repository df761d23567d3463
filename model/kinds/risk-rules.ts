import type { Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'
import { isSameRating, type Rating, ratingOf } from './risk-rating.ts'

export const rules: Partial<KindRules> = { derive: acceptedStill }

/**
 * A risk is accepted as it was rated. Rated otherwise, whatever moved it, or led out of that state, it is accepted no
 * longer: it is assessed again, and nothing is left of the acceptance here.
 */
function acceptedStill(risk: Values): Values {
  const acceptance = risk.acceptance as Rating | null
  if (!acceptance) return {}
  const isAccepted = risk.status === 'accepted'
  if (isAccepted && isSameRating(acceptance, ratingOf(risk))) return {}
  return {
    acceptance: null,
    acceptanceExpiresAt: null,
    ...(isAccepted ? { status: 'assessed' } : {}),
  }
}
