import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { operation, person } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { changeRecords } from './change-many.ts'
import { changeRecord } from './change-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

const plan = kinds.compliance_plan as unknown as Kind
const task = kinds.task as unknown as Kind

/** So many tasks end with their plan in one call. */
const TASKS_AT_MOST = 500

export const cancelCompliancePlan = operation({
  name: 'cancelCompliancePlan',
  method: 'POST',
  path: '/v1/compliance-plans/{id}/cancel',
  needs: person('write:compliance'),
  writes: true,
  title: 'Cancel a compliance plan',
  description:
    'For good. Those of its tasks that are not done are dismissed with it, so none of them is due any more; one that is still wanted is opened again, or taken out of the plan first.',
  on: {
    kind: 'compliance_plan',
    button: 'Cancel the plan',
    when: { status: ['draft', 'active', 'on_hold'] },
  },
  input: z.strictObject({ id: ID.meta({ refersTo: 'cpl' }), ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(plan),
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'cpl_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch }) => {
    const { tx } = context
    const { before } = await lockRecord(context, tableOf(plan), id, ifMatch)
    const record = await changeRecord(context, plan, id, { set: { status: 'cancelled' } })
    const open = await tx.read<{ id: string }>(findOpen(tx.organizationId, id, TASKS_AT_MOST + 1))
    if (open.length > TASKS_AT_MOST)
      throw new Refusal(
        'conflict',
        `More than ${TASKS_AT_MOST} of its tasks are not done: dismiss some of them first.`,
      )
    await changeRecords(
      { ...context, actsOn: undefined },
      task,
      open.map((one) => one.id),
      { status: 'dismissed', dismissReason: `The plan ${before.reference} was cancelled` },
    )
    return record as never
  },
})

const findOpen = statement(`
  select id from tasks
   where organization_id = $1 and plan_id = $2 and archived_at is null and status not in ('done', 'dismissed')
   order by id limit $3::int`)
