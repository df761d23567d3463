import type { Values } from '../complaint.ts'
import type { KindRules, Write } from '../kind-rules.ts'

/** From the first mention to the last contract, in their order. */
export const STAGES = [
  'identified',
  'intake',
  'due_diligence',
  'contracting',
  'onboarding',
  'in_use',
  'renewal',
  'offboarding',
  'offboarded',
] as const

/** What something found and nobody has led on: it waits until somebody looks at it. */
export const WAITING = {
  source: ['discovery'],
  status: ['prospective'],
  lifecycleStage: ['identified'],
} as const

/** States in which a vendor may come into use. */
const APPROVED: readonly unknown[] = ['approved', 'conditional']
/** Stages in which the organization depends on it. */
const IN_USE: readonly unknown[] = ['in_use', 'renewal']

export const rules: Partial<KindRules> = {
  derive: (values, _facts, write) => ({
    ...ratingOf(values, write),
    inUseUnapproved: IN_USE.includes(values.lifecycleStage) && !APPROVED.includes(values.status),
  }),
  refuse: (before, after, given) => {
    if (goesBack(before, after) && !(given.has('stageReason') && after.stageReason))
      return { path: 'stageReason', message: 'say why it goes back to an earlier stage' }
    const comesIntoUse = after.lifecycleStage === 'in_use' && before?.lifecycleStage !== 'in_use'
    return comesIntoUse && !APPROVED.includes(after.status)
      ? {
          path: 'lifecycleStage',
          message: `in_use is for a vendor that is approved or conditional, and this one is ${after.status}: decide on it first`,
        }
      : null
  },
}

/**
 * The residual risk where somebody judged it, else the inherent one. What was set by hand stays: by another rating than
 * follows, or by saying so.
 */
function ratingOf(values: Values, write?: Write): Values {
  const follows = values.residualRisk ?? values.inherentRisk ?? 'unrated'
  const moves = (field: string, first: unknown) =>
    write !== undefined && values[field] !== (write.before ? write.before[field] : first)
  const isPinnedNow =
    moves('riskRating', 'unrated') && !moves('riskRatingPinned', false) && values.riskRating !== follows
  return values.riskRatingPinned || isPinnedNow
    ? { riskRating: values.riskRating ?? follows, riskRatingPinned: true }
    : { riskRating: follows }
}

const goesBack = (before: Values | null, { lifecycleStage: to }: Values): boolean =>
  before !== null && placeOf(to) < placeOf(before.lifecycleStage)

const placeOf = (stage: unknown): number => STAGES.indexOf(stage as (typeof STAGES)[number])
