import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { text } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Whom } from '../../model/whom.ts'
import { operation, person } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { getRecord, lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { Refusal } from '../refusal.ts'
import { policy } from './policy-acts.ts'

/*
 * The acts that lead an exception on, each by a person. They differ in who may, in which state it is, and in what that
 * leads to; who asked never approves, by whatever door they asked, nor does whom it is for.
 */

const policyException = kinds.policy_exception as unknown as Kind

interface Act {
  /** The word of its path, and what its name begins with. */
  readonly act: 'approve' | 'deny' | 'revoke' | 'withdraw'
  readonly from: 'requested' | 'approved'
  readonly who: Whom
  readonly title: string
  readonly description: string
  /** What the reason says that it asks for; none where it asks for none. */
  readonly why?: string
  /** What it becomes, by the moment of the write. */
  readonly to: (exception: Values, time: string) => Values
}

const exceptionAct = ({ act, from, who, title, description, why, to }: Act) =>
  operation({
    name: `${act}PolicyException`,
    method: 'POST',
    path: `/v1/policy-exceptions/{id}/${act}`,
    // As with versions, whom a request names decides it, also as one who edits nothing.
    needs: person('read:policies'),
    writes: true,
    on: { kind: 'policy_exception', when: { status: [from] }, who },
    title,
    description,
    input: z.strictObject({
      id: ID.meta({ refersTo: 'pex' }),
      ifMatch: IF_MATCH,
      ...(why ? { statusReason: text('Reason', 2_000).describe(why) } : {}),
    }),
    headers: IF_MATCH_HEADER,
    output: recordSchema(policyException),
    refusals: ['version_mismatch', 'conflict', 'other_person_required'],
    ...(why ? {} : { example: { id: 'pex_01k9f8qxk2e9mbz6w0h5t4v3ra' } }),
    run: async (context, { id, ifMatch, ...given }) => {
      const { before, time } = await lockRecord(context, tableOf(policyException), id, ifMatch)
      if (act === 'approve') {
        refuseOver(before, time)
        refuseRetired(await getRecord(context, policy, before.policyId as string))
      }
      const { statusReason = null } = given as { statusReason?: string }
      const set = (at: string) => ({ ...to(before, at), statusReason })
      return (await changeRecord(context, policyException, id, { set })) as never
    },
  })

/** @throws {Refusal} `conflict`, where it would be over as it begins */
function refuseOver({ expiresAt }: Values, time: string): void {
  if (String(expiresAt) > time) return
  throw new Refusal('conflict', 'The time that was asked for is over: deny it, and let it be asked for anew.')
}

/** @throws {Refusal} `conflict`, where there is nothing any more that it would be excepted from */
function refuseRetired({ status }: Values): void {
  if (status === 'retired') throw new Refusal('conflict', 'The policy was retired meanwhile: deny it.')
}

const decided =
  (status: 'approved' | 'denied') =>
  ({ approver }: Values, time: string) => ({
    status,
    approverName: (approver as { displayName: string }).displayName,
    decidedAt: time,
  })

export const approvePolicyException = exceptionAct({
  act: 'approve',
  from: 'requested',
  who: { named: ['approver'], except: ['requestedBy', 'holder'] },
  title: 'Approve a policy exception',
  description: 'It holds until it expires.',
  to: decided('approved'),
})

/** By whoever the request names, or by another admin than asked where that person does not decide. */
export const denyPolicyException = exceptionAct({
  act: 'deny',
  from: 'requested',
  who: { named: ['approver'], orAdmin: true, except: ['requestedBy'] },
  title: 'Deny a policy exception',
  description: 'The policy holds as it is.',
  why: 'Why it is not granted',
  to: decided('denied'),
})

export const revokePolicyException = exceptionAct({
  act: 'revoke',
  from: 'approved',
  who: { named: ['approver', 'requestedBy'], orAdmin: true },
  title: 'Revoke a policy exception',
  description: 'It holds no longer.',
  why: 'Why it is to hold no longer',
  to: () => ({ status: 'revoked' }),
})

export const withdrawPolicyException = exceptionAct({
  act: 'withdraw',
  from: 'requested',
  who: { named: ['requestedBy'] },
  title: 'Withdraw a policy exception',
  description: 'Nobody has to decide it any more.',
  why: 'Why it is asked for no longer',
  to: () => ({ status: 'revoked' }),
})
