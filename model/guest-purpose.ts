/** What somebody who is no member is let in for, by a guest pass: each is one thing to do at one record. */
export const GUEST_PURPOSES = ['attest', 'answer', 'upload', 'review'] as const

export type GuestPurpose = (typeof GUEST_PURPOSES)[number]

/** Why a pass opens nothing any more, as far as whoever holds one of its links is told. */
export const PASS_ENDS = ['expired', 'revoked', 'used_up', 'nothing_asked', 'other_way'] as const

export type PassEnd = (typeof PASS_ENDS)[number]
