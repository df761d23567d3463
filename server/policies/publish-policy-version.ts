import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { effectiveOnceOut } from '../../model/effective-date.ts'
import { nextReview, type ReviewFrequency } from '../../model/kinds/policy-review.ts'
import { settleRound } from '../attestations/round.ts'
import { actorOf } from '../caller/caller.ts'
import { operation, person } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { refuseUnlessWhole } from '../records/whole-text.ts'
import { daysOf, lockBoth, policy, policyVersion } from './policy-acts.ts'

/** The text in force goes and the next one comes in one transaction, and endpoints are told by one `policy.updated`. */
export const publishPolicyVersion = operation({
  name: 'publishPolicyVersion',
  method: 'POST',
  path: '/v1/policy-versions/{id}/publish',
  needs: person('write:policies'),
  writes: true,
  on: { kind: 'policy_version', when: { status: ['approved'] } },
  title: 'Publish a policy version',
  description:
    'It is in force from now on, in place of the one before, whatever day the policy says as effectiveDate. The policy has its number, and its next review by how often it is reviewed. Where it is to be acknowledged, everybody of its audience is asked at once, by mail too.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'polv' }), ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'polv_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch }) => {
    const { policy: above, version } = await lockBoth(context, id, ifMatch)
    refuseUnlessWhole(version)
    const days = await daysOf(context, above.id as string)
    const { today } = days
    const before = above.currentVersionId as string | null
    if (before !== null) {
      await lockRecord(context, tableOf(policyVersion), before)
      await changeRecord(context, policyVersion, before, {
        set: (time) => ({ status: 'superseded', supersededAt: time }),
      })
    }
    await changeRecord(context, policy, above.id as string, {
      set: {
        status: 'published',
        versionLabel: version.label,
        currentVersionId: id,
        draftVersionId: null,
        effectiveDate: effectiveOnceOut(
          { ...days, effectiveDate: above.effectiveDate as string | null },
          version.content as string | null,
        ),
        ...reviewOf(above, today),
      },
    })
    const published = await changeRecord(context, policyVersion, id, {
      set: (time) => ({
        status: 'published',
        publishedAt: time,
        publishedBy: actorOf(context.caller),
      }),
    })
    await settleRound(context, above.id as string)
    return published as never
  },
})

/** A date that somebody set by hand stays, where the policy says that it is theirs to set. */
function reviewOf({ reviewFrequency }: Values, today: string): Values {
  const reviewDate = nextReview(today, reviewFrequency as ReviewFrequency)
  return reviewDate === null ? {} : { reviewDate }
}
