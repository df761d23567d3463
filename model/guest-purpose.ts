/** What somebody who is no member is let in for, by a guest pass: each is one thing to do at one record. */
export const GUEST_PURPOSES = ['attest', 'answer', 'upload', 'review'] as const

export type GuestPurpose = (typeof GUEST_PURPOSES)[number]
