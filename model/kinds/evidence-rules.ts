import type { Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'

/** In these states it is what somebody looks at, or has looked at: what it says stays as it is. */
export const SETTLED: readonly string[] = ['in_review', 'approved', 'archived']
/** From these it goes to its reviewer. */
export const SUBMITTABLE = ['requested', 'draft', 'rejected', 'expired'] as const

/** What it is said to show, with that which shows it. */
const CONTENT = ['title', 'description', 'kind', 'collectedAt', 'validFrom', 'url', 'text', 'files'] as const
/**
 * Whoever owns it when it is sent, or was asked for it, does not give it away to find it right then; and who approves it says
 * until when it counts, and has not been shown another day.
 */
const SETTLED_IN_REVIEW = [...CONTENT, 'owner', 'requestedFrom', 'expiryDate'] as const

/** What stays as it is in each of these states. */
export const SETTLED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  in_review: SETTLED_IN_REVIEW,
  approved: CONTENT,
  archived: CONTENT,
}

export const rules: Partial<KindRules> = {
  refuse: (before, after) => {
    const settled = before !== null && [before, after].every(({ status }) => SETTLED.includes(String(status)))
    const fields = SETTLED_FIELDS[String(after.status)] ?? []
    const changed = settled ? fields.find((field) => isOther(before[field], after[field])) : undefined
    if (changed)
      return { path: changed, message: 'is settled: set the status back to draft, and change it then' }
    const isApproved = settled && before.status === 'approved' && after.status === 'approved'
    if (isApproved && isLater(after.expiryDate, before.expiryDate))
      return {
        path: 'expiryDate',
        message: 'is later than its reviewer was shown: set the status back to draft, and change it then',
      }
    const own = ownIn(after)
    return own && (before === null || ownIn(before) === null || after.status !== before.status)
      ? { path: 'reviewer', message: `is ${own}: let somebody else find it right or not` }
      : null
  },
}

const isOther = (one: unknown, other: unknown): boolean => refOf(one) !== refOf(other)

/** Whom it points at, where it is somebody; else itself. */
const refOf = (value: unknown): unknown => (value as Values | null | undefined)?.refId ?? value

/** None is later than any. */
const isLater = (one: unknown, other: unknown): boolean =>
  (other ?? null) !== null && ((one ?? null) === null || String(one) > String(other))

/** What its reviewer is to it besides, where they would look at what is their own. */
function ownIn({ owner, requestedFrom, reviewer }: Values): string | null {
  if (sameOne(owner, reviewer)) return 'its owner'
  return sameOne(requestedFrom, reviewer) ? 'who is asked for it' : null
}

function sameOne(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other] as (Values | null | undefined)[]
  return first != null && first.refId === second?.refId
}
