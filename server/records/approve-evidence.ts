import { z } from 'zod'
import { kinds } from '../../model/kinds/index.ts'
import { operation, person } from '../operation.ts'
import { evidence, keepDecision, REVIEWED_BY, refuseOwn, reviewed } from './evidence-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { changeRecord } from './store.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

const { fields } = kinds.evidence

export const approveEvidence = operation({
  name: 'approveEvidence',
  method: 'POST',
  path: '/v1/evidence/{id}/approve',
  needs: person('write:evidence'),
  writes: true,
  on: { kind: 'evidence', when: { status: ['in_review'] }, who: REVIEWED_BY },
  title: 'Approve evidence',
  description: 'It shows what it is said to show, until it expires.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'evd' }),
    ifMatch: IF_MATCH,
    expiryDate: fields.expiryDate
      .optional()
      .describe('The last day on which it counts; as it is, where left out'),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(evidence),
  refusals: ['version_mismatch', 'conflict', 'other_person_required'],
  run: async (context, { id, ifMatch, ...given }) => {
    const { before } = await lockRecord(context, tableOf(evidence), id, ifMatch)
    await refuseOwn(context, before)
    const after = await changeRecord(context, evidence, id, {
      given,
      set: reviewed(context.caller, 'approved'),
    })
    keepDecision(context, after, null)
    return after as never
  },
})
