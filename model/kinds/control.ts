import { z } from 'zod'
import { choice, currency, day, instant, level, money, principal, scale, text, whole } from '../fields.ts'
import { kind } from '../kind.ts'
import { LEVELS } from '../scales.ts'
import { rules } from './control-rules.ts'

const STATUSES = [
  'not_started',
  'in_progress',
  'partially_implemented',
  'implemented',
  'not_applicable',
  'deprecated',
] as const

const TRANSITIONS = {
  not_started: ['in_progress', 'not_applicable', 'deprecated'],
  in_progress: ['partially_implemented', 'implemented', 'not_applicable', 'deprecated'],
  partially_implemented: ['implemented', 'in_progress', 'not_applicable', 'deprecated'],
  implemented: ['in_progress', 'not_applicable', 'deprecated'],
  not_applicable: ['not_started', 'deprecated'],
  deprecated: ['not_started'],
}

export const control = kind({
  name: 'control',
  plural: 'controls',
  noun: { one: 'control', many: 'controls' },
  idPrefix: 'ctl',
  referencePrefix: 'CTL',
  fields: {
    code: text('Code', 100),
    title: text('Title'),
    description: text('Description', 20_000),
    category: choice('Category', ['policy', 'process', 'procedure', 'technical', 'physical', 'people']),
    function: choice('Function', ['govern', 'identify', 'protect', 'detect', 'respond', 'recover']),
    type: choice('Type', ['preventive', 'detective', 'corrective', 'deterrent', 'compensating', 'recovery']),
    implementationStatus: scale('Implementation status', STATUSES),
    statusReason: text('Reason for the status', 2_000),
    notApplicableReason: text('Why it does not apply', 2_000),
    priority: level('Priority', LEVELS),
    riskLevel: level('Risk level', LEVELS).describe('The risk if the control is absent or failing'),
    owner: principal('Owner'),
    effectiveness: scale('Effectiveness', [
      'not_assessed',
      'effective',
      'partially_effective',
      'ineffective',
    ]),
    automation: scale('Automation', ['manual', 'semi_automated', 'automated']),
    testProcedure: text('Test procedure', 20_000),
    frequency: scale('Frequency', [
      'continuous',
      'daily',
      'weekly',
      'monthly',
      'quarterly',
      'semiannually',
      'annually',
      'ad_hoc',
    ]),
    maturity: whole('Maturity', 0, 5),
    dueDate: day('Due'),
    implementedAt: instant('Implemented'),
    nextTestDate: day('Next test'),
    effort: scale('Effort', ['xs', 's', 'm', 'l', 'xl']),
    cost: z
      .strictObject({
        currency: currency('Currency'),
        buildFixed: money().optional(),
        buildDays: z.number().min(0).optional(),
        runFixed: money().optional(),
        runDays: z.number().min(0).optional(),
      })
      .meta({ title: 'Cost' }),
  },
  named: 'title',
  owners: ['owner'],
  deadlines: ['dueDate', 'nextTestDate'],
  required: ['code', 'title'],
  defaults: { implementationStatus: 'not_started', priority: 'medium', effectiveness: 'not_assessed' },
  module: 'compliance',
  columns: ['title', 'code', 'implementationStatus', 'priority', 'effectiveness', 'owner', 'dueDate'],
  sections: {
    'The control': ['title', 'code', 'description', 'category', 'function', 'type'],
    Implementation: [
      'implementationStatus',
      'statusReason',
      'notApplicableReason',
      'priority',
      'riskLevel',
      'owner',
      'dueDate',
      'implementedAt',
    ],
    Testing: ['effectiveness', 'automation', 'testProcedure', 'frequency', 'nextTestDate', 'maturity'],
    Cost: ['effort', 'cost'],
  },
  firstFields: ['title', 'code', 'implementationStatus', 'priority', 'owner', 'dueDate'],
  verbs: { create: 'session', list: 'key', get: 'key', update: 'key', delete: 'session' },
  writableBy: { key: ['implementationStatus', 'statusReason', 'notApplicableReason', 'owner'] },
  signals: ['updated'],
  watch: ['implementationStatus', 'priority', 'riskLevel', 'ownerId'],
  search: ['code', 'title', 'description'],
  filters: ['implementationStatus', 'priority', 'riskLevel', 'category', 'function', 'type', 'effectiveness'],
  states: [
    {
      field: 'implementationStatus',
      next: TRANSITIONS,
      asks: {
        not_applicable: [
          {
            fields: ['notApplicableReason'],
            isReason: true,
            message: 'say why the control does not apply',
          },
        ],
      },
      leavingNeeds: { deprecated: 'settings.manage' },
    },
  ],
  level: 'riskLevel',
  rollups: { suggestedRiskLevel: { title: 'Suggested risk level', among: 'risk' } },
  terminal: { field: 'implementationStatus', values: ['implemented', 'not_applicable', 'deprecated'] },
  example: {
    code: 'NET-4',
    title: 'Gateways are patched within a week',
    implementationStatus: 'in_progress',
  },
}).with(rules)
