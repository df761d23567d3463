import type { Complaint, Values } from '../complaint.ts'

/* What holds of whatever one person asks and another decides until when: risk acceptances, policy exceptions. */

/** Of what the fact `asked` of such a kind tells, the moment and who calls. */
export interface Asking {
  readonly now: string
  readonly userId: string | null
  readonly userName: string | null
}

/** Whoever asks, as `requestedBy` keeps them. */
export const requestedBy = ({ userId, userName }: Asking) =>
  userId === null ? null : { type: 'user', id: userId, displayName: userName }

/** Why it cannot be asked for so, whatever it is. */
export function refuseAsking({ approver, expiresAt }: Values, { userId, now }: Asking): Complaint | null {
  const { type, refId } = approver as { type: string; refId: string }
  if (userId === null)
    return { path: 'requestedBy', message: 'is nobody: let a user of the organization ask' }
  if (type !== 'user') return { path: 'approver', message: 'does not sign in: name a user' }
  if (refId === userId) return { path: 'approver', message: 'is who asks: name another person, who decides' }
  return String(expiresAt) <= now
    ? { path: 'expiresAt', message: 'is over already: give a time that is to come' }
    : null
}
