import { z } from 'zod'
import { text } from '../../model/fields.ts'
import { operation, person } from '../operation.ts'
import { endAcceptance, lockBoth, riskAcceptance } from './risk-acceptance-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

/** By who approved it or who asked for it: nobody goes on accepting what either of them has thought better of. */
export const revokeRiskAcceptance = operation({
  name: 'revokeRiskAcceptance',
  method: 'POST',
  path: '/v1/risk-acceptances/{id}/revoke',
  needs: person('write:risks'),
  writes: true,
  on: {
    kind: 'risk_acceptance',
    when: { status: ['approved'] },
    who: { named: ['approver', 'requestedBy'], orAdmin: true },
  },
  title: 'Revoke a risk acceptance',
  description: 'A risk that was accepted by it is assessed again.',
  input: z.strictObject({
    id: ID,
    ifMatch: IF_MATCH,
    reason: text('Reason', 2_000).describe('Why it is to hold no longer'),
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
