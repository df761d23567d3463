import { z } from 'zod'
import { fact } from '../fact.ts'
import { decider, flag, instant, level, refTo, scale, text, until } from '../fields.ts'
import { kind } from '../kind.ts'
import { scope } from '../needs.ts'
import { IMPACTS, LEVELS, LIKELIHOODS } from '../scales.ts'
import { rules } from './risk-acceptance-rules.ts'

const STATUSES = ['requested', 'approved', 'rejected', 'revoked', 'expired'] as const

/** The rating of a risk `p` that counts (risk-rating.ts). */
const LIVE = {
  likelihood: 'case when p.residual_level is null then p.likelihood else p.residual_likelihood end',
  impact: 'case when p.residual_level is null then p.impact else p.residual_impact end',
  level: 'coalesce(p.residual_level, p.risk_level)',
}

const person = z
  .object({ type: z.string(), id: z.string(), displayName: z.string() })
  .meta({ id: 'AskedBy', title: 'Requested by' })

/**
 * That somebody takes a risk as it is, until a day: asked for by one person and decided by another. What was asked for
 * is never edited; the acts that decide it and the clock alone lead it on.
 */
export const riskAcceptance = kind({
  name: 'risk_acceptance',
  plural: 'risk_acceptances',
  noun: { one: 'risk acceptance', many: 'risk acceptances', made: 'Request' },
  idPrefix: 'rac',
  referencePrefix: 'RAC',
  fields: {
    riskId: refTo('Risk', 'risk').describe('The risk that is to be accepted; it stays the same'),
    title: text('Title', 200).describe(
      'A short name; by default the risk that is accepted, as “Acceptance of RSK-12”',
    ),
    justification: text('Justification', 2_000).describe('Why it can be lived with as it is'),
    conditions: text('Conditions', 2_000).describe(
      'What has to hold meanwhile, such as controls in its stead',
    ),
    approver: decider('Approver', 'editor', 'another').describe(
      'The user who is to decide: another person than whoever asks, and at least an editor by then',
    ),
    expiresAt: until('Until').describe('When it ends, and the risk is to be judged again'),
    status: scale('Status', STATUSES).describe('Requested, until the approver decides it'),
  },
  named: 'title',
  owners: ['approver'],
  waits: [
    {
      act: 'decide',
      while: { field: 'status', values: ['requested'] },
      whom: 'approver',
      askedBy: ['requestedBy'],
    },
  ],
  deadlines: {
    expiry: {
      ...{ field: 'expiresAt', notices: [30, 7, 1], lapses: 'expired' },
      lapseTells: { requestedBy: 'that you asked for' },
    },
  },
  required: ['riskId', 'justification', 'approver', 'expiresAt'],
  defaults: { status: 'requested' },
  uniqueWhile: { riskId: { fields: ['riskId'], states: ['requested'] } },
  derived: {
    requestedBy: person.describe('The user who asked for it, by themselves or through a program'),
    frozenLikelihood: scale('Likelihood then', LIKELIHOODS).describe('Of the risk, when it was asked for'),
    frozenImpact: scale('Impact then', IMPACTS).describe('Of the risk, when it was asked for'),
    frozenLevel: level('Level then', LEVELS).describe(
      'Of the risk, when it was asked for: residual where that was set, else current',
    ),
    approverName: text('Approver then').describe('As the approver was called when it was decided'),
    decidedAt: instant('Decided').describe('When it was approved or rejected'),
    statusReason: text('Reason for the status', 2_000).describe(
      'Why it was rejected, or ended before its time',
    ),
    endedAt: instant('Ended').describe('Since when it holds no longer, or never will'),
  },
  readings: {
    stale: {
      schema: flag('Rating outdated').describe('Whether the risk is rated otherwise by now'),
      sql: `select (${Object.values(LIVE).join(', ')})
                is distinct from (r.frozen_likelihood, r.frozen_impact, r.frozen_level)
         from risks p where p.organization_id = r.organization_id and p.id = r.risk_id`,
    },
  },
  attention: { stale: { status: ['requested'] } },
  under: { kind: 'risk', field: 'riskId', path: 'acceptances', withParent: 'delete', stands: 'acceptance' },
  facts: {
    asked: fact(
      `select clock_now() as now, m.user_id as "userId", m.name as "userName",
              p.status as "riskStatus", 'RSK-' || p.reference_number as "riskReference", p.acceptance->>'id' as "standingId",
              ${Object.entries(LIVE)
                .map(([name, sql]) => `${sql} as ${name}`)
                .join(', ')},
              (select jsonb_build_object('id', o.id, 'reference', 'RAC-' || o.reference_number)
                 from risk_acceptances o
                where o.organization_id = {organization} and o.risk_id = {parent}
                  and o.status = 'requested' and o.id is distinct from {record}) as waiting
         from (values (1)) one (row)
         left join members m on m.organization_id = {organization} and m.user_id = {user}
         left join risks p on p.organization_id = {organization} and p.id = {parent}`,
      z.object({
        now: z.string(),
        userId: z.string().nullable(),
        userName: z.string().nullable(),
        riskStatus: z.string().nullable(),
        riskReference: z.string().nullable(),
        standingId: z.string().nullable(),
        likelihood: z.string().nullable(),
        impact: z.string().nullable(),
        level: z.string().nullable(),
        waiting: z.object({ id: z.string(), reference: z.string() }).nullable(),
      }),
    ),
  },
  module: 'risk',
  columns: ['title', 'riskId', 'status', 'frozenLevel', 'approver', 'expiresAt'],
  sections: {
    'The acceptance': ['riskId', 'title', 'justification', 'conditions'],
    Decision: ['status', 'approver', 'expiresAt'],
  },
  firstFields: ['riskId', 'justification', 'conditions', 'approver', 'expiresAt', 'status'],
  access: { read: scope('read:risks'), create: scope('write:risks') },
  signals: [],
  watch: [],
  search: ['title', 'justification'],
  filters: ['riskId', 'status', 'frozenLevel'],
  states: [
    {
      field: 'status',
      next: { requested: [], approved: [], rejected: [], revoked: [], expired: [] },
      byAction: {
        approved: ['approveRiskAcceptance'],
        rejected: ['rejectRiskAcceptance'],
        revoked: ['revokeRiskAcceptance', 'withdrawRiskAcceptance'],
        expired: [],
      },
      done: ['approved'],
    },
  ],
  terminal: { field: 'status', values: ['rejected', 'revoked', 'expired'], at: 'endedAt' },
  level: 'frozenLevel',
  example: {
    justification: 'The gateway is replaced in spring; until then it is reached from the office alone.',
    approver: { type: 'user', refId: 'usr_01k9f8qxk2e9mbz6w0h5t4v3ra' },
    expiresAt: '2099-03-31T00:00:00.000Z',
  },
}).with(rules)
