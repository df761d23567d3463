import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { flag } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { operation, person, type TransactionContext } from '../operation.ts'
import { refuseArchived } from '../records/archived.ts'
import { createRecords } from '../records/create-record.ts'
import { linkNew } from '../records/link-changes.ts'
import { ID } from '../records/schemas.ts'
import { getRecord, lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { invalid, Refusal } from '../refusal.ts'

const framework = kinds.framework as unknown as Kind
const { result } = kinds.requirement.fields
const [plan, task, control, requirement] = [
  kinds.compliance_plan,
  kinds.task,
  kinds.control,
  kinds.requirement,
] as unknown as Kind[]

/** Of one call: each is a record that is told of. */
const AT_ONCE = 200

/** From what is missing to work: whoever plans twice gets the second time what has come since. */
export const planFrameworkGaps = operation({
  name: 'planFrameworkGaps',
  method: 'POST',
  path: '/v1/frameworks/{id}/plan-gaps',
  needs: person('write:compliance'),
  writes: true,
  on: { kind: 'framework', button: 'Plan what is missing', when: { status: ['active', 'retiring'] } },
  title: 'Plan what is missing of a framework',
  description: `Suggests a task for each requirement in scope that is not met and has none, and, where asked, adds a control for each that has none. What has one already is left out, so it is never suggested twice. At most ${AT_ONCE} requirements at once: call it again for the rest. With preview it tells all of that and makes nothing.`,
  input: z.strictObject({
    id: ID.meta({ refersTo: 'fwk' }),
    planId: ID.optional()
      .meta({ title: 'Plan', refersTo: 'cpl' })
      .describe('The plan that the tasks are to be of; none, where it is left out'),
    addControls: flag('Add controls')
      .default(false)
      .describe('Also a control, not started, for each requirement that no control is linked with'),
    preview: flag('Only show')
      .default(false)
      .describe('true: tells what it would suggest and add, and makes nothing'),
  }),
  output: z
    .object({
      tasks: z.int().describe('How many were suggested'),
      controls: z.int().describe('How many were added'),
      left: z.int().describe('Requirements that wait for another call'),
      requirements: z
        .array(
          z.object({
            id: z.string(),
            key: z.string(),
            title: z.string(),
            result,
            task: z.string().nullable().describe('What its task is called; null where it has one already'),
            control: z.boolean().describe('Whether a control is added for it'),
          }),
        )
        .describe('For which, in the order of the framework'),
    })
    .meta({ id: 'PlannedGaps' }),
  example: { id: 'fwk_01k9f8qxk2e9mbz6w0h5t4v3ra', addControls: true },
  run: async (context, { id, planId, addControls, preview }) => {
    // Held, so that two who plan at once do not suggest the same.
    if (preview) await getRecord(context, framework, id)
    else refuseArchived(framework, (await lockRecord(context, tableOf(framework), id)).before)
    if (planId) refuseCancelled(await getRecord(context, plan!, planId))
    const found = await context.tx.read<Gap>(findGaps(context.tx.organizationId, id, addControls))
    const gaps = found.slice(0, AT_ONCE)
    const within = { ...context, actsOn: undefined }
    const uncontrolled = addControls ? gaps.filter(({ hasControl }) => !hasControl) : []
    const untold = gaps.filter(({ hasTask }) => !hasTask)
    const planned = {
      ...{ tasks: untold.length, controls: uncontrolled.length, left: found.length - gaps.length },
      requirements: gaps.map((gap) => ({
        ...{ id: gap.id, key: gap.key, title: gap.title, result: gap.result },
        task: gap.hasTask ? null : titleOf(gap),
        control: addControls && !gap.hasControl,
      })),
    }
    if (preview) return planned
    const controls = await addAll(
      within,
      control!,
      uncontrolled.map(({ key, title }) => ({ code: key, title: title.slice(0, 200).toWellFormed() })),
    )
    for (const [index, gap] of uncontrolled.entries()) {
      const made = controls[index]!
      const [here, there] = [toldOf(gap.id, gap.key, gap.title), toldOf(made.id, made.reference, made.title)]
      linkNew(context, requirement!, 'control', here, there, String(made.createdAt))
    }
    await addAll(
      within,
      task!,
      untold.map((gap) => ({
        title: titleOf(gap),
        status: 'suggested',
        rationale: WHY[gap.result],
        requirementIds: [gap.id],
        assignee: gap.owner,
        planId: planId ?? null,
      })),
    )
    return planned
  },
})

/** @throws {Refusal} `validation_failed`, as for a task that somebody adds */
function refuseCancelled({ status }: Values): void {
  if (status === 'cancelled')
    throw invalid({
      path: 'planId',
      message: 'is a plan that was cancelled: name another one, or leave it out',
    })
}

interface Gap {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly result: keyof typeof WHY
  readonly hasTask: boolean
  readonly hasControl: boolean
  readonly owner: { readonly type: 'user' | 'personnel'; readonly refId: string } | null
}

const WHY = {
  not_assessed: 'Nothing stands for this requirement yet: no control is linked with it.',
  non_compliant: 'None of the controls that are linked with this requirement has been begun.',
  partially_compliant: 'Some of what this requirement asks is not in place, or nothing proves it.',
}

const titleOf = ({ key, title }: Gap): string => `Meet ${key}: ${title}`.slice(0, 200).toWellFormed()

async function addAll(
  context: TransactionContext,
  kind: Kind,
  all: readonly Readonly<Record<string, unknown>>[],
): Promise<Values[]> {
  if (all.length === 0) return []
  const added = await createRecords(
    context,
    kind,
    all.map((set) => ({ set })),
  )
  return added.map((one) => {
    if (one instanceof Refusal) throw one
    return one
  })
}

const toldOf = (...[id, reference, title]: unknown[]) => ({
  id: String(id),
  reference: String(reference),
  title: String(title),
})

/** $3: also those that lack a control alone. */
const findGaps = statement(`
  select * from (
    select q.id, q.key, q.title, q.result, q.sort_order,
           exists (select from task_requirements l
                     join tasks t on t.organization_id = l.organization_id and t.id = l.task_id
                    where l.organization_id = q.organization_id and l.requirement_id = q.id and t.status <> 'done')
             as "hasTask",
           exists (select from control_requirements l
                    where l.organization_id = q.organization_id and l.requirement_id = q.id) as "hasControl",
           case when m.user_id is not null then json_build_object('type', 'user', 'refId', m.user_id)
                when p.id is not null then json_build_object('type', 'personnel', 'refId', p.id) end as owner
      from requirements q
      join frameworks f on f.organization_id = q.organization_id and f.id = q.framework_id
      left join members m on m.organization_id = q.organization_id and m.user_id = q.owner_user_id and m.status = 'active'
      left join personnel p on p.organization_id = q.organization_id and p.id = q.owner_personnel_id
           and p.status <> 'former'
     where q.organization_id = $1 and q.framework_id = $2 and q.archived_at is null and q.assessable
       and q.applicability <> 'not_applicable'
       and q.result in ('not_assessed', 'non_compliant', 'partially_compliant')
       and (f.implementation_group is null or f.implementation_group = any(q.implementation_groups))) gaps
   where not "hasTask" or ($3::boolean and not "hasControl")
   order by sort_order nulls last, key ${NATURALLY}, id`)
