import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { WAITING } from '../../model/kinds/vendor-rules.ts'
import { operation, scope } from '../operation.ts'
import { changeRecord } from './change-record.ts'
import { listRecords } from './list.ts'
import { PAGE, pageOf } from './paging.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

/*
 * A vendor that something found (`source` is discovery) waits until somebody looks at it: as long as it is prospective and
 * identified, as it began. There is no flag beside that which could say something else: whoever leads it on, by these
 * operations or by a change as any other, has taken it up.
 */

const vendor = kinds.vendor as unknown as Kind
const { fields } = kinds.vendor

const id = ID.meta({ refersTo: 'ven' })
const EXAMPLE = { id: 'ven_01k9f8qxk2e9mbz6w0h5t4v3ra' }

export const listDiscoveredVendors = operation({
  name: 'listDiscoveredVendors',
  method: 'GET',
  path: '/v1/vendors/discovered',
  needs: scope('read:vendors'),
  writes: false,
  title: 'List vendors that were discovered and wait for somebody',
  description:
    'Of source discovery, prospective and identified, newest first. adoptVendor takes one up, mergeVendor merges it into a known one, dismissVendor sets it aside.',
  rowFields: ['id', 'reference', 'name', 'website', 'discoveredBy', 'createdAt', 'version'],
  input: z.strictObject(PAGE),
  output: pageOf(recordSchema(vendor)),
  run: (context, input) =>
    listRecords(context, vendor, { ...input, ...WAITING, sort: '-createdAt' }) as never,
})

export const adoptVendor = operation({
  name: 'adoptVendor',
  method: 'POST',
  path: '/v1/vendors/{id}/adopt',
  needs: scope('write:vendors'),
  writes: true,
  title: 'Take up a vendor',
  description:
    'One that was discovered comes to intake; also one that was dismissed, which is prospective again.',
  on: { kind: 'vendor', button: 'Take up', when: { ...WAITING, status: ['prospective', 'rejected'] } },
  input: z.strictObject({
    id,
    ifMatch: IF_MATCH,
    category: fields.category.optional(),
    owner: fields.owner.optional(),
  }),
  example: { ...EXAMPLE, category: 'collaboration' },
  headers: IF_MATCH_HEADER,
  output: recordSchema(vendor),
  refusals: ['version_mismatch', 'conflict', 'principal_not_found', 'principal_inactive'],
  run: (context, { id, ifMatch, ...given }) =>
    changeRecord(context, vendor, id, {
      given,
      set: { status: 'prospective', lifecycleStage: 'intake' },
      ifMatch,
    }) as never,
})

export const dismissVendor = operation({
  name: 'dismissVendor',
  method: 'POST',
  path: '/v1/vendors/{id}/dismiss',
  needs: scope('write:vendors'),
  writes: true,
  title: 'Dismiss a vendor',
  description:
    'One that was discovered and is none is rejected and waits no more; it stays known, so that nothing adds it again by its external id.',
  on: { kind: 'vendor', when: WAITING },
  input: z.strictObject({ id, ifMatch: IF_MATCH, statusReason: fields.statusReason }),
  example: { ...EXAMPLE, statusReason: 'A private account, not used for work' },
  headers: IF_MATCH_HEADER,
  output: recordSchema(vendor),
  refusals: ['version_mismatch', 'conflict'],
  run: (context, { id, ifMatch, ...given }) =>
    changeRecord(context, vendor, id, { given, set: { status: 'rejected' }, ifMatch }) as never,
})
