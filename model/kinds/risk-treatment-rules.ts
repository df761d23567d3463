import type { Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'

export const rules: Partial<KindRules> = {
  refuse: (before, after) =>
    after.status === 'verified' &&
    isBySelf(after) &&
    !(before && before.status === 'verified' && isBySelf(before))
      ? { path: 'verifiedBy', message: 'is its owner: let somebody else look whether it works' }
      : null,
}

/** Whether who looked whether it works is who did it. */
function isBySelf({ owner, verifiedBy }: Values): boolean {
  const [one, other] = [owner, verifiedBy] as ({ refId: string } | null)[]
  return one != null && one.refId === other?.refId
}
