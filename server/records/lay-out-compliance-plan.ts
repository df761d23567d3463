import { z } from 'zod'
import { day, explained } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { plusDays } from '../../model/recurrence.ts'
import { isInYears } from '../../model/times.ts'
import { operation, person } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import { createRecords } from './create-record.ts'
import { DORA } from './plan-templates/dora.ts'
import { ISO_27001 } from './plan-templates/iso-27001.ts'
import { SOC_2 } from './plan-templates/soc-2.ts'
import type { PlanTemplate } from './plan-templates/template.ts'
import { stillThere } from './principals.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

const TEMPLATES = { iso_27001: ISO_27001, soc_2: SOC_2, dora: DORA } as const
const titles = Object.fromEntries(
  Object.entries(TEMPLATES).map(([name, { title, phases }]) => [
    name,
    `${title}: ${phases.length} phases, ${phases.flatMap(({ tasks }) => tasks).length} tasks`,
  ]),
) as Record<keyof typeof TEMPLATES, string>

const plan = kinds.compliance_plan as unknown as Kind
const task = kinds.task as unknown as Kind

export const layOutCompliancePlan = operation({
  name: 'layOutCompliancePlan',
  method: 'POST',
  path: '/v1/compliance-plans/{id}/lay-out',
  needs: person('write:compliance'),
  writes: true,
  title: 'Lay out a compliance plan',
  description:
    'Adds the phases and the tasks of a year by a template to a plan that has none, each due as far from the start as the template says. The tasks are open, and the owner of the plan has them all until others take some.',
  on: {
    kind: 'compliance_plan',
    button: 'Lay out by a template',
    when: { status: ['draft', 'active'], phases: [null] },
  },
  input: z.strictObject({
    id: ID.meta({ refersTo: 'cpl' }),
    ifMatch: IF_MATCH,
    template: explained('Template', titles).describe('What the year is to lead to'),
    startDate: day('Start')
      .optional()
      .describe('The day on which the work begins; the start of the plan, where left out'),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(plan),
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'cpl_01k9f8qxk2e9mbz6w0h5t4v3ra', template: 'iso_27001', startDate: '2027-01-04' },
  run: async (context, { id, ifMatch, template, startDate: given }) => {
    const { before } = await lockRecord(context, tableOf(plan), id, ifMatch)
    const startDate = given ?? (before.startDate as string | null)
    if (startDate === null)
      throw invalid({ path: 'startDate', message: 'is missing: the plan has no start either' })
    const { phases } = TEMPLATES[template] as PlanTemplate
    const on = (after: number) => plusDays(startDate, after)
    const last = on(Math.max(...phases.map(({ to }) => to)))
    if (!isInYears(last))
      throw invalid({ path: 'startDate', message: 'is too late for what follows it: give an earlier day' })
    const record = await changeRecord(context, plan, id, {
      given: {
        startDate,
        targetDate: last,
        phases: phases.map(({ key, title, from, to }) => ({
          key,
          title,
          status: 'pending',
          startDate: on(from),
          endDate: on(to),
        })),
      },
    })
    const assignee = stillThere(record.owner)
    const tasks = phases.flatMap(({ key, tasks }) =>
      tasks.map(({ due, ...one }) => ({
        ...{ ...one, status: 'open', dueDate: on(due) },
        ...{ planId: id, phaseKey: key, assignee },
      })),
    )
    const added = await createRecords(
      { ...context, actsOn: undefined },
      task,
      tasks.map((set) => ({ set })),
    )
    for (const one of added) if (one instanceof Refusal) throw one
    return record as never
  },
})
