/** How often a policy is looked at again, from the shortest time; `custom` is a date that somebody sets by hand. */
export const REVIEW_FREQUENCIES = [
  'monthly',
  'quarterly',
  'semiannually',
  'annually',
  'biennially',
  'custom',
] as const
export type ReviewFrequency = (typeof REVIEW_FREQUENCIES)[number]

const MONTHS: Readonly<Record<ReviewFrequency, number | null>> = {
  monthly: 1,
  quarterly: 3,
  semiannually: 6,
  annually: 12,
  biennially: 24,
  custom: null,
}

/**
 * The day of the next review of a text that is published on a day: so many months later, on the last day of a month that
 * is too short. Null where the frequency sets none.
 */
export function nextReview(published: string, frequency: ReviewFrequency): string | null {
  const months = MONTHS[frequency]
  if (months === null) return null
  const [year, month, day] = published.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  last.setUTCDate(Math.min(day, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}
