import { z } from 'zod'
import { operation, scope } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import {
  lockBoth,
  lockDecisions,
  OUT_OF_REVIEW,
  policy,
  policyVersion,
  restingState,
  voidDecisions,
} from './policy-acts.ts'

/* How a version comes out of review, or out of the making, without being published. */

export const withdrawPolicyVersion = operation({
  name: 'withdrawPolicyVersion',
  method: 'POST',
  path: '/v1/policy-versions/{id}/withdraw',
  needs: scope('write:policies'),
  writes: true,
  isAside: true,
  on: { kind: 'policy_version', when: { status: ['pending_approval', 'approved'] } },
  title: 'Withdraw a policy version',
  description: 'It is a draft again, and what its approvers decided is voided.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'polv' }), ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'polv_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch }) => {
    const { policy: above, version } = await lockBoth(context, id, ifMatch)
    await voidDecisions(context, await lockDecisions(context, version), 'The version was withdrawn')
    await changeRecord(context, policy, above.id as string, { set: { status: restingState(above) } })
    return (await changeRecord(context, policyVersion, id, { set: OUT_OF_REVIEW })) as never
  },
})

export const discardPolicyVersion = operation({
  name: 'discardPolicyVersion',
  method: 'POST',
  path: '/v1/policy-versions/{id}/discard',
  needs: scope('write:policies'),
  writes: true,
  isAside: true,
  on: { kind: 'policy_version', when: { status: ['draft'] }, button: 'Discard this version' },
  title: 'Discard a policy version',
  description: 'A draft that nobody goes on with: it stays to be read, and another one can be begun.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'polv' }), ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'polv_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch }) => {
    const { policy: above } = await lockBoth(context, id, ifMatch)
    await changeRecord(context, policy, above.id as string, {
      set: { draftVersionId: null, ...(above.currentVersionId ? {} : { versionLabel: null }) },
    })
    return (await changeRecord(context, policyVersion, id, { set: { status: 'discarded' } })) as never
  },
})
