/* What somebody says who has read a policy, and how they are asked. */

export const ATTESTATION_STATES = ['requested', 'viewed', 'acknowledged', 'exempt', 'cancelled'] as const

/** Why a request ended before it was answered. */
export const ENDED_BECAUSE = ['left', 'not_in_audience', 'replaced', 'not_asked', 'policy_retired'] as const

/** The same as pages and certificates say it. */
export const endedBecauseWords: Readonly<Record<(typeof ENDED_BECAUSE)[number], string>> = {
  left: 'They left, or are away',
  not_in_audience: 'Its audience has them no more',
  replaced: 'A material change replaced the text',
  not_asked: 'Nobody is asked any more',
  policy_retired: 'The policy was retired',
}

/** What they agree to, in these words and in one line, which are kept with the time and the hash of the text. */
export const consentTo = (title: string, version: string): string =>
  `I have read “${title.replace(/\s+/g, ' ')}”, version ${version}, and will comply with it.`

/** From when somebody is asked, where the policy says nothing else. */
export const ATTESTATION_DUE_DAYS = 14

/** A link opens the text for so long after it is due, so that who is late can still say it. */
export const GUEST_DAYS_AFTER_DUE = 90

/** Of people, at most, whom a policy names by department or label. */
export const AUDIENCE_AT_MOST = 100
