import { z } from 'zod'
import { fact } from '../fact.ts'
import { day, decider, instant, principal, refTo, scale, text, until } from '../fields.ts'
import { actor, kind } from '../kind.ts'
import { scope } from '../needs.ts'
import { rules } from './policy-exception-rules.ts'

const STATUSES = ['requested', 'approved', 'denied', 'expired', 'revoked'] as const

/**
 * That somebody need not keep to a policy in one point, until a day: asked for by one person and decided by another. As
 * a risk acceptance, what was asked for is never edited; the acts that decide it and the clock alone lead it on.
 */
export const policyException = kind({
  name: 'policy_exception',
  plural: 'policy_exceptions',
  noun: { one: 'policy exception', many: 'policy exceptions', made: 'Request' },
  idPrefix: 'pex',
  referencePrefix: 'PEX',
  fields: {
    policyId: refTo('Policy', 'pol').describe('The policy that is not kept to; it stays the same'),
    title: text('Title').describe('What is done otherwise, in one line'),
    justification: text('Justification', 5_000).describe('Why it cannot be kept to'),
    compensatingControls: text('Compensating controls', 5_000).describe('What is done in its stead'),
    holder: principal('For').describe('Whom it is for'),
    approver: decider('Approver', 'viewer', 'another').describe(
      'The user who decides: another person than whoever asks, as a rule the approver of the policy',
    ),
    status: scale('Status', STATUSES).describe('Requested, until the approver decides it'),
    effectiveDate: day('From').describe('The first day on which it holds'),
    expiresAt: until('Until').describe('When it ends, and the policy holds again'),
    riskId: refTo('Risk', 'risk').describe('The risk that is taken by it'),
  },
  named: 'title',
  owners: ['approver', 'holder'],
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
      lapseTells: { holder: 'that was for you', requestedBy: 'that you asked for' },
    },
  },
  required: ['policyId', 'title', 'justification', 'approver', 'expiresAt'],
  defaults: { status: 'requested' },
  derived: {
    requestedBy: actor
      .meta({ title: 'Requested by' })
      .describe('The user who asked for it, by themselves or through a program'),
    approverName: text('Approver then').describe('As the approver was called when it was decided'),
    decidedAt: instant('Decided').describe('When it was approved or denied'),
    statusReason: text('Reason for the status', 2_000).describe(
      'Why it was denied, or ended before its time',
    ),
    endedAt: instant('Ended').describe('Since when it holds no longer, or never will'),
  },
  under: {
    kind: 'policy',
    field: 'policyId',
    path: 'exceptions',
    withParent: 'delete',
    begins: { approver: 'approver' },
  },
  facts: {
    asked: fact(
      `select clock_now() as now, m.user_id as "userId", m.name as "userName", p.status as "policyStatus",
              coalesce((select h.user_id from personnel h
                         where h.organization_id = {organization} and h.id = {holder}), {holder}) as "holderId",
              (select o.timezone from organizations o where o.id = {organization}) as "timeZone"
         from (values (1)) one (row)
         left join members m on m.organization_id = {organization} and m.user_id = {user}
         left join policies p on p.organization_id = {organization} and p.id = {parent}`,
      z.object({
        now: z.string(),
        userId: z.string().nullable(),
        userName: z.string().nullable(),
        policyStatus: z.string().nullable(),
        holderId: z.string().nullable(),
        timeZone: z.string(),
      }),
    ),
  },
  module: 'compliance',
  columns: ['title', 'policyId', 'status', 'holder', 'approver', 'expiresAt'],
  sections: {
    'The exception': ['policyId', 'title', 'justification', 'compensatingControls', 'holder', 'riskId'],
    Decision: ['status', 'approver', 'effectiveDate', 'expiresAt'],
  },
  firstFields: ['policyId', 'title', 'justification', 'approver', 'holder', 'expiresAt'],
  access: { read: scope('read:policies'), create: scope('write:policies') },
  linkFields: { risk: 'riskId' },
  signals: [],
  watch: [],
  search: ['title', 'justification'],
  filters: ['policyId', 'status', 'riskId'],
  states: [
    {
      field: 'status',
      next: { requested: [], approved: [], denied: [], expired: [], revoked: [] },
      byAction: {
        approved: ['approvePolicyException'],
        denied: ['denyPolicyException'],
        revoked: ['revokePolicyException', 'withdrawPolicyException'],
        expired: [],
      },
      done: ['approved'],
    },
  ],
  terminal: { field: 'status', values: ['denied', 'expired', 'revoked'], at: 'endedAt' },
  example: {
    title: 'The old payroll server keeps passwords of eight characters',
    justification: 'Its vendor ends support in spring, and longer ones are not possible before.',
    approver: { type: 'user', refId: 'usr_01k9f8qxk2e9mbz6w0h5t4v3ra' },
    expiresAt: '2099-03-31T00:00:00.000Z',
  },
}).with(rules)
