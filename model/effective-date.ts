import { placeholdersIn } from './policy-text.ts'

/*
 * The day from which a policy says that it is in force. Whoever sets it by hand says it for the versions to come as well;
 * else it is the day of each publication. Nothing waits for it: a version comes into force when it is published.
 */

export interface EffectiveDate {
  /** What the policy says so far. */
  readonly effectiveDate: string | null
  /** The day on which its last version was published; null where none was. */
  readonly lastPublishedOn: string | null
  readonly today: string
}

/** Whether the day is that of an earlier publication, and so none of the next version. */
const isOfLast = ({ effectiveDate, lastPublishedOn }: EffectiveDate): boolean =>
  effectiveDate !== null && effectiveDate === lastPublishedOn

/** The day that the policy says once a version is published today; a text that names it keeps it. */
export const effectiveOnceOut = (given: EffectiveDate, content: string | null): string => {
  const isNamed = placeholdersIn(content ?? '').includes('policy.effectiveDate')
  return given.effectiveDate !== null && (isNamed || !isOfLast(given)) ? given.effectiveDate : given.today
}

/** The day that a text names which is submitted today; null where nobody set one for it. */
export const effectiveInText = (given: EffectiveDate): string | null =>
  isOfLast(given) && given.effectiveDate !== given.today ? null : given.effectiveDate
