import type { Values } from '../complaint.ts'
import type { KindRules, Write } from '../kind-rules.ts'
import { isSameRating, type Rating, ratingOf } from './risk-rating.ts'

export const rules: Partial<KindRules> = {
  derive: (risk, _facts, write) => {
    const standing = acceptedStill(risk, write?.before ?? null)
    return {
      ...standing,
      hasTreatment: risk.hasTreatment ?? false,
      untreated: isUntreated({ ...risk, ...standing }),
      annualLossExpectancy: expectedLoss(risk.quantification as Quantification | null),
      ...(write ? endedAfter({ ...risk, ...standing }, write) : {}),
    }
  },
}

/**
 * A risk is accepted as it was rated. Rated otherwise, whatever moved it, or led out of that state, it is accepted no
 * longer, and so is one whose acceptance is over: it is assessed again, and nothing is left of the acceptance here.
 */
function acceptedStill(risk: Values, before: Values | null): Values {
  const acceptance = risk.acceptance as Rating | null
  if (!acceptance && !before?.acceptance) return {}
  const isAccepted = risk.status === 'accepted'
  if (isAccepted && acceptance && isSameRating(acceptance, ratingOf(risk))) return {}
  return {
    acceptance: null,
    acceptanceExpiresAt: null,
    ...(isAccepted ? { status: 'assessed' } : {}),
  }
}

/** The strategies by which something is done about a risk, and the states that ask for one, or for a treatment. */
export const TREATING = ['mitigate', 'transfer', 'avoid'] as const
export const TREATED: readonly string[] = ['in_treatment', 'monitored']

/** A treatment may be cancelled after it let the risk in. */
const isUntreated = ({ status, treatmentStrategy, hasTreatment }: Values): boolean =>
  TREATED.includes(String(status)) && !TREATING.includes(treatmentStrategy as never) && hasTreatment !== true

interface Quantification {
  readonly currency: string
  readonly annualFrequencyLikely?: number
  readonly lossLikely?: number
}

function expectedLoss(quantification: Quantification | null): Values | null {
  const { currency, annualFrequencyLikely, lossLikely } = quantification ?? {}
  if (annualFrequencyLikely === undefined || lossLikely === undefined) return null
  return { currency, amount: Math.round(annualFrequencyLikely * lossLikely * 100) / 100 }
}

/** An acceptance that ended leaves the risk to be judged anew, until somebody leads it on from there. */
function endedAfter({ status, acceptance }: Values, { before }: Write): Values {
  const isAgain = status === 'assessed' && acceptance === null
  const hasEnded = before?.acceptance != null || before?.acceptanceEnded === true
  return { acceptanceEnded: isAgain && hasEnded ? true : null }
}
