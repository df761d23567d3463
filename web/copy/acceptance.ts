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
  nowResidual: 'Now, residual',
  nowCurrent: 'Now, current',
  residual:
    'What is accepted is the residual rating: how the risk is expected to be once it is treated. As it stands now, it has the current one.',
  ratings: 'Rating when it was requested, and now',
  unrated: 'Not rated',
  stale:
    'The risk is rated otherwise than when this was requested, so that it cannot be approved any more. Reject or withdraw it, and let it be requested anew.',
  staleOver: 'The risk is rated otherwise by now.',
  until: 'Until',
  risk: 'Risk',
  justification: 'Justification',
  conditions: 'Conditions',
}
