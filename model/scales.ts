/** Enumerations that several kinds share. How a level follows from a rating is said by risk-matrix.ts. */

export const LEVELS = ['low', 'medium', 'high', 'critical'] as const
/** What stands before the levels of a scale where something may have none. */
export const NO_LEVELS = ['none', 'unrated', 'not_rated', 'not_assessed'] as const
export const LIKELIHOODS = ['rare', 'unlikely', 'possible', 'likely', 'almost_certain'] as const
export const IMPACTS = ['insignificant', 'minor', 'moderate', 'major', 'severe'] as const
export const RISK_CATEGORIES = [
  'technical',
  'operational',
  'strategic',
  'financial',
  'compliance',
  'legal',
  'third_party',
  'people',
  'physical',
  'privacy',
  'ai',
  'reputational',
  'fraud',
  'continuity',
  'other',
] as const
export const REVIEW_FREQUENCIES = ['monthly', 'quarterly', 'semiannually', 'annually', 'biennially'] as const

export type Level = (typeof LEVELS)[number]
export type Likelihood = (typeof LIKELIHOODS)[number]
export type Impact = (typeof IMPACTS)[number]
