import type { KindEntry } from '../../model/described-kind.ts'
import { ownerOf, principalId } from '../../model/roles.ts'
import { everyKind } from './kinds.ts'
import type { Filters } from './list-address.ts'

/** The kinds whose records are asked for by one person and decided by another, whose they are. */
export const decidedKinds: readonly KindEntry[] = everyKind.filter(({ under }) => under?.stands !== undefined)

/** Of such a kind what waits for this person to decide it. */
export const toDecide = (kind: KindEntry, userId: string): Filters => ({
  [kind.open!.field]: [kind.open!.values[0]!],
  [principalId(ownerOf(kind)!)]: [userId],
})
