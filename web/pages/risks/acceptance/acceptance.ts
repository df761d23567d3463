import { ratingOf } from '../../../../model/kinds/risk-rating.ts'
import type { AnyRecord, Principal } from '../../../client/records.ts'

/** A risk acceptance, as its own parts of the pages read it. */
export interface Acceptance extends AnyRecord {
  readonly riskId: string
  readonly status: 'requested' | 'approved' | 'rejected' | 'revoked' | 'expired'
  readonly justification: string
  readonly conditions: string | null
  readonly approver: Principal
  readonly approverName: string | null
  readonly requestedBy: { readonly id: string; readonly displayName: string }
  readonly expiresAt: string
  readonly decidedAt: string | null
  readonly statusReason: string | null
  readonly frozenLikelihood: string
  readonly frozenImpact: string
  readonly frozenLevel: string
}

/** Whether it can still lead somewhere: it is asked for, or holds. */
export const isOpen = ({ status }: Acceptance): boolean => status === 'requested' || status === 'approved'

/** Whether the risk is rated otherwise than the acceptance has it. */
export function isStale(
  { frozenLikelihood, frozenImpact, frozenLevel }: Acceptance,
  risk: AnyRecord,
): boolean {
  const { likelihood, impact, level } = ratingOf(risk)
  return likelihood !== frozenLikelihood || impact !== frozenImpact || level !== frozenLevel
}
