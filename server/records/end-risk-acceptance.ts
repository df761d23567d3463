import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { text } from '../../model/fields.ts'
import type { Whom } from '../../model/whom.ts'
import { operation, person } from '../operation.ts'
import { endAcceptance, lockBoth, riskAcceptance } from './risk-acceptance-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

/*
 * The ways in which people end a risk acceptance, each with its reason: they differ in who may, in which state it is,
 * and in what that leads to (docs/design/risk-acceptance.md).
 */

interface Ending {
  /** `reject`: the word of its path, and what its name begins with. */
  readonly act: 'reject' | 'revoke' | 'withdraw'
  readonly from: 'requested' | 'approved'
  readonly who: Whom
  readonly title: string
  readonly description: string
  readonly why: string
  /** What it becomes, by the moment of the write. */
  readonly to: (acceptance: Values, time: string) => { readonly status: 'rejected' | 'revoked' } & Values
}

const ending = ({ act, from, who, title, description, why, to }: Ending) =>
  operation({
    name: `${act}RiskAcceptance`,
    method: 'POST',
    path: `/v1/risk-acceptances/{id}/${act}`,
    needs: person('write:risks'),
    writes: true,
    on: { kind: 'risk_acceptance', when: { status: [from] }, who },
    title,
    description,
    input: z.strictObject({
      id: ID,
      ifMatch: IF_MATCH,
      statusReason: text('Reason', 2_000).describe(why),
    }),
    output: recordSchema(riskAcceptance),
    headers: IF_MATCH_HEADER,
    refusals: ['conflict', 'version_mismatch', 'other_person_required'],
    run: async (context, { id, ifMatch, statusReason }) => {
      const both = await lockBoth(context, id, ifMatch)
      const set = (time: string) => ({ ...to(both.acceptance, time), statusReason })
      return (await endAcceptance(context, both, set)) as never
    },
  })

/**
 * By whoever the request names, or by an admin where that person does not decide; that it was rejected is the word of
 * another person than asked, who withdraws it.
 */
export const rejectRiskAcceptance = ending({
  act: 'reject',
  from: 'requested',
  who: { named: ['approver'], orAdmin: true, except: ['requestedBy'] },
  title: 'Reject a risk acceptance',
  description: 'The risk stays as it is, and another acceptance can be asked for.',
  why: 'Why it is not accepted',
  to: ({ approver }, time) => ({
    status: 'rejected',
    approverName: (approver as { displayName: string }).displayName,
    decidedAt: time,
  }),
})

/** By who approved it or who asked for it: nobody goes on accepting what either of them has thought better of. */
export const revokeRiskAcceptance = ending({
  act: 'revoke',
  from: 'approved',
  who: { named: ['approver', 'requestedBy'], orAdmin: true },
  title: 'Revoke a risk acceptance',
  description: 'A risk that was accepted by it is assessed again.',
  why: 'Why it is to hold no longer',
  to: () => ({ status: 'revoked' }),
})

/** By whoever asked for it, while nobody has decided it: so that they can ask otherwise, or somebody else. */
export const withdrawRiskAcceptance = ending({
  act: 'withdraw',
  from: 'requested',
  who: { named: ['requestedBy'] },
  title: 'Withdraw a risk acceptance',
  description: 'Nobody has to decide it any more, and another one can be asked for.',
  why: 'Why it is asked for no longer',
  to: () => ({ status: 'revoked' }),
})
