/*
 * How many attempts are let through within how many minutes, of each sort. sign-in-rate-limiter.ts says what a limit
 * does.
 */

export interface Limit {
  readonly count: number
  readonly minutes: number
}

export interface Limits {
  readonly accountFromNetwork: Limit
  readonly network: Limit
  /** Null where no number of guesses from everywhere is of use. */
  readonly account: Limit | null
  /** Of a known device or a session; the first is forgotten with a success. */
  readonly own: readonly Limit[]
}

const GUESSES: Limits = {
  accountFromNetwork: { count: 10, minutes: 15 },
  network: { count: 60, minutes: 15 },
  account: { count: 100, minutes: 60 },
  own: [{ count: 10, minutes: 15 }],
}

/** How many of `accountFromNetwork` are left in a wave, where no mail can finish a sign-in. */
export const GUESSES_IN_A_WAVE = 3

/**
 * Six digits are few, and whoever is asked for them has the password already: a year of tries from everywhere
 * finds a code with less than one chance in ten, and so does a year of tries from a device.
 */
const CODES: Limits = {
  ...GUESSES,
  account: { count: 50, minutes: 24 * 60 },
  own: [
    { count: 10, minutes: 15 },
    { count: 50, minutes: 24 * 60 },
  ],
}

/** A mail that anybody may ask for, to any address: no mailbox is to be filled by it. */
const MAILS: Limits = {
  accountFromNetwork: { count: 5, minutes: 15 },
  network: { count: 20, minutes: 15 },
  account: { count: 3, minutes: 60 },
  own: [{ count: 5, minutes: 15 }],
}

export const LIMITS = {
  password: GUESSES,
  second_factor: CODES,
  /** Of a sign-in that came through the mailbox, where no stranger is: theirs do not count against it. */
  second_factor_by_link: CODES,
  /** Sixty random bits are guessed by nobody, so a wave of other guesses does not touch them. */
  recovery_code: { ...GUESSES, account: null },
  mail: MAILS,
} as const

/** What is tried: a password, a code, a mail. Each has its own counts. */
export type Attempt = keyof typeof LIMITS

/** Mails of an organization, which stands where otherwise a network does. */
export const INVITATIONS: Limits = {
  accountFromNetwork: { count: 5, minutes: 60 },
  network: { count: 200, minutes: 60 },
  account: { count: 10, minutes: 60 },
  own: [],
}

/** Links that finish a sign-in: whoever has them mailed has the password, and fills no mailbox either. */
export const SIGN_IN_MAILS = { count: 3, minutes: 60 }
