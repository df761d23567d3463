import { z } from 'zod'
import { refTo } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { operation, scope } from '../operation.ts'
import { MOVED_AT_MOST, mergeRecords, planMerge } from './merge.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

/*
 * Whoever may write vendors may merge them, though that moves what points at them: it says no more of those records than
 * by which id and name they know their vendor, and that could be had by renaming the one.
 */

const vendor = kinds.vendor as unknown as Kind

const EXAMPLE = { id: 'ven_01k9f8qxk2e9mbz6w0h5t4v3ra', from: 'ven_01k9f8r2m8e4tb7c9x3w5y6z1d' }

const from = refTo('Merge', 'ven').describe(
  'The vendor that is gone afterwards: what points at it points at the one in the path',
)

const named = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  version: z.int().describe('Send it with the merge, so that what was looked at is merged'),
})

export const mergePlan = z
  .object({
    kept: named.describe('The vendor that stays'),
    gone: named.describe('The vendor that is gone afterwards'),
    pointing: z
      .array(z.object({ type: z.string(), count: z.int() }))
      .describe('Records that point at it, by their kind: they will point at the one that stays'),
    linked: z
      .array(
        z.object({
          type: z.string(),
          count: z.int(),
          known: z
            .int()
            .describe('With which the one that stays is linked already; what its own links say stays'),
        }),
      )
      .describe('What it is linked with'),
    filled: z
      .array(z.string())
      .describe('Fields of the one that stays that take what they lack from the other'),
    movedAtMost: z.int().describe('More than these are not moved at once'),
  })
  .meta({ id: 'VendorMergePlan', title: 'What merging two vendors would do' })

export const previewVendorMerge = operation({
  name: 'previewVendorMerge',
  method: 'GET',
  path: '/v1/vendors/{id}/merge',
  needs: scope('read:vendors'),
  writes: false,
  title: 'See what merging two vendors would do',
  description: 'Counts are of every kind, whether or not the credential may read it. Nothing is written.',
  input: z.strictObject({ id: ID, from }),
  example: EXAMPLE,
  output: mergePlan,
  run: async (context, input) => {
    const { kept, gone, pointing, linked, filled } = await planMerge(context, vendor, input)
    return {
      kept: kept as z.input<typeof named>,
      gone: gone as z.input<typeof named>,
      pointing: pointing.map(({ kind, count }) => ({ type: kind, count })),
      linked: linked.map(({ relation, ...counts }) => ({ type: relation, ...counts })),
      filled: [...filled],
      movedAtMost: MOVED_AT_MOST,
    }
  },
})

export const mergeVendor = operation({
  name: 'mergeVendor',
  method: 'POST',
  path: '/v1/vendors/{id}/merge',
  needs: scope('write:vendors'),
  writes: true,
  title: 'Merge another vendor into this one',
  on: { kind: 'vendor', button: 'Merge' },
  description: `The one in the path stays, and keeps what it has; what it lacks it takes from the other, which is gone afterwards. Whatever points at or is linked with the other, up to ${MOVED_AT_MOST} records, is told of the one that stays, and the external id of the other leads there from then on: upsertVendor and the filter of the list find it.`,
  input: z.strictObject({
    id: ID,
    from,
    ifMatch: IF_MATCH,
    fromVersion: z
      .int()
      .optional()
      .meta({ title: 'Version of the other' })
      .describe('The version of the other that was read; at another one nothing is merged'),
  }),
  example: EXAMPLE,
  headers: IF_MATCH_HEADER,
  output: recordSchema(vendor),
  refusals: ['version_mismatch', 'conflict', 'referenced', 'link_limit_reached', 'cycle'],
  annotations: { destructive: true },
  run: (context, input) => mergeRecords(context, vendor, input) as never,
})
