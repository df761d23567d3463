import { z } from 'zod'
import { factOfReadings } from '../fact.ts'
import {
  choice,
  currency,
  day,
  explained,
  flag,
  instant,
  level,
  money,
  principal,
  scale,
  text,
  whole,
} from '../fields.ts'
import { kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { LEVELS } from '../scales.ts'
import { rules } from './control-rules.ts'
import { provesToday } from './evidence-proof.ts'

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

/** What its evidence lacks; null where it is proven. */
const LACKING = ['no_evidence', 'not_approved', 'expired', 'partial'] as const

/**
 * Whether evidence proves it, and until when. It takes one that shows all that is asked, is approved, and has not expired
 * by the day of the organization. However many show a part of it, nobody has said that together they show the whole.
 */
const proof = (organization: string, control: string): string =>
  `select case
            when bool_or(m.counts and m.coverage = 'full') then null
            when bool_or(m.counts) then 'partial'
            when bool_or(m.status in ('approved', 'expired')) then 'expired'
            when count(*) > 0 then 'not_approved' else 'no_evidence' end as lacking,
          nullif(max(coalesce(m.expiry_date, 'infinity')) filter (where m.counts and m.coverage = 'full'),
            'infinity') as until
     from (select e.status, e.expiry_date, l.coverage, ${provesToday(organization)} as counts
             from evidence_controls l
             join evidence e on e.organization_id = l.organization_id and e.id = l.evidence_id
            where l.organization_id = ${organization} and l.control_id = ${control}) m`

export const control = kind({
  name: 'control',
  plural: 'controls',
  noun: { one: 'control', many: 'controls' },
  idPrefix: 'ctl',
  referencePrefix: 'CTL',
  fields: {
    code: text('Code', 100).describe('The name it has in your framework or manual, such as NET-4'),
    title: text('Title').describe('What is done, in one line'),
    description: text('Description', 20_000).describe('How it is done, and by whom'),
    category: choice('Category', [
      'policy',
      'process',
      'procedure',
      'technical',
      'physical',
      'people',
    ]).describe('By what means it works'),
    function: choice('Function', ['govern', 'identify', 'protect', 'detect', 'respond', 'recover']).describe(
      'The function of NIST CSF that it serves',
    ),
    type: choice('Type', [
      'preventive',
      'detective',
      'corrective',
      'deterrent',
      'compensating',
      'recovery',
    ]).describe('When it acts on what goes wrong'),
    implementationStatus: scale('Implementation status', STATUSES).describe('How far it is in place'),
    statusReason: text('Reason for the status', 2_000).describe(
      'Why it is in this state; asked for when it falls back from implemented',
    ),
    notApplicableReason: text('Why it does not apply', 2_000).describe('Asked for while it does not apply'),
    priority: level('Priority', LEVELS).describe('How urgent it is to put in place'),
    riskLevel: level('Risk level', LEVELS).describe('The risk if the control is absent or failing'),
    owner: principal('Owner').describe('Who answers for it'),
    effectiveness: scale('Effectiveness', [
      'not_assessed',
      'effective',
      'partially_effective',
      'ineffective',
    ]).describe('As last tested'),
    automation: scale('Automation', ['manual', 'semi_automated', 'automated']).describe(
      'How much of it runs by itself',
    ),
    testProcedure: text('Test procedure', 20_000).describe('How to see that it works'),
    frequency: scale('Frequency', [
      'continuous',
      'daily',
      'weekly',
      'monthly',
      'quarterly',
      'semiannually',
      'annually',
      'ad_hoc',
    ]).describe('How often it is performed'),
    maturity: whole('Maturity', 0, 5).describe('From 0 (none) to 5 (optimized)'),
    dueDate: day('Due').describe('When it has to be in place'),
    implementedAt: instant('Implemented').describe('Since when it is in place'),
    nextTestDate: day('Next test').describe('When it is tested next'),
    effort: scale('Effort', ['xs', 's', 'm', 'l', 'xl']).describe('How much work it is to put in place'),
    cost: z
      .strictObject({
        currency: currency('Currency'),
        buildFixed: money().optional(),
        buildDays: z.number().min(0).optional(),
        runFixed: money().optional(),
        runDays: z.number().min(0).optional(),
      })
      .meta({ title: 'Cost' })
      .describe('To put in place (build) and to keep up a year (run), in money and days'),
  },
  named: 'title',
  titledFrom: ['description'],
  owners: ['owner'],
  deadlines: {
    due: { field: 'dueDate' },
    // What is implemented is tested all the same.
    test: {
      field: 'nextTestDate',
      while: ['not_started', 'in_progress', 'partially_implemented', 'implemented'],
    },
  },
  coded: 'code',
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
  access: {
    read: scope('read:controls'),
    create: person('write:controls'),
    update: scope('write:controls'),
    delete: person('write:controls'),
  },
  writableBy: [
    {
      fields: ['implementationStatus', 'statusReason', 'notApplicableReason', 'owner'],
      needs: scope('write:controls'),
    },
    { fields: 'all', needs: person('write:controls') },
  ],
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
  readings: {
    unproven: {
      schema: flag('Unproven').describe('Whether it counts as implemented and nothing proves it'),
      isSet: 'unprovenReason',
    },
    unprovenReason: {
      schema: explained('Why unproven', {
        no_evidence: 'No evidence is mapped to it',
        not_approved: 'None of its evidence is approved',
        expired: 'Its approved evidence has expired',
        partial: 'Its approved evidence covers a part of it only',
      }).describe('What proof it lacks while it counts as implemented'),
      from: 'proof',
      sql: "case when r.implementation_status = 'implemented' then proof.lacking end",
    },
    provenUntil: {
      schema: day('Proven until').describe(
        'The last day on which its evidence proves it; none where for good',
      ),
      from: 'proof',
      sql: "case when r.implementation_status = 'implemented' then proof.until end",
    },
  },
  lookups: { proof: proof('r.organization_id', 'r.id') },
  attention: { unproven: { implementationStatus: ['implemented'] } },
  facts: {
    proof: factOfReadings(
      proof('{organization}', '{record}'),
      z.object({ lacking: z.enum(LACKING).nullable(), until: z.string().nullable() }),
    ),
  },
  rollups: { suggestedRiskLevel: { title: 'Suggested risk level', among: 'risk' } },
  terminal: { field: 'implementationStatus', values: ['implemented', 'not_applicable', 'deprecated'] },
  example: {
    code: 'NET-4',
    title: 'Gateways are patched within a week',
    implementationStatus: 'in_progress',
  },
}).with(rules)
