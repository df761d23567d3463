import { z } from 'zod'
import { factOfReadings } from '../fact.ts'
import { instant, principal, refTo, scale, text, whole } from '../fields.ts'
import { actor, kind } from '../kind.ts'
import { scope } from '../needs.ts'
import { rules } from './policy-decision-rules.ts'

const STATUSES = ['pending', 'approved', 'rejected', 'voided'] as const

/**
 * What one approver says of one version, or is yet to say. It is asked for when the version is submitted, and given by
 * approving or rejecting that; a change of the text voids it.
 */
export const policyDecision = kind({
  name: 'policy_decision',
  plural: 'policy_decisions',
  noun: {
    ...{ one: 'policy decision', many: 'policy decisions' },
    about: { one: 'policy version', many: 'policy versions' },
  },
  idPrefix: 'pdc',
  referencePrefix: null,
  referencedBy: 'title',
  fields: {
    versionId: refTo('Version', 'polv').describe('The version that is decided on'),
    title: text('Of', 250).describe('The title of the version and its number'),
    approver: principal('Approver').describe('The user who decides'),
    status: scale('Decision', STATUSES).describe('Voided is one that counts no longer, or is needed no more'),
    comment: text('Comment', 2_000).describe('What the approver says about it'),
    contentSha256: text('SHA-256', 64).describe('Of the text that is decided on'),
  },
  named: 'title',
  owners: ['approver'],
  waits: [
    {
      act: 'decide',
      while: { field: 'status', values: ['pending'] },
      whom: 'approver',
      askedBy: ['requestedBy'],
    },
  ],
  required: ['versionId', 'title', 'approver', 'contentSha256'],
  defaults: { status: 'pending' },
  derived: {
    round: whole('Round', 1, 100_000).describe('Which submission of the version it was asked for by'),
    requestedBy: actor.meta({ title: 'Asked for by' }).describe('The user who submitted the version'),
    approverName: text('Approver then').describe('As the approver was called when they decided'),
    decidedAt: instant('Decided').describe('When the approver decided'),
  },
  readings: {
    policyId: {
      schema: z.string().meta({ title: 'Policy' }).describe('The policy that the version is of'),
      sql: 'select v.policy_id from policy_versions v where v.organization_id = r.organization_id and v.id = r.version_id',
    },
  },
  facts: {
    above: factOfReadings(
      'select v.policy_id as "policyId" from policy_versions v where v.organization_id = {organization} and v.id = {parent}',
      z.object({ policyId: z.string() }).nullable(),
    ),
  },
  under: { kind: 'policy_version', field: 'versionId', path: 'decisions', withParent: 'delete' },
  module: 'compliance',
  columns: ['title', 'approver', 'status', 'round', 'decidedAt'],
  sections: { 'The decision': ['versionId', 'title', 'approver', 'status', 'comment'] },
  firstFields: ['versionId', 'title', 'approver', 'status', 'comment', 'contentSha256'],
  access: { read: scope('read:policies') },
  signals: [],
  watch: [],
  search: ['title', 'comment'],
  filters: ['versionId', 'status'],
  states: [
    {
      field: 'status',
      next: { pending: [], approved: [], rejected: [], voided: [] },
      byAction: { approved: ['approvePolicyVersion'], rejected: ['rejectPolicyVersion'], voided: [] },
      done: ['approved'],
    },
  ],
  terminal: { field: 'status', values: ['approved', 'rejected', 'voided'] },
}).with(rules)
