/** Enumerations that several kinds share, and how a level follows from a rating. */

export const LEVELS = ['low', 'medium', 'high', 'critical'] as const
/** What stands before the levels of a scale where something may have none. */
export const NO_LEVELS = ['none', 'unrated', 'not_rated', 'not_assessed'] as const
export const LIKELIHOODS = ['rare', 'unlikely', 'possible', 'likely', 'almost_certain'] as const
export const IMPACTS = ['insignificant', 'minor', 'moderate', 'major', 'severe'] as const
export const REVIEW_FREQUENCIES = ['monthly', 'quarterly', 'semiannually', 'annually', 'biennially'] as const

export type Level = (typeof LEVELS)[number]

/** 1–25, or null until both are set. */
export function scoreOf(likelihood: unknown, impact: unknown): number | null {
  const one = LIKELIHOODS.indexOf(likelihood as (typeof LIKELIHOODS)[number])
  const other = IMPACTS.indexOf(impact as (typeof IMPACTS)[number])
  return one < 0 || other < 0 ? null : (one + 1) * (other + 1)
}

/** Low to 4, medium to 9, high to 16, critical from 20. */
export function levelOf(score: number | null): Level | null {
  if (score === null) return null
  return score <= 4 ? 'low' : score <= 9 ? 'medium' : score <= 16 ? 'high' : 'critical'
}
