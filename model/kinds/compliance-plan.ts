import { z } from 'zod'
import { fact } from '../fact.ts'
import { day, identified, percent, principal, scale, text } from '../fields.ts'
import { kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { planFramework } from '../relations/plan-framework.ts'
import { rules } from './compliance-plan-rules.ts'

const STATUSES = ['draft', 'active', 'on_hold', 'completed', 'cancelled'] as const

const count = (title: string) => z.int().meta({ title })

const byPhase = z
  .array(
    z.object({
      key: z.string().nullable().meta({ title: 'Phase' }).describe('Its key; null: of what is in none'),
      done: count('Done'),
      begun: count('In progress').describe('Blocked ones too'),
      open: count('Open'),
      late: count('Late').describe('Of those that are not done'),
    }),
  )
  .meta({ title: 'Progress of each phase' })
  .describe('How many of the same tasks are how far, of each phase that has any')

const TRANSITIONS = {
  draft: ['active'],
  active: ['on_hold', 'completed'],
  on_hold: ['active'],
  completed: ['active'],
  cancelled: [],
}

/**
 * Of the tasks of a plan that somebody has accepted, how many in a hundred are done. What comes again after its target is
 * of the years to come.
 */
const COUNTED = `t.organization_id = r.organization_id and t.plan_id = r.id and t.archived_at is null
   and t.status not in ('suggested', 'dismissed')
   and (t.status = 'done' or r.target_date is null or t.due_date is null or t.due_date <= r.target_date)`

const PROGRESS = `select round(100.0 * count(*) filter (where t.status = 'done') / nullif(count(*), 0))::int
  from tasks t where ${COUNTED}`

/** The same of each of its phases, and of what is in none, whose key is null. */
const BY_PHASE = `select json_agg(json_build_object('key', key, 'done', done, 'begun', begun, 'open', open, 'late', late)
           order by place)
  from (
    select p.key, min(p.place) as place, count(*) filter (where t.status = 'done') as done,
           count(*) filter (where t.status in ('in_progress', 'blocked')) as begun,
           count(*) filter (where t.status = 'open') as open, count(*) filter (where t.is_late) as late
      from (select phase ->> 'key' as key, place from jsonb_array_elements(r.phases) with ordinality phases (phase, place)
            union all select null, null) p
      join (select t.status, phases.key,
                   exists (select from deadlines d where d.organization_id = t.organization_id and d.record_id = t.id
                              and d.ends_at <= clock_now()) as is_late
              from tasks t
              left join (select phase ->> 'key' as key from jsonb_array_elements(r.phases) phase) phases on phases.key = t.phase_key
             where ${COUNTED}) t on t.key is not distinct from p.key
     group by p.key) phases`

/** What an organization sets out to reach until a date, in phases, by tasks. */
export const compliancePlan = kind({
  name: 'compliance_plan',
  plural: 'compliance_plans',
  noun: { one: 'compliance plan', many: 'compliance plans' },
  idPrefix: 'cpl',
  referencePrefix: 'CPL',
  page: 'plans',
  fields: {
    title: text('Title').describe('What it is, in one line'),
    goal: text('Goal', 2_000).describe('What is reached once all of it is done'),
    description: text('Description', 20_000).describe('How it is to be reached'),
    status: scale('Status', STATUSES).describe('How far it is'),
    owner: principal('Owner').describe('Who sees to it'),
    startDate: day('Start').describe('When work on it begins'),
    targetDate: day('Target').describe('By when its goal is to be reached'),
    phases: identified('Phases', 'cph', {
      key: text('Key', 100).describe('What tasks call it by'),
      title: text('Title'),
      startDate: day('Start').optional(),
      endDate: day('End').optional(),
      status: scale('Status', ['pending', 'in_progress', 'done']).optional(),
    }).describe('Its stages, in their order; tasks name them by their keys'),
    rationale: text('Why', 5_000).describe('Why it is wanted'),
  },
  named: 'title',
  owners: ['owner'],
  deadlines: {
    target: { field: 'targetDate', while: ['active'] },
    phase: { field: 'nextPhaseEnd', follows: true, while: ['active'] },
  },
  required: ['title'],
  defaults: { status: 'draft' },
  derived: {
    nextPhaseEnd: day('Next phase ends').describe('The first end of a phase that nobody has said to be done'),
  },
  readings: {
    progress: {
      schema: percent('Progress').describe(
        'Of its tasks that somebody accepted and that are due by its target, how many in a hundred are done; none where there are none',
      ),
      sql: PROGRESS,
    },
    byPhase: { schema: byPhase, sql: BY_PHASE },
  },
  module: 'compliance',
  columns: ['title', 'status', 'owner', 'progress', 'startDate', 'targetDate'],
  sections: {
    'The plan': ['title', 'goal', 'description', 'rationale'],
    Progress: ['status', 'owner', 'startDate', 'targetDate'],
    Phases: ['phases'],
  },
  firstFields: ['title', 'goal', 'status', 'owner', 'startDate', 'targetDate'],
  access: {
    read: scope('read:frameworks', 'write:compliance'),
    create: scope('write:compliance'),
    update: person('write:compliance'),
    delete: person('write:compliance'),
  },
  facts: { writer: fact('select {person} as person', z.object({ person: z.string().nullable() })) },
  signals: [],
  watch: [],
  search: ['title', 'goal', 'description'],
  filters: ['status'],
  ascending: [['startDate', 'targetDate']],
  states: [
    {
      field: 'status',
      next: TRANSITIONS,
      done: ['completed'],
      // Its tasks end with it.
      byAction: { cancelled: ['cancelCompliancePlan'] },
    },
  ],
  terminal: { field: 'status', values: ['completed', 'cancelled'] },
  relations: [planFramework],
  example: { title: 'ISO 27001 by the end of the year', goal: 'The certificate is issued' },
}).with(rules)
