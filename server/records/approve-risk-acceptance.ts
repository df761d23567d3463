import { z } from 'zod'
import { ACCEPTABLE } from '../../model/kinds/risk-acceptance-rules.ts'
import { operation, person } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import { type Both, lockBoth, risk, riskAcceptance } from './risk-acceptance-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

/** By whoever the request names, who is another person than asked. */
export const approveRiskAcceptance = operation({
  name: 'approveRiskAcceptance',
  method: 'POST',
  path: '/v1/risk-acceptances/{id}/approve',
  needs: person('write:risks'),
  writes: true,
  on: { kind: 'risk_acceptance', when: { status: ['requested'] }, who: { named: ['approver'] } },
  title: 'Approve a risk acceptance',
  description:
    'The risk is accepted as it was rated when this was asked for, until the acceptance expires. An acceptance by which it was accepted before is revoked.',
  input: z.strictObject({ id: ID, ifMatch: IF_MATCH }),
  output: recordSchema(riskAcceptance),
  headers: IF_MATCH_HEADER,
  refusals: ['conflict', 'version_mismatch', 'other_person_required'],
  run: async (context, { id, ifMatch }) => {
    const both = await lockBoth(context, id, ifMatch)
    refuseOvertaken(both)
    const { acceptance } = both
    const approver = acceptance.approver as { refId: string; displayName: string }
    const { id: riskId } = both.risk as { id: string }
    // The risk first: an acceptance that its risk does not name would be over at once.
    await changeRecord(context, risk, riskId, {
      set: {
        status: 'accepted',
        acceptance: {
          id,
          status: 'approved',
          acceptedBy: { type: 'user', id: approver.refId, displayName: approver.displayName },
          expiresAt: acceptance.expiresAt,
          justification: acceptance.justification,
          likelihood: acceptance.frozenLikelihood,
          impact: acceptance.frozenImpact,
          level: acceptance.frozenLevel,
        },
        acceptanceExpiresAt: acceptance.expiresAt,
      },
    })
    const set = (time: string) => ({
      status: 'approved',
      approverName: approver.displayName,
      decidedAt: time,
    })
    return (await changeRecord(context, riskAcceptance, id, { set })) as never
  },
})

/** @throws {Refusal} `conflict`, where what was asked for is not what would be approved */
function refuseOvertaken({ risk, acceptance, time }: Both): void {
  if (acceptance.stale)
    throw overtaken('The risk is rated otherwise than when this was asked for: reject it, and ask again.')
  if (String(acceptance.expiresAt) <= time)
    throw overtaken('The time that was asked for is over: reject it, and ask again.')
  if (!ACCEPTABLE.includes(String(risk.status)))
    throw overtaken(
      `The risk is ${risk.status}: it can be accepted once it is assessed, in treatment or monitored.`,
    )
}

const overtaken = (detail: string) => new Refusal('conflict', detail)
