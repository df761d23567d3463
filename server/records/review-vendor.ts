import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { operation, scope } from '../operation.ts'
import { invalid } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

const { fields } = kinds.vendor

export const reviewVendor = operation({
  name: 'reviewVendor',
  method: 'POST',
  path: '/v1/vendors/{id}/review',
  needs: scope('write:vendors'),
  writes: true,
  title: 'Mark a vendor as reviewed',
  description: 'Somebody looked at it as a whole, now. The next review is in a year, unless a day is given.',
  on: {
    kind: 'vendor',
    button: 'Mark as reviewed',
    when: { status: ['prospective', 'under_review', 'approved', 'conditional', 'on_hold'] },
  },
  input: z.strictObject({
    id: ID.meta({ refersTo: 'ven' }),
    ifMatch: IF_MATCH,
    residualRisk: fields.residualRisk.optional(),
    nextReviewDate: fields.nextReviewDate.optional().describe('In a year, where nothing is said'),
  }),
  example: { id: 'ven_01k9f8qxk2e9mbz6w0h5t4v3ra', residualRisk: 'medium' },
  headers: IF_MATCH_HEADER,
  output: recordSchema(kinds.vendor as unknown as Kind),
  refusals: ['version_mismatch', 'conflict'],
  run: (context, { id, ifMatch, nextReviewDate, ...given }) =>
    changeRecord(context, kinds.vendor as unknown as Kind, id, {
      given,
      set: (time) => ({
        lastReviewedAt: time,
        nextReviewDate: nextReviewDate === undefined ? aYearAfter(time) : laterThan(time, nextReviewDate),
      }),
      ifMatch,
    }) as never,
})

/** The same day of the next year, in UTC; of a leap day the first that it has behind it. */
function aYearAfter(time: string): string {
  const at = new Date(time)
  at.setUTCFullYear(at.getUTCFullYear() + 1)
  return at.toISOString().slice(0, 10)
}

function laterThan(time: string, day: string): string {
  if (day > time.slice(0, 10)) return day
  throw invalid({ path: 'nextReviewDate', message: 'is not after today: give a later day, or leave it out' })
}
