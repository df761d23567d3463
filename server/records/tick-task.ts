import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { itemId } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { operation, person } from '../operation.ts'
import { invalid } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import { refuseForeign } from './own-records.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

const task = kinds.task as unknown as Kind

/** For whoever may not change tasks and has one to do, step by step. */
export const tickTask = operation({
  name: 'tickTask',
  method: 'POST',
  path: '/v1/suggested-tasks/{id}/tick',
  needs: { ...person(), forOwners: true },
  writes: true,
  on: {
    kind: 'task',
    button: 'Tick a step',
    when: { status: ['open', 'in_progress', 'blocked'] },
    who: { named: ['assignee'], inDirectory: true },
  },
  isAside: true,
  title: 'Tick a step of a task of yours',
  description: 'For whoever it is assigned to, whatever else they may do here.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'tsk' }),
    stepId: itemId('Step').describe('Of the step in its checklist'),
    isDone: z.boolean().default(true).meta({ title: 'Done' }).describe('false: it is not done after all'),
    ifMatch: IF_MATCH,
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(task),
  refusals: ['version_mismatch', 'conflict', 'other_person_required'],
  run: async (context, { id, stepId, isDone, ifMatch }) => {
    await refuseForeign(context, task, id)
    const { before } = await lockRecord(context, tableOf(task), id, ifMatch)
    const steps = (before.checklist ?? []) as readonly Values[]
    if (!steps.some((step) => step.id === stepId))
      throw invalid({
        path: 'stepId',
        message: 'is no step of this task: give the id of one in its checklist',
      })
    const checklist = steps.map((step) => (step.id === stepId ? { ...step, isDone } : step))
    return (await changeRecord(context, task, id, { given: { checklist } })) as never
  },
})
