import { z } from 'zod'
import { text } from '../../model/fields.ts'
import { operation, person } from '../operation.ts'
import { endAcceptance, lockBoth, riskAcceptance } from './risk-acceptance-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

/** By whoever the request names, or by an admin where that person does not decide. */
export const rejectRiskAcceptance = operation({
  name: 'rejectRiskAcceptance',
  method: 'POST',
  path: '/v1/risk-acceptances/{id}/reject',
  needs: person('write:risks'),
  writes: true,
  on: {
    kind: 'risk_acceptance',
    when: { status: ['requested'] },
    who: { named: ['approver'], orAdmin: true },
  },
  title: 'Reject a risk acceptance',
  description: 'The risk stays as it is, and another acceptance can be asked for.',
  input: z.strictObject({
    id: ID,
    ifMatch: IF_MATCH,
    reason: text('Reason', 2_000).describe('Why it is not accepted'),
  }),
  output: recordSchema(riskAcceptance),
  headers: IF_MATCH_HEADER,
  refusals: ['conflict', 'version_mismatch', 'other_person_required'],
  run: async (context, { id, ifMatch, reason }) => {
    const both = await lockBoth(context, id, ifMatch)
    const { displayName } = both.acceptance.approver as { displayName: string }
    return (await endAcceptance(context, both, (time) => ({
      status: 'rejected',
      statusReason: reason,
      approverName: displayName,
      decidedAt: time,
    }))) as never
  },
})
