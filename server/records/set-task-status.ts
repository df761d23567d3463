import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { operation, person } from '../operation.ts'
import { changeRecord } from './change-record.ts'
import { refuseForeign } from './own-records.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'

const task = kinds.task as unknown as Kind
const { status, statusReason, dismissReason } = kinds.task.fields

/** For whoever may not change tasks and has one to decide on, or to do (`leftTo` of the kind). */
export const setTaskStatus = operation({
  name: 'setTaskStatus',
  method: 'POST',
  path: '/v1/suggested-tasks/{id}/status',
  needs: { ...person(), forOwners: true },
  writes: true,
  on: { kind: 'task', who: { named: ['assignee'], inDirectory: true } },
  isAside: true,
  title: 'Set the status of a task of yours',
  description:
    'For whoever it is assigned to, whatever else they may do here: they accept it or dismiss it with a reason, and say how far it is.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'tsk' }),
    status: status,
    statusReason: statusReason.nullable().optional(),
    dismissReason: dismissReason.nullable().optional(),
    ifMatch: IF_MATCH,
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(task),
  refusals: ['version_mismatch', 'conflict', 'other_person_required', 'invalid_transition'],
  example: { status: 'open' },
  run: async (context, { id, ifMatch, ...given }) => {
    await refuseForeign(context, task, id)
    return (await changeRecord(context, task, id, { given, ifMatch })) as never
  },
})
