import type { Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'

/** What the fact `people` tells: who writes in person, and as which users its people sign in. */
interface People {
  readonly person: string | null
  readonly ownerUserId: string | null
  readonly verifierUserId: string | null
}

/**
 * That a treatment works is the word of somebody who does not answer for it. Whoever signs in gives it themselves, so
 * nobody can give it for them, nor a program with the rights of whoever made its key. Of somebody who has no login it is
 * written down by another, and the history says by whom; but not by the owner either.
 */
export const rules: Partial<KindRules> = {
  refuse: (before, after, _given, _decided, facts) => {
    // Who answered for it until now does not give it away in the same breath to find it right.
    if (isHandedOver(before, after)) return { path: 'owner', message: HANDED_OVER }
    const isAsBefore = before?.status === 'verified' && idOf(before.verifiedBy) === idOf(after.verifiedBy)
    if (after.status !== 'verified' || (isAsBefore && idOf(before.owner) === idOf(after.owner))) return null
    const people = facts?.people as People | undefined
    const complaint = isBySelf(after, people) ? BY_SELF : isAsBefore ? null : refuseWord(people)
    return complaint === null ? null : { path: 'verifiedBy', message: complaint }
  },
}

const isHandedOver = (before: Values | null, after: Values): boolean =>
  before !== null &&
  before.status !== 'verified' &&
  after.status === 'verified' &&
  before.owner != null &&
  idOf(before.owner) !== idOf(after.owner)

const HANDED_OVER = 'stays who it was while it is verified: hand it over in a change of its own'

const idOf = (principal: unknown): string | undefined => (principal as { refId: string } | null)?.refId

/** Whether who looked whether it works is who did it. */
function isBySelf({ owner, verifiedBy }: Values, people?: People): boolean {
  const isOneUser = people !== undefined && isSome(people.ownerUserId, people.verifierUserId)
  return isOneUser || isSome(idOf(owner) ?? null, idOf(verifiedBy) ?? null)
}

const isSome = (one: string | null, other: string | null): boolean => one !== null && one === other

const BY_SELF = 'is its owner: let somebody else look whether it works'

function refuseWord(people?: People): string | null {
  if (!people) return null
  const { person, ownerUserId, verifierUserId } = people
  if (verifierUserId !== null && verifierUserId !== person)
    return 'signs in: let them say themselves that it works, or name somebody who has no login'
  return isSome(ownerUserId, person) ? 'is not for its owner to say: let somebody else write it down' : null
}
