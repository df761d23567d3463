import { z } from 'zod'
import { fact } from '../fact.ts'
import {
  called,
  choice,
  day,
  decider,
  deciders,
  flag,
  instant,
  language,
  onlyWhile,
  principal,
  refTo,
  scale,
  text,
  texts,
  whole,
} from '../fields.ts'
import { kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { POLICY_TEMPLATE_TITLES } from '../policy-template-titles.ts'
import { policyRelations } from '../relations/policy.ts'
import { APPROVERS_AT_MOST, IN_FORCE, QUORUMS } from './policy-approval.ts'
import { REVIEW_FREQUENCIES } from './policy-review.ts'
import { rules } from './policy-rules.ts'

const STATUSES = ['draft', 'in_review', 'approved', 'published', 'retired'] as const

/**
 * What an organization lays down for itself. Its text is in its versions, each approved and published by people; here is
 * who answers for it, when it is looked at again, and which version is in force.
 */
export const policy = kind({
  name: 'policy',
  plural: 'policies',
  noun: { one: 'policy', many: 'policies' },
  idPrefix: 'pol',
  referencePrefix: 'POL',
  fields: {
    name: text('Name').describe('What it is called, without the number of its version'),
    description: text('Description', 20_000).describe('What it is about, in a few lines'),
    documentType: choice('Type', [
      'policy',
      'procedure',
      'standard',
      'guideline',
      'plan',
      'handbook',
      'other',
    ]).describe('What kind of document it is'),
    status: scale('Status', STATUSES).describe(
      'Where its latest text stands; a published text stays in force while the next one is reviewed',
    ),
    owner: principal('Owner').describe('Who sees to it'),
    approver: decider('Approver', 'viewer').describe('The user who approves its versions'),
    extraApproverIds: deciders('Further approvers', APPROVERS_AT_MOST - 1, 'viewer', 'approver').describe(
      'Users who are asked beside the approver',
    ),
    quorum: called(choice('Approvals needed', QUORUMS), {
      any: 'From one of its approvers',
      all: 'From all of its approvers',
      n: 'From a number of its approvers',
    }).describe('How many of its approvers have to approve a version: one, all, or a number of them'),
    quorumCount: onlyWhile(whole('How many approvals', 1, APPROVERS_AT_MOST), {
      ...{ field: 'quorum', value: 'n', begins: 2 },
    }).describe('So many of its approvers have to approve a version; asked for with the quorum n alone'),
    reviewDate: day('Next review').describe('When it is to be looked at again'),
    reviewFrequency: scale('Reviewed', REVIEW_FREQUENCIES).describe(
      'How often it is looked at again: publishing sets the next review; custom leaves it to you',
    ),
    effectiveDate: day('In force from').describe(
      'The first day on which it holds, as its documents say; that of each publication, where left out. A version comes into force when it is published, and waits for no day',
    ),
    classification: scale('Classification', ['public', 'internal', 'confidential', 'restricted']).describe(
      'Who may read it',
    ),
    locale: language('Language').describe('In which it is written'),
    audience: choice('Audience', ['everyone', 'departments', 'groups', 'none']).describe(
      'Whom of the directory it is for; groups are labels of people',
    ),
    audienceIds: texts('Departments or labels').describe(
      'Of departments their names, of groups the labels of their people',
    ),
    requiresAttestation: flag('To be acknowledged').describe(
      'Whether its audience is asked to acknowledge it',
    ),
    attestationDueDays: whole('Days to acknowledge', 1, 365).describe(
      'From when somebody is asked; 14, where left out',
    ),
  },
  named: 'name',
  owners: ['owner', 'approver'],
  deadlines: { review: { field: 'reviewDate', while: IN_FORCE } },
  required: ['name'],
  defaults: {
    documentType: 'policy',
    status: 'draft',
    quorum: 'all',
    reviewFrequency: 'annually',
    classification: 'internal',
  },
  derived: {
    versionLabel: text('Version').describe('Of the version in force; of the draft, where none is'),
    currentVersionId: refTo('Version in force', 'polv').describe('The id of the version that is published'),
    draftVersionId: refTo('Version in the making', 'polv').describe(
      'The id of the version that is drafted, reviewed or approved',
    ),
    origin: called(choice('Origin', ['written', 'generated', 'imported', 'uploaded']), {
      written: 'Written here',
      generated: 'From a template',
      uploaded: 'From a file',
    }).describe('How it came about'),
    templateKey: called(text('Template'), POLICY_TEMPLATE_TITLES).describe(
      'The key of the template that it was made from',
    ),
    retiredAt: instant('Retired').describe('Since when it holds no longer'),
  },
  readings: {
    inForce: {
      schema: flag('In force').describe('Whether a version holds'),
      sql: 'r.current_version_id is not null',
    },
    reviewOverdue: {
      schema: flag('Review overdue').describe('Whether its review date is past while it is in force'),
      sql: `exists (select from deadlines d where d.organization_id = r.organization_id and d.record_id = r.id
              and d.name = 'review' and d.ends_at <= clock_now())`,
    },
  },
  attention: { reviewOverdue: {} },
  module: 'compliance',
  columns: ['name', 'status', 'versionLabel', 'owner', 'approver', 'reviewDate'],
  sections: {
    'The policy': ['name', 'description', 'documentType', 'classification', 'locale'],
    Approval: ['status', 'owner', 'approver', 'extraApproverIds', 'quorum', 'quorumCount'],
    Audience: ['audience', 'audienceIds', 'requiresAttestation', 'attestationDueDays'],
    Dates: ['effectiveDate', 'reviewFrequency', 'reviewDate'],
  },
  firstFields: ['name', 'documentType', 'owner', 'approver', 'reviewFrequency', 'classification'],
  access: {
    read: scope('read:policies'),
    create: scope('write:policies'),
    update: scope('write:policies'),
    delete: person('write:policies'),
  },
  insteadOfDeletion: 'retire it',
  facts: {
    asked: fact(
      `select (clock_now() at time zone deadline_zone({organization}))::date::text as today,
              coalesce((select json_agg(json_build_object('id', m.user_id, 'name', m.name, 'role', m.role,
                          'active', m.status = 'active', 'limitedView', m.limited_view))
                from members m where m.organization_id = {organization} and m.status <> 'removed'
                 and m.user_id = any(string_to_array({extraApproverIds}, ' '))), '[]') as "furtherApprovers",
              exists (select from policy_versions v
                       where v.organization_id = {organization} and v.policy_id = {record}
                         and v.published_at is not null) as "wasPublished",
              {person}::text is not null as "byPerson"`,
      z.object({
        today: z.string(),
        furtherApprovers: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            role: z.enum(['viewer', 'editor', 'admin']),
            active: z.boolean(),
            limitedView: z.string().nullable(),
          }),
        ),
        wasPublished: z.boolean(),
        byPerson: z.boolean(),
      }),
    ),
  },
  signals: ['created', 'updated', 'deleted'],
  watch: ['name', 'status', 'versionLabel', 'ownerId', 'approverId', 'reviewDate'],
  search: ['name', 'description'],
  filters: ['status', 'documentType', 'classification', 'reviewFrequency', 'quorum'],
  states: [
    {
      field: 'status',
      next: { draft: [], in_review: [], approved: [], published: [], retired: [] },
      byAction: {
        in_review: ['submitPolicyVersion'],
        approved: ['approvePolicyVersion'],
        published: ['publishPolicyVersion'],
        retired: ['retirePolicy'],
      },
      done: ['published'],
      also: { inForce: { states: ['in_review', 'approved'], of: 'versionLabel' } },
    },
  ],
  terminal: { field: 'status', values: ['retired'], at: 'retiredAt' },
  relations: policyRelations,
  example: { name: 'Access control policy', documentType: 'policy', reviewFrequency: 'annually' },
}).with(rules)
