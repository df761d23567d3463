import { z } from 'zod'
import { text } from '../../model/fields.ts'
import { operation, person } from '../operation.ts'
import { endAcceptance, lockBoth, riskAcceptance } from './risk-acceptance-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

/** By whoever asked for it, while nobody has decided it: so that they can ask otherwise, or somebody else. */
export const withdrawRiskAcceptance = operation({
  name: 'withdrawRiskAcceptance',
  method: 'POST',
  path: '/v1/risk-acceptances/{id}/withdraw',
  needs: person('write:risks'),
  writes: true,
  on: {
    kind: 'risk_acceptance',
    when: { status: ['requested'] },
    who: { named: ['requestedBy'] },
  },
  title: 'Withdraw a risk acceptance',
  description: 'Nobody has to decide it any more, and another one can be asked for.',
  input: z.strictObject({
    id: ID,
    ifMatch: IF_MATCH,
    reason: text('Reason', 2_000).describe('Why it is asked for no longer'),
  }),
  output: recordSchema(riskAcceptance),
  headers: IF_MATCH_HEADER,
  refusals: ['conflict', 'version_mismatch', 'other_person_required'],
  run: async (context, { id, ifMatch, reason }) => {
    const both = await lockBoth(context, id, ifMatch)
    return (await endAcceptance(context, both, () => ({
      status: 'revoked',
      statusReason: reason,
    }))) as never
  },
})
