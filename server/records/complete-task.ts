import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { operation, person } from '../operation.ts'
import { refuseForeign } from './own-records.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { changeRecord } from './store.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

const task = kinds.task as unknown as Kind

/** For whoever may not change tasks and has one to do. */
export const completeTask = operation({
  name: 'completeTask',
  method: 'POST',
  path: '/v1/suggested-tasks/{id}/complete',
  needs: { ...person(), forOwners: true },
  writes: true,
  on: {
    kind: 'task',
    button: 'Mark as done',
    when: { status: ['open', 'in_progress', 'blocked'] },
    who: { named: ['assignee'] },
  },
  title: 'Mark a task of yours as done',
  description: 'For whoever it is assigned to, whatever else they may do here.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'tsk' }), ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(task),
  refusals: ['version_mismatch', 'conflict', 'other_person_required'],
  run: async (context, { id, ifMatch }) => {
    await refuseForeign(context, task, id)
    await lockRecord(context, tableOf(task), id, ifMatch)
    return (await changeRecord(context, task, id, { given: { status: 'done' } })) as never
  },
})
