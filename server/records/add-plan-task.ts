import type { z } from 'zod'
import { needsOf } from '../../model/access.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { operation } from '../operation.ts'
import { createRecord } from './create-record.ts'
import { creationSchema, ID, recordSchema } from './schemas.ts'
import { getRecord } from './stored-record.ts'

const plan = kinds.compliance_plan as unknown as Kind
const task = kinds.task as unknown as Kind

export const createCompliancePlanTask = operation({
  name: 'createCompliancePlanTask',
  method: 'POST',
  path: '/v1/compliance-plans/{id}/tasks',
  needs: needsOf(task, 'create')!,
  writes: true,
  isAside: true,
  title: 'Add a task to a compliance plan',
  description: 'As createTask does, with the plan that the path names. What a program adds is suggested.',
  input: creationSchema(task)
    .omit({ planId: true })
    .extend({ id: ID.meta({ refersTo: 'cpl' }).describe('The id of the plan') }),
  output: recordSchema(task),
  refusals: ['conflict', 'principal_not_found', 'principal_inactive'],
  location: (record) => `/v1/suggested-tasks/${(record as { id: string }).id}`,
  example: { id: 'cpl_01k9f8qxk2e9mbz6w0h5t4v3ra', title: 'Ask the payroll provider for its new report' },
  run: async (context, { id, ...given }: z.output<z.ZodObject>) => {
    await getRecord(context, plan, id as string)
    return (await createRecord(context, task, { given: { ...given, planId: id } })) as never
  },
})
