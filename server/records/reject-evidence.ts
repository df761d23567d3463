import { z } from 'zod'
import { text } from '../../model/fields.ts'
import { operation, person } from '../operation.ts'
import { changeRecord } from './change-record.ts'
import { evidence, keepDecision, REVIEWED_BY, refuseOwn, reviewed } from './evidence-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

export const rejectEvidence = operation({
  name: 'rejectEvidence',
  method: 'POST',
  path: '/v1/evidence/{id}/reject',
  needs: person('write:evidence'),
  writes: true,
  on: { kind: 'evidence', when: { status: ['in_review'] }, who: REVIEWED_BY },
  title: 'Reject evidence',
  description: 'It does not show what it is said to show; it is mended and sent again.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'evd' }),
    ifMatch: IF_MATCH,
    rejectionReason: text('Reason', 2_000).describe('What is missing or wrong'),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(evidence),
  refusals: ['version_mismatch', 'conflict', 'other_person_required'],
  run: async (context, { id, ifMatch, rejectionReason }) => {
    const { caller } = context
    const { before } = await lockRecord(context, tableOf(evidence), id, ifMatch)
    await refuseOwn(context, before)
    const set = (time: string) => ({ ...reviewed(caller, 'rejected')(time), rejectionReason })
    const after = await changeRecord(context, evidence, id, { set })
    keepDecision(context, after, rejectionReason)
    return after as never
  },
})
