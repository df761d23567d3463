import { z } from 'zod'
import { choice, flag, instant, refTo, scale, text, whole } from '../fields.ts'
import { actor, kind } from '../kind.ts'
import { scope } from '../needs.ts'
import { TEXT_AT_MOST } from '../policy-text.ts'
import { rules } from './policy-version-rules.ts'

const STATUSES = ['draft', 'pending_approval', 'approved', 'published', 'superseded', 'discarded'] as const

/** In which there is one version of a policy at most: what is in the making. */
export const IN_THE_MAKING = ['draft', 'pending_approval', 'approved'] as const

/**
 * One text of a policy, or a file in its place. It is written as a draft, sent to the approvers of the policy with its placeholders filled, and
 * published as they read it; from then on nobody changes it. All that is done with it also concerns its policy, so each
 * of its calls is an operation written by hand (server/policies).
 */
export const policyVersion = kind({
  name: 'policy_version',
  plural: 'policy_versions',
  noun: { one: 'policy version', many: 'policy versions', made: 'Begin' },
  idPrefix: 'polv',
  referencePrefix: null,
  referencedBy: 'label',
  fields: {
    policyId: refTo('Policy', 'pol').describe('The policy that it is a text of; it stays the same'),
    title: text('Title').describe('What stands above the text; the name of the policy, where left out'),
    status: scale('Status', STATUSES).describe('How far it has come'),
    content: text('Text', TEXT_AT_MOST).describe(
      'In Markdown, as it is written: placeholders such as {{organization.name}} are filled when it is submitted',
    ),
    changelog: text('What changed', 5_000).describe('Since the version before, for those who read that'),
    materialChange: flag('Material change').describe(
      'Whether it changes what people have to do: then its number begins anew, as 3.0 after 2.1',
    ),
  },
  named: 'title',
  required: ['policyId'],
  defaults: { status: 'draft', materialChange: true },
  uniqueWhile: { policyId: { fields: ['policyId'], states: IN_THE_MAKING } },
  derived: {
    major: whole('Major number', 1, 100_000),
    minor: whole('Minor number', 0, 100_000),
    label: text('Version').describe('Its number, such as 2.1'),
    text: z
      .string()
      .meta({ title: 'Text as it is read' })
      .describe('The text with its placeholders filled, as its approvers and everybody after them read it'),
    contentFormat: choice('Format', ['markdown', 'file']).describe(
      'Whether it is a text, or a file in place of one; what is HTML comes in as Markdown',
    ),
    file: z
      .object({
        id: z.string(),
        name: z.string(),
        bytes: z.int(),
        type: z.string(),
        sha256: z.string(),
        uploadedAt: z.string(),
      })
      .meta({ id: 'PolicyFile', title: 'File' })
      .describe('The PDF or Word document that it is, in place of a text'),
    contentSha256: z
      .string()
      .meta({ title: 'SHA-256' })
      .describe('Of the bytes of `text` in UTF-8, or of the file; none until it is submitted'),
    author: actor.meta({ title: 'Author' }).describe('The user who began it'),
    authorId: z.string().meta({ title: 'Author' }).describe('Their id'),
    writerIds: z
      .array(z.string())
      .meta({ title: 'Written by' })
      .describe('The ids of all users who changed its text, by themselves or through a program'),
    programs: z
      .array(actor)
      .meta({ title: 'Written by programs' })
      .describe('The keys and connected apps that changed its text'),
    round: whole('Round', 1, 100_000).describe('How often it was submitted'),
    submittedAt: instant('Submitted'),
    submittedBy: actor.meta({ title: 'Submitted by' }),
    rejectionReason: text('Reason for the rejection', 2_000).describe(
      'What one of its approvers found wrong',
    ),
    approvedAt: instant('Approved'),
    publishedAt: instant('Published'),
    publishedBy: actor.meta({ title: 'Published by' }),
    supersededAt: instant('Superseded').describe('Since when it is no longer in force'),
  },
  inFull: ['content', 'text'],
  under: { kind: 'policy', field: 'policyId', path: 'versions', withParent: 'delete' },
  module: 'compliance',
  columns: ['title', 'label', 'policyId', 'status', 'submittedAt', 'publishedAt'],
  sections: {
    'The version': ['policyId', 'title', 'content'],
    Changes: ['changelog', 'materialChange', 'status'],
  },
  firstFields: ['policyId', 'title', 'content', 'changelog', 'materialChange', 'status'],
  access: { read: scope('read:policies') },
  signals: [],
  watch: [],
  search: ['title', 'changelog'],
  filters: ['policyId', 'status', 'materialChange'],
  states: [
    {
      field: 'status',
      next: {
        draft: [],
        pending_approval: [],
        approved: [],
        published: [],
        superseded: [],
        discarded: [],
      },
      byAction: {
        pending_approval: ['submitPolicyVersion'],
        approved: ['approvePolicyVersion'],
        published: ['publishPolicyVersion'],
        superseded: ['publishPolicyVersion', 'retirePolicy'],
        discarded: ['discardPolicyVersion'],
      },
      done: ['published'],
      because: { draft: 'rejectionReason' },
    },
  ],
  terminal: { field: 'status', values: ['published', 'superseded', 'discarded'] },
  example: {
    content: '# Purpose\n\nWho may use the systems of {{organization.name}}, and how that is decided.',
    changelog: 'First version',
  },
}).with(rules)
