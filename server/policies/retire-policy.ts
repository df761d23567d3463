import { z } from 'zod'
import { settleRound } from '../attestations/round.ts'
import { operation, person } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { policy, policyVersion } from './policy-acts.ts'

/* The end of a policy, and its return as a draft. What was published stays to be read. */

export const retirePolicy = operation({
  name: 'retirePolicy',
  method: 'POST',
  path: '/v1/policies/{id}/retire',
  needs: person('write:policies'),
  writes: true,
  on: { kind: 'policy', when: { status: ['published'] } },
  title: 'Retire a policy',
  description:
    'Its text is no longer in force, and it is not reviewed again. A next version that is under review has to be withdrawn first; a draft stays.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'pol' }), ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policy),
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'pol_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch }) => {
    const { before } = await lockRecord(context, tableOf(policy), id, ifMatch)
    await changeRecord(context, policyVersion, before.currentVersionId as string, {
      set: (time) => ({ status: 'superseded', supersededAt: time }),
    })
    const retired = await changeRecord(context, policy, id, {
      set: { status: 'retired', currentVersionId: null, reviewDate: null },
    })
    await settleRound(context, id)
    return retired as never
  },
})

export const restorePolicy = operation({
  name: 'restorePolicy',
  method: 'POST',
  path: '/v1/policies/{id}/restore',
  needs: person('write:policies'),
  writes: true,
  on: { kind: 'policy', when: { status: ['retired'] } },
  title: 'Restore a policy',
  description: 'It is a draft again: a version of it is approved and published before it holds.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'pol' }), ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policy),
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'pol_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch }) => {
    await lockRecord(context, tableOf(policy), id, ifMatch)
    return (await changeRecord(context, policy, id, { set: { status: 'draft' } })) as never
  },
})
