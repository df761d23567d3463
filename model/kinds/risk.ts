import { z } from 'zod'
import {
  choice,
  choices,
  currency,
  day,
  derivedMoney,
  flag,
  instant,
  level,
  money,
  principal,
  scale,
  text,
  until,
  whole,
} from '../fields.ts'
import { kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { riskAsset } from '../relations/risk-asset.ts'
import { riskControl } from '../relations/risk-control.ts'
import { riskRequirement } from '../relations/risk-requirement.ts'
import { riskVendor } from '../relations/risk-vendor.ts'
import { matrixFact } from '../risk-matrix-schema.ts'
import { IMPACTS, LEVELS, LIKELIHOODS, REVIEW_FREQUENCIES, RISK_CATEGORIES } from '../scales.ts'
import type { Ask } from '../states.ts'
import { rules, TREATED, TREATING } from './risk-rules.ts'

const STATUSES = ['identified', 'assessed', 'in_treatment', 'monitored', 'accepted', 'closed'] as const

/** A step back is as good as one ahead, and whatever is open can be closed. */
const TRANSITIONS = {
  identified: ['assessed', 'closed'],
  assessed: ['in_treatment', 'closed'],
  in_treatment: ['monitored', 'assessed', 'closed'],
  monitored: ['in_treatment', 'closed'],
  accepted: ['closed'],
  closed: ['identified'],
}

const rated = (what: string): Ask => ({
  fields: ['likelihood', 'impact'],
  message: `${what} needs likelihood and impact: give both`,
})
const treated = (what: string): Ask => ({
  fields: ['treatmentStrategy'],
  among: TREATING,
  or: 'hasTreatment',
  message: `${what} needs mitigate, transfer or avoid, or a treatment`,
})

/** More often than each second is no frequency of a risk. */
const amount = z.number().min(0).max(100_000_000)

const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')
const HAS_TREATMENT = `exists (select from risk_treatments t
         where t.organization_id = r.organization_id and t.risk_id = r.id and t.status <> 'cancelled'
           and t.archived_at is null)`

export const risk = kind({
  name: 'risk',
  plural: 'risks',
  noun: { one: 'risk', many: 'risks' },
  idPrefix: 'risk',
  referencePrefix: 'RSK',
  fields: {
    title: text('Title').describe('What could happen, in one line'),
    description: text('Description', 20_000).describe('Circumstances, and what is known so far'),
    status: scale('Status', STATUSES).describe('Where it stands; assessed asks for likelihood and impact'),
    statusReason: text('Reason for the status', 2_000).describe(
      'Why it is in this state; asked for when it is closed',
    ),
    category: choice('Category', RISK_CATEGORIES).describe('Where it comes from'),
    likelihood: scale('Likelihood', LIKELIHOODS).describe('As it is now, with the controls that work'),
    impact: scale('Impact', IMPACTS).describe('As it is now, with the controls that work'),
    inherentLikelihood: scale('Inherent likelihood', LIKELIHOODS).describe('Before any control'),
    inherentImpact: scale('Inherent impact', IMPACTS).describe('Before any control'),
    residualLikelihood: scale('Residual likelihood', LIKELIHOODS).describe('Once the planned controls work'),
    residualImpact: scale('Residual impact', IMPACTS).describe('Once the planned controls work'),
    targetLevel: level('Target level', LEVELS).describe('The level to get down to'),
    owner: principal('Owner').describe('Who answers for it'),
    dueDate: until('Due').describe('When the treatment has to be done'),
    reviewDate: day('Next review').describe('When to look at it again'),
    reviewFrequency: scale('Review frequency', REVIEW_FREQUENCIES).describe('How often to look at it'),
    identifiedAt: instant('Identified').describe('When it was first seen'),
    treatmentStrategy: choice('Treatment strategy', [
      'undecided',
      'mitigate',
      'accept',
      'transfer',
      'avoid',
    ]).describe('What is to be done about it'),
    impactAreas: choices('Impact areas', [
      'confidentiality',
      'integrity',
      'availability',
      'safety',
      'privacy',
      'financial',
      'legal',
      'reputation',
    ]).describe('What would suffer'),
    threat: text('Threat', 5_000).describe('Who or what could do it'),
    vulnerability: text('Vulnerability', 5_000).describe('The weakness that lets it happen'),
    cause: text('Cause', 5_000).describe('What would set it off'),
    consequence: text('Consequence', 5_000).describe('What would follow'),
    strengthOfKnowledge: scale('Strength of knowledge', ['low', 'medium', 'high']).describe(
      'How well founded the rating is',
    ),
    quantification: z
      .strictObject({
        currency: currency('Currency'),
        annualFrequencyMin: amount.optional().describe('Times a year, at least'),
        annualFrequencyLikely: amount.optional().describe('Times a year, most likely'),
        annualFrequencyMax: amount.optional().describe('Times a year, at most'),
        lossMin: money().optional().describe('Cost of one time, at least'),
        lossLikely: money().optional().describe('Cost of one time, most likely'),
        lossMax: money().optional().describe('Cost of one time, at most'),
      })
      .meta({ title: 'Quantification' })
      .describe('A year in numbers: how often, and what one time costs'),
  },
  named: 'title',
  indexedSorts: ['title', '-riskScore'],
  titledFrom: ['description', 'threat', 'vulnerability', 'consequence', 'cause'],
  owners: ['owner'],
  deadlines: { due: { field: 'dueDate' }, review: { field: 'reviewDate' } },
  required: ['title'],
  defaults: { status: 'identified', category: 'other', treatmentStrategy: 'undecided' },
  derived: {
    riskLevel: level('Risk level', LEVELS).describe('From likelihood and impact, by the risk matrix'),
    riskScore: whole('Score', 1, 25).describe('From likelihood and impact, by the risk matrix'),
    inherentLevel: level('Inherent level', LEVELS),
    inherentScore: whole('Inherent score', 1, 25),
    residualLevel: level('Residual level', LEVELS),
    residualScore: whole('Residual score', 1, 25),
    acceptance: z
      .object({
        id: z.string().meta({ title: 'Id' }),
        status: z.string().meta({ title: 'Status' }),
        acceptedBy: z
          .object({ type: z.string(), id: z.string(), displayName: z.string() })
          .meta({ title: 'Accepted by' }),
        expiresAt: until('Expires'),
        justification: z.string().meta({ title: 'Justification' }),
        likelihood: scale('Likelihood', LIKELIHOODS),
        impact: scale('Impact', IMPACTS),
        level: level('Level', LEVELS),
      })
      .meta({ id: 'AcceptanceOfRisk', title: 'Acceptance' })
      .describe('That by which it is accepted, with the rating that was accepted; null while it is not'),
    acceptanceExpiresAt: until('Acceptance expires').describe('Until when it is accepted'),
    annualLossExpectancy: z
      .strictObject({ currency: currency('Currency'), amount: derivedMoney() })
      .meta({ title: 'Annual loss expectancy' })
      .describe(
        'What a year most likely costs: how often it most likely happens, times what one time most likely costs',
      ),
    aboveAppetite: flag('Above appetite').describe(
      'Whether its level is higher than the appetite for its category; null where none is said',
    ),
    acceptanceEnded: flag('Acceptance ended').describe(
      'Whether it is assessed again because its acceptance ended, and nobody has led it on since; null where not',
    ),
    closedAt: instant('Closed'),
  },
  readings: {
    hasTreatment: {
      schema: flag('Has a treatment').describe('Whether it has a treatment that is not cancelled'),
      sql: `select ${HAS_TREATMENT}`,
    },
    untreated: {
      schema: flag('Untreated').describe(
        'Whether it is in treatment or monitored though nothing treats it: no strategy that does, and no treatment',
      ),
      sql: `select r.status in (${listed(TREATED)}) and r.treatment_strategy not in (${listed(TREATING)})
         and not ${HAS_TREATMENT}`,
    },
  },
  attention: { acceptanceEnded: {}, untreated: {} },
  module: 'risk',
  columns: ['title', 'status', 'riskLevel', 'category', 'owner', 'dueDate', 'updatedAt'],
  sections: {
    'The risk': ['title', 'description', 'category', 'owner', 'dueDate'],
    Rating: [
      'likelihood',
      'impact',
      'inherentLikelihood',
      'inherentImpact',
      'residualLikelihood',
      'residualImpact',
      'targetLevel',
      'strengthOfKnowledge',
    ],
    Treatment: ['status', 'statusReason', 'treatmentStrategy', 'reviewDate', 'reviewFrequency'],
    Analysis: ['threat', 'vulnerability', 'cause', 'consequence', 'impactAreas', 'identifiedAt'],
    Quantification: ['quantification'],
  },
  firstFields: ['title', 'category', 'likelihood', 'impact', 'owner', 'dueDate'],
  access: {
    read: scope('read:risks'),
    create: scope('write:risks'),
    update: scope('write:risks'),
    delete: person('write:risks'),
  },
  signals: ['created', 'updated', 'deleted'],
  watch: [
    'title',
    'status',
    'category',
    'likelihood',
    'impact',
    'riskLevel',
    'ownerId',
    'dueDate',
    'acceptanceExpiresAt',
  ],
  search: ['title', 'description'],
  filters: [
    'status',
    'category',
    'likelihood',
    'impact',
    'riskLevel',
    'inherentLikelihood',
    'inherentImpact',
    'residualLikelihood',
    'residualImpact',
    'treatmentStrategy',
  ],
  ascending: ['annualFrequency', 'loss'].map((of) =>
    ['Min', 'Likely', 'Max'].map((end) => `quantification.${of}${end}`),
  ),
  states: [
    {
      field: 'status',
      next: TRANSITIONS,
      byAction: { accepted: ['approveRiskAcceptance'] },
      asks: {
        assessed: [rated('an assessed risk')],
        in_treatment: [rated('a risk in treatment'), treated('a risk in treatment')],
        monitored: [rated('a monitored risk'), treated('a monitored risk')],
        accepted: [rated('an accepted risk')],
        closed: [
          { fields: ['statusReason'], anew: true, isReason: true, message: 'say why the risk is closed' },
        ],
      },
    },
  ],
  terminal: { field: 'status', values: ['closed'], at: 'closedAt' },
  level: 'riskLevel',
  ratings: {
    inherent: { level: 'inherentLevel', score: 'inherentScore' },
    current: { level: 'riskLevel', score: 'riskScore' },
    residual: { level: 'residualLevel', score: 'residualScore' },
    target: { level: 'targetLevel' },
  },
  facts: { matrix: matrixFact },
  byMatrix: {
    levels: {
      riskLevel: { likelihood: 'likelihood', impact: 'impact', score: 'riskScore' },
      inherentLevel: { likelihood: 'inherentLikelihood', impact: 'inherentImpact', score: 'inherentScore' },
      residualLevel: { likelihood: 'residualLikelihood', impact: 'residualImpact', score: 'residualScore' },
    },
    appetite: { level: 'riskLevel', category: 'category', exceeded: 'aboveAppetite' },
  },
  relations: [riskControl, riskAsset, riskVendor, riskRequirement],
  crossTabs: {
    current: ['likelihood', 'impact'],
    inherent: ['inherentLikelihood', 'inherentImpact'],
    residual: ['residualLikelihood', 'residualImpact'],
    movement: ['inherentLevel', 'residualLevel'],
    categoryByLevel: ['riskLevel', 'category'],
  },
  example: {
    title: 'Unpatched gateway',
    description: 'The edge gateway runs a release without security fixes.',
    status: 'identified',
    category: 'technical',
    likelihood: 'possible',
    impact: 'major',
  },
}).with(rules)
