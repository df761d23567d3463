import type { Values } from '../complaint.ts'

/** A rating that somebody can stand by: a level, and what it follows from. */
export interface Rating {
  readonly likelihood: string | null
  readonly impact: string | null
  readonly level: string | null
}

/** How a risk is rated where one rating is asked for: the residual one where that is set, else the current one. */
export const ratingOf = (risk: Values): Rating =>
  risk.residualLevel
    ? rating(risk.residualLikelihood, risk.residualImpact, risk.residualLevel)
    : currentRatingOf(risk)

export const currentRatingOf = (risk: Values): Rating => rating(risk.likelihood, risk.impact, risk.riskLevel)

const rating = (likelihood: unknown, impact: unknown, level: unknown): Rating =>
  ({ likelihood: likelihood ?? null, impact: impact ?? null, level: level ?? null }) as Rating

/** Where only the level moved, as with another matrix, the rating is another one too. */
export const isSameRating = (one: Rating, other: Rating): boolean =>
  one.likelihood === other.likelihood && one.impact === other.impact && one.level === other.level
