import { z } from 'zod'
import { fact } from '../fact.ts'
import {
  choices,
  day,
  explained,
  flag,
  identified,
  instant,
  keyOf,
  principal,
  refTo,
  scale,
  text,
  ticked,
  whole,
} from '../fields.ts'
import { actor, kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { FREQUENCIES, WEEKDAYS } from '../recurrence.ts'
import { taskRelations } from '../relations/task.ts'
import { rules } from './task-rules.ts'

const STATUSES = ['suggested', 'open', 'in_progress', 'blocked', 'done', 'dismissed'] as const

/** What is suggested is nobody's duty until a person has taken it. */
const TRANSITIONS = {
  suggested: ['open', 'dismissed'],
  open: ['in_progress', 'blocked', 'done', 'dismissed'],
  in_progress: ['open', 'blocked', 'done', 'dismissed'],
  blocked: ['in_progress', 'done', 'dismissed'],
  done: ['open'],
  dismissed: ['open'],
}

/** A piece of work for somebody, of a plan or by itself. */
export const task = kind({
  name: 'task',
  plural: 'tasks',
  noun: { one: 'task', many: 'tasks' },
  idPrefix: 'tsk',
  referencePrefix: 'TSK',
  path: 'suggested-tasks',
  page: 'tasks',
  fields: {
    title: text('Title').describe('What is to be done, in one line'),
    description: text('Description', 20_000).describe('How it is done, and how one knows that it is'),
    status: scale('Status', STATUSES).describe(
      'How far it is; a program only suggests, and a person accepts or dismisses',
    ),
    statusReason: text('Reason for the status', 2_000).describe('What it waits for, where it is blocked'),
    dismissReason: text('Reason for the dismissal', 2_000).describe('Why it is not done'),
    priority: scale('Priority', ['low', 'medium', 'high', 'urgent']).describe('How soon it is wanted'),
    assignee: principal('Assignee').describe('Who does it'),
    dueDate: day('Due').describe('By when it is to be done'),
    planId: refTo('Plan', 'cpl').describe('The plan that it is a part of'),
    phaseKey: keyOf(text('Phase', 100).describe('The key of the phase of its plan'), {
      by: 'planId',
      list: 'phases',
      key: 'key',
      title: 'title',
    }),
    checklist: ticked(
      identified('Checklist', 'tci', { text: text('What'), isDone: flag('Done').optional() }).describe(
        'Its steps, each done or not',
      ),
      'isDone',
    ),
    recurrence: z
      .strictObject({
        frequency: scale('Frequency', FREQUENCIES),
        interval: whole('Interval', 1, 366)
          .optional()
          .describe('Every so many days, weeks, months or years; each, where left out'),
        weekdays: choices('On', WEEKDAYS).optional().describe('Of weekly alone: on which days'),
        dayOfMonth: whole('On day', 1, 31)
          .optional()
          .describe('Of monthly and yearly alone: the last day, where a month is shorter'),
        until: day('Until').optional().describe('The last day on which one may be due'),
        overdue: explained('When late', {
          no_impact: 'The next one is due when it would have been anyway',
          delay_next: 'The next one is as far from the day on which this was done',
        }).optional(),
        next: explained('Next one', {
          when_done: 'It is made once this one is done',
          when_due: 'It is made on the day on which this one is due, done or not',
        }).optional(),
      })
      .meta({ title: 'Comes again' })
      .describe('The next one is made when this one is done or due: as this one was, due when this says'),
    estimateHours: z.number().min(0).max(100_000).meta({ title: 'Estimate' }).describe('In hours'),
    rationale: text('Why', 5_000).describe('Why it is suggested: what is missing without it'),
  },
  named: 'title',
  titledFrom: ['description'],
  owners: ['assignee'],
  isShownToOwners: true,
  leftTo: { whom: 'assignee', by: { status: 'setTaskStatus', checklist: 'tickTask' } },
  waits: [{ act: 'decide', while: { field: 'status', values: ['suggested'] }, whom: 'assignee' }],
  deadlines: { due: { field: 'dueDate', while: ['open', 'in_progress', 'blocked'], isWork: true } },
  required: ['title'],
  defaults: { status: 'suggested', priority: 'medium' },
  begunInPerson: { status: 'open' },
  derived: {
    suggestedBy: actor.meta({ title: 'Suggested by' }).describe('Who suggested it, where somebody did'),
    acceptedBy: actor.meta({ title: 'Accepted by' }).describe('Who said that it is to be done'),
    hasNext: flag('Next one made').describe('Whether the one that comes after it has been made'),
    followsId: refTo('Comes after', 'tsk').describe('The one that it comes after, where it comes again'),
    completedAt: instant('Completed').describe('Since when nothing is left to do'),
  },
  readings: {
    nextId: {
      schema: refTo('Next one', 'tsk').describe('The one that comes after it, while that is there'),
      sql: `select n.id from tasks n
             where n.organization_id = r.organization_id and n.follows_id = r.id order by n.id limit 1`,
    },
  },
  module: 'compliance',
  columns: ['title', 'status', 'priority', 'assignee', 'dueDate', 'planId'],
  sections: {
    'The task': ['title', 'description', 'checklist'],
    Progress: ['status', 'statusReason', 'dismissReason', 'assignee', 'dueDate', 'priority', 'estimateHours'],
    Plan: ['planId', 'phaseKey', 'recurrence', 'rationale'],
  },
  firstFields: ['title', 'status', 'assignee', 'dueDate', 'priority', 'planId'],
  access: {
    read: scope('read:frameworks', 'write:compliance'),
    create: scope('write:compliance'),
    update: person('write:compliance'),
    delete: person('write:compliance'),
  },
  facts: {
    // Whoever adds to a plan holds it: a cancellation waits, and ends that as well, or is seen here.
    around: fact(
      `select {person} as person, (select array(select p ->> 'key' from jsonb_array_elements(c.phases) p)
         from compliance_plans c where c.organization_id = {organization} and c.id = {planId}) as phases,
       (select c.status
          from compliance_plans c where {planId?} and c.organization_id = {organization} and c.id = {planId}
           for share) as plan`,
      z.object({
        person: z.string().nullable(),
        phases: z.array(z.string()).nullable(),
        plan: z.string().nullable(),
      }),
    ),
  },
  signals: [],
  watch: [],
  search: ['title', 'description'],
  filters: ['status', 'priority', 'planId', 'phaseKey'],
  states: [
    {
      field: 'status',
      next: TRANSITIONS,
      done: ['done'],
      asks: {
        blocked: [{ fields: ['statusReason'], isReason: true, message: 'say what it waits for' }],
        dismissed: [
          { fields: ['dismissReason'], anew: true, isReason: true, message: 'say why it is not done' },
        ],
      },
    },
  ],
  terminal: { field: 'status', values: ['done', 'dismissed'], at: 'completedAt' },
  repeats: {
    by: 'recurrence',
    deadline: 'dueDate',
    when: { field: 'status', value: 'done' },
    made: 'hasNext',
    after: 'followsId',
    next: 'nextId',
    begins: 'open',
  },
  relations: taskRelations,
  linkFields: { compliance_plan: 'planId' },
  example: { title: 'Ask the payroll provider for its new report', priority: 'high' },
}).with(rules)
