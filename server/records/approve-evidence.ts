import { z } from 'zod'
import { kinds } from '../../model/kinds/index.ts'
import { operation, person } from '../operation.ts'
import { invalid } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import {
  evidence,
  keepDecision,
  REVIEWED_BY,
  refuseOtherContent,
  refuseOwn,
  reviewed,
} from './evidence-acts.ts'
import { todayHere } from './next-record.ts'
import { stillThere } from './principals.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
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
  description:
    'It shows what it is said to show, until it expires. Where it has no owner, whoever was asked for it is that from now on.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'evd' }),
    ifMatch: IF_MATCH,
    expiryDate: fields.expiryDate
      .optional()
      .describe('The last day on which it counts; leave empty to keep it'),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(evidence),
  refusals: ['version_mismatch', 'conflict', 'other_person_required'],
  run: async (context, { id, ifMatch, ...given }) => {
    const { before } = await lockRecord(context, tableOf(evidence), id, ifMatch)
    await refuseOwn(context, before)
    await refuseOtherContent(context, before)
    const today = await todayHere(context.tx)
    if (before.validFrom && String(before.validFrom) > today)
      throw invalid({
        path: 'validFrom',
        message:
          'is still ahead, so it shows nothing yet: approve it then, or set it back to draft and change the day',
      })
    const until = given.expiryDate === undefined ? before.expiryDate : given.expiryDate
    if (until && String(until) < today)
      throw invalid({
        path: 'expiryDate',
        message: 'is over, so it would prove nothing: give a later day, or reject it',
      })
    const review = reviewed(context.caller, 'approved')
    // Somebody has to hear of its end: whoever was asked for it, where it is nobody's.
    const owner = before.owner ?? stillThere(before.requestedFrom)
    const after = await changeRecord(context, evidence, id, {
      given,
      set: (time) => ({ ...review(time), owner }),
    })
    keepDecision(context, after, null)
    return after as never
  },
})
