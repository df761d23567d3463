import { z } from 'zod'
import { fact } from '../fact.ts'
import {
  choice,
  currency,
  day,
  instant,
  level,
  money,
  percent,
  principal,
  refTo,
  scale,
  text,
} from '../fields.ts'
import { kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { treatmentControl } from '../relations/treatment-control.ts'
import { matrixFact } from '../risk-matrix-schema.ts'
import { IMPACTS, LEVELS, LIKELIHOODS } from '../scales.ts'
import { rules } from './risk-treatment-rules.ts'

const STATUSES = ['planned', 'in_progress', 'blocked', 'implemented', 'verified', 'cancelled'] as const

const TRANSITIONS = {
  planned: ['in_progress', 'cancelled'],
  in_progress: ['blocked', 'implemented', 'cancelled'],
  blocked: ['in_progress', 'implemented', 'cancelled'],
  implemented: ['verified', 'cancelled'],
  verified: [],
  cancelled: [],
}

/** The user who a principal is: themselves, or as whom a person of the directory signs in; null where they do not. */
const userOf = (field: string): string =>
  `(select m.user_id from members m where m.organization_id = {organization} and m.status in ('active', 'invited')
     and (m.user_id = {${field}} or m.user_id = (select p.user_id from personnel p
       where p.organization_id = {organization} and p.id = {${field}})))`

/** What is done about one risk. */
export const riskTreatment = kind({
  name: 'risk_treatment',
  plural: 'risk_treatments',
  noun: { one: 'risk treatment', many: 'risk treatments' },
  idPrefix: 'rtr',
  referencePrefix: 'RTR',
  fields: {
    riskId: refTo('Risk', 'risk').describe('The risk that it treats; it stays the same'),
    action: text('Action').describe('What is done, in one line'),
    description: text('Description', 20_000).describe('How it is done, and what it takes'),
    strategy: choice('Strategy', ['mitigate', 'accept', 'transfer', 'avoid']).describe(
      'What it does about the risk',
    ),
    status: scale('Status', STATUSES).describe('How far it is; verified asks for somebody who looked at it'),
    statusReason: text('Reason for the status', 2_000).describe(
      'Why it is in this state; asked for when it is cancelled',
    ),
    expectedLikelihood: scale('Expected likelihood', LIKELIHOODS).describe('Of the risk, once this works'),
    expectedImpact: scale('Expected impact', IMPACTS).describe('Of the risk, once this works'),
    owner: principal('Owner').describe('Who sees to it'),
    dueDate: day('Due').describe('When it has to be in place'),
    startDate: day('Start').describe('When work on it begins'),
    verifiedBy: principal('Verified by').describe(
      'Who looked whether it works: somebody else than the owner, and where they sign in, they say so themselves',
    ),
    progressPercent: percent('Progress').describe('In percent'),
    cost: z
      .strictObject({ currency: currency('Currency'), amount: money().optional() })
      .meta({ title: 'Cost' })
      .describe('What it costs to put in place'),
  },
  named: 'action',
  owners: ['owner', 'verifiedBy'],
  deadlines: { due: { field: 'dueDate', isWork: true } },
  required: ['riskId', 'action'],
  defaults: { strategy: 'mitigate', status: 'planned' },
  derived: {
    rating: level('Rating', LEVELS).describe('The level of the risk that is expected once this works'),
    completedAt: instant('Completed').describe('Since when nothing is left to do'),
  },
  under: {
    kind: 'risk',
    field: 'riskId',
    path: 'treatments',
    withParent: 'delete',
    suggests: {
      from: 'verified',
      fields: { residualLikelihood: 'expectedLikelihood', residualImpact: 'expectedImpact' },
    },
  },
  module: 'risk',
  columns: ['action', 'riskId', 'status', 'strategy', 'rating', 'owner', 'dueDate'],
  sections: {
    'The treatment': ['action', 'riskId', 'description', 'strategy'],
    Progress: ['status', 'statusReason', 'owner', 'startDate', 'dueDate', 'progressPercent', 'verifiedBy'],
    'Expected effect': ['expectedLikelihood', 'expectedImpact'],
    Cost: ['cost'],
  },
  firstFields: ['riskId', 'action', 'strategy', 'status', 'owner', 'dueDate'],
  access: {
    read: scope('read:risks'),
    create: scope('write:risks'),
    update: scope('write:risks'),
    delete: person('write:risks'),
  },
  signals: ['created', 'updated', 'deleted'],
  watch: ['action', 'status', 'rating', 'ownerId', 'dueDate'],
  search: ['action', 'description'],
  filters: ['riskId', 'status', 'strategy', 'rating', 'expectedLikelihood', 'expectedImpact'],
  states: [
    {
      field: 'status',
      next: TRANSITIONS,
      done: ['implemented', 'verified'],
      asks: {
        verified: [
          {
            fields: ['verifiedBy'],
            message: 'say who looked whether it works: somebody else than its owner',
          },
        ],
        cancelled: [
          { fields: ['statusReason'], anew: true, isReason: true, message: 'say why it is cancelled' },
        ],
      },
    },
  ],
  terminal: { field: 'status', values: ['implemented', 'verified', 'cancelled'], at: 'completedAt' },
  level: 'rating',
  facts: {
    matrix: matrixFact,
    // People of the directory who sign in are told apart by their user.
    people: fact(
      `select {person} as person, ${userOf('owner')} as "ownerUserId", ${userOf('verifiedBy')} as "verifierUserId"`,
      z.object({
        person: z.string().nullable(),
        ownerUserId: z.string().nullable(),
        verifierUserId: z.string().nullable(),
      }),
    ),
  },
  relations: [treatmentControl],
  byMatrix: { levels: { rating: { likelihood: 'expectedLikelihood', impact: 'expectedImpact' } } },
  example: {
    action: 'Move the gateway to a release that is still patched',
    strategy: 'mitigate',
    expectedLikelihood: 'unlikely',
    expectedImpact: 'major',
  },
}).with(rules)
