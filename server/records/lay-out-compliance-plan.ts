import { z } from 'zod'
import { day, explained } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { daysBetween, plusDays, weekdayOf } from '../../model/recurrence.ts'
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

const SATURDAY = 5

/** The Friday before a weekend; the Monday behind it where the phase begins in between. */
function workingDay(day: string, earliest: string): string {
  const beyond = weekdayOf(day) - SATURDAY
  if (beyond < 0) return day
  const friday = plusDays(day, -1 - beyond)
  return friday >= earliest ? friday : plusDays(day, 2 - beyond)
}

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
    'Adds the phases and tasks of a template to a plan that has none. They fill the time from the start to the target date of the plan, which stays as it is. A plan without a target date gets that of the template, about a year after the start. No task is due on a Saturday or Sunday. The tasks are open and assigned to the owner of the plan.',
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
      .describe(
        'The first day of the work; the start of the plan by default. The target date of the plan is kept, and the tasks are fitted to it',
      ),
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
    const target = before.targetDate as string | null
    if (target !== null && target <= startDate)
      throw invalid({
        path: 'startDate',
        message: `is not before the target date of the plan, ${target}: give an earlier day, or move the target date`,
      })
    const length = Math.max(...phases.map(({ to }) => to))
    const share = target === null ? 1 : daysBetween(startDate, target) / length
    const on = (after: number) => plusDays(startDate, Math.round(after * share))
    const last = target ?? on(length)
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
    const phaseStarts = new Map(phases.map(({ key, from }) => [key, on(from)]))
    const tasks = phases.flatMap(({ key, tasks }) =>
      tasks.map(({ due, ...one }) => ({
        ...{ ...one, status: 'open', dueDate: workingDay(on(due), phaseStarts.get(key)!) },
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
