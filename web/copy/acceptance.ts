/** What is said of the acceptance of a risk. */
export const acceptance = {
  you: 'You are asked to accept this risk until',
  waits: (who: string) => `${who} is asked to accept this risk until`,
  accepted: (who: string) => `Accepted by ${who} until`,
  ended: (state: string) => `${state}: it was asked for until`,
  decide: 'Decide',
  requestedBy: (who: string) => `Requested by ${who}`,
  decided: 'approved',
  before: 'When it was requested',
  now: 'Now',
  ratings: 'Rating when it was requested, and now',
  unrated: 'Not rated',
  stale:
    'The risk is rated otherwise than when this was requested, so that it cannot be approved any more. Reject or withdraw it, and let it be requested anew.',
  staleOver: 'The risk is rated otherwise by now.',
  justification: 'Justification',
  conditions: 'Conditions',
}
