import { z } from 'zod'
import { fact } from '../fact.ts'
import { day, identified, principal, scale, text, whole } from '../fields.ts'
import { kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { planFramework } from '../relations/plan-framework.ts'
import { rules } from './compliance-plan-rules.ts'

const STATUSES = ['draft', 'active', 'on_hold', 'completed', 'cancelled'] as const

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
const PROGRESS = `select round(100.0 * count(*) filter (where t.status = 'done') / nullif(count(*), 0))::int
  from tasks t where t.organization_id = r.organization_id and t.plan_id = r.id and t.archived_at is null
   and t.status not in ('suggested', 'dismissed')
   and (t.status = 'done' or r.target_date is null or t.due_date is null or t.due_date <= r.target_date)`

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
  deadlines: { target: { field: 'targetDate', while: ['active'] } },
  required: ['title'],
  defaults: { status: 'draft' },
  readings: {
    progress: {
      schema: whole('Progress', 0, 100).describe(
        'Of its tasks that somebody accepted and that are due by its target, how many in a hundred are done; none where there are none',
      ),
      sql: PROGRESS,
    },
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
