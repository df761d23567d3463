import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { text, whole } from '../../model/fields.ts'
import { isApproved } from '../../model/kinds/policy-approval.ts'
import { operation, person, type TransactionContext } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { refuseUnlessWhole } from '../records/whole-text.ts'
import { Refusal } from '../refusal.ts'
import {
  lockBoth,
  lockDecisions,
  OUT_OF_REVIEW,
  policy,
  policyDecision,
  policyVersion,
  restingState,
  voidDecisions,
} from './policy-acts.ts'
import { approvalOf, approversOf, readSetting } from './submit-policy-version.ts'

/*
 * What approvers say. They decide on a text, which they name by its hash, and as it was submitted, by its round: so nobody
 * approves what they have not read, though somebody wrote in it, or in its title, while they did. One no ends the round, whatever the quorum is: the text is to be mended.
 * Whoever is named decides, whatever their role: who runs an organization approves its policies, and edits nothing.
 */

const HASH = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'is no SHA-256: give the contentSha256 of the version that was read')
  .meta({ title: 'SHA-256' })
  .describe('The contentSha256 of the text that was read; of another text, the decision is refused')

const ROUND = whole('Round', 1, 100_000).describe(
  'The round of the version that was read; of a later one, the decision is refused',
)

const inReview = {
  kind: 'policy_version',
  when: { status: ['pending_approval'] },
  shown: ['contentSha256', 'round'],
} as const

export const approvePolicyVersion = operation({
  name: 'approvePolicyVersion',
  method: 'POST',
  path: '/v1/policy-versions/{id}/approve',
  needs: person('read:policies'),
  writes: true,
  on: inReview,
  title: 'Approve a policy version',
  description:
    'Once as many approvers have approved it as the policy asks for, it can be published. Nobody who wrote in it approves it alone.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'polv' }),
    ifMatch: IF_MATCH,
    contentSha256: HASH,
    round: ROUND,
    comment: text('Comment', 2_000).optional().describe('What else readers of this decision should know'),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: ['version_mismatch', 'conflict', 'text_changed', 'other_person_required'],
  run: async (context, { id, ifMatch, contentSha256, round, comment }) => {
    const { policy: above, version } = await lockBoth(context, id, ifMatch)
    refuseOtherText(version, { contentSha256, round })
    refuseUnlessWhole(version)
    const decisions = await lockDecisions(context, version)
    await decide(context, decisions, 'approved', comment ?? null)
    const setting = await readSetting(context, approversOf(above))
    const approved = [context.caller.userId, ...given(decisions)]
    if (!isApproved(approvalOf(above, version, setting), approved)) return version as never
    const open = decisions.filter(
      ({ status, approverId }) => status === 'pending' && approverId !== context.caller.userId,
    )
    await voidDecisions(context, open, 'As many approved it as were asked to')
    await changeRecord(context, policy, above.id as string, { set: { status: 'approved' } })
    return (await changeRecord(context, policyVersion, id, {
      set: (time) => ({ status: 'approved', approvedAt: time }),
    })) as never
  },
})

export const rejectPolicyVersion = operation({
  name: 'rejectPolicyVersion',
  method: 'POST',
  path: '/v1/policy-versions/{id}/reject',
  needs: person('read:policies'),
  writes: true,
  on: inReview,
  title: 'Reject a policy version',
  description:
    'The version becomes a draft again, and what others decided on it is void. The text in force stays in force.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'polv' }),
    ifMatch: IF_MATCH,
    contentSha256: HASH,
    round: ROUND,
    comment: text('Comment', 2_000).describe('What needs to change'),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: ['version_mismatch', 'conflict', 'text_changed', 'other_person_required'],
  run: async (context, { id, ifMatch, contentSha256, round, comment }) => {
    const { policy: above, version } = await lockBoth(context, id, ifMatch)
    refuseOtherText(version, { contentSha256, round })
    const decisions = await lockDecisions(context, version)
    const own = await decide(context, decisions, 'rejected', comment)
    await voidDecisions(
      context,
      decisions.filter((one) => one.id !== own.id),
      'Another approver rejected the version',
    )
    await changeRecord(context, policy, above.id as string, { set: { status: restingState(above) } })
    return (await changeRecord(context, policyVersion, id, {
      set: { ...OUT_OF_REVIEW, rejectionReason: comment },
    })) as never
  },
})

const given = (decisions: readonly Values[]): string[] =>
  decisions.flatMap(({ status, approverId }) => (status === 'approved' ? [approverId as string] : []))

/** @throws {Refusal} `text_changed`, where the version is not as it was read */
function refuseOtherText(
  { contentSha256, round }: Values,
  seen: { readonly contentSha256: string; readonly round: number },
): void {
  if (contentSha256 === seen.contentSha256 && round === seen.round) return
  throw new Refusal(
    'text_changed',
    contentSha256 === seen.contentSha256
      ? 'It was changed since it was read, though not in its text, and submitted anew: read its title and what changed again, and decide on what they say now.'
      : 'The text was changed since it was read: read it again, and decide on what it says now.',
    { contentSha256, round },
  )
}

/**
 * Writes what the caller decides into the decision that waits for them.
 * @throws {Refusal} `other_person_required`; `conflict` where they have decided already
 */
async function decide(
  context: TransactionContext,
  decisions: readonly Values[],
  status: 'approved' | 'rejected',
  comment: string | null,
): Promise<Values> {
  const { caller } = context
  const own = decisions.find(({ approverId }) => approverId === caller.userId)
  if (!own)
    throw new Refusal(
      'other_person_required',
      'Only those who are asked to decide on it can: they are the approvers of its policy.',
    )
  if (own.status !== 'pending')
    throw new Refusal('conflict', 'You have approved this text already: it waits for the others.')
  const { displayName } = own.approver as { displayName: string }
  return changeRecord(context, policyDecision, own.id as string, {
    set: (time) => ({ status, comment, decidedAt: time, approverName: displayName }),
  })
}
