import type { Needs } from '../../model/needs.ts'
import { Refusal } from '../refusal.ts'
import { type Caller, isPerson } from './caller.ts'

/*
 * What the flags of a member take from their role (model/limited-view.ts), and the little that they add. Judged with the
 * rights of every call, so a door shows nothing that it would refuse; and of what only the operation knows, that it
 * writes, by call() itself.
 */

/** Refuses what a member is not here for; null for everybody whose view is not limited. */
export function limitedRefusal(needs: Needs, { limitedView }: Caller): Refusal | null {
  if (limitedView !== 'self_service' || needs.ofOneself || needs.forOwners) return null
  return new Refusal(
    'capability_required',
    'You see your own tasks and assets here, what you have to acknowledge, and your account: an admin can open more to you.',
  )
}

/** Whether it is open to an auditor in person, beyond what their role allows; a program of theirs does what its scopes say. */
export const isOpenToAuditor = (needs: Needs, caller: Caller): boolean =>
  needs.auditors === true && caller.limitedView === 'auditor' && isPerson(caller)

/** Refuses an auditor what writes, but for what is their own and what auditors are asked for. */
export function writeRefusal(
  { needs, writes }: { readonly needs: Needs; readonly writes: boolean | 'own' },
  { limitedView }: Caller,
): Refusal | null {
  if (limitedView !== 'auditor' || writes === false || needs.ofOneself || needs.auditors) return null
  return new Refusal(
    'capability_required',
    'You are here as an auditor, who reads everything and changes nothing: ask whoever it belongs to.',
  )
}
