import { z } from 'zod'
import { choice, day, instant, principal, scale, text, url, whole } from '../fields.ts'
import { kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { evidenceRelations } from '../relations/evidence.ts'
import { rules, SETTLED, SETTLED_FIELDS } from './evidence-rules.ts'

const STATUSES = ['requested', 'draft', 'in_review', 'approved', 'rejected', 'expired', 'archived'] as const

/**
 * What is set back to a draft is changed, and goes to its reviewer anew; approved and rejected it only is by a reviewer.
 */
const TRANSITIONS = {
  requested: ['draft', 'archived'],
  draft: ['archived'],
  in_review: ['draft', 'archived'],
  approved: ['draft', 'archived'],
  rejected: ['draft', 'archived'],
  expired: ['draft', 'archived'],
  archived: ['draft'],
}

const file = z
  .object({
    id: z.string(),
    name: z.string(),
    bytes: z.int(),
    type: z.string(),
    sha256: z.string(),
    uploadedAt: z.string(),
  })
  .meta({ id: 'EvidenceFile', title: 'File' })

const somebody = z
  .object({ type: z.string(), id: z.string(), displayName: z.string() })
  .meta({ id: 'ReviewedBy' })

/** In which it is with whoever is asked for it: until it is sent to its reviewer, and once it has come back. */
const ASKED = ['requested', 'draft', 'rejected'] as const

/** What shows that something is done as it is said to be. */
export const evidence = kind({
  name: 'evidence',
  plural: 'evidence',
  noun: { one: 'evidence', many: 'evidence', article: 'none' },
  idPrefix: 'evd',
  referencePrefix: 'EVD',
  fields: {
    title: text('Title').describe('What it shows, in one line'),
    description: text('Description', 20_000).describe('Where it comes from, and what to look for in it'),
    kind: choice('Kind', [
      'document',
      'screenshot',
      'link',
      'text',
      'configuration',
      'log_export',
      'integration_snapshot',
      'attestation',
      'test_result',
    ]).describe('What it is'),
    status: scale('Status', STATUSES).describe(
      'Where it stands; approved is what somebody other than its owner found to be right',
    ),
    owner: principal('Owner').describe('Who sees to it'),
    reviewer: principal('Reviewer').describe('Who finds it right or not: somebody other than its owner'),
    requestedFrom: principal('Requested from').describe('Who is asked to hand it in'),
    requestDueDate: day('Request due').describe('Until when it is asked for'),
    url: url('Link').describe('Where it can be seen'),
    text: text('Text', 50_000).describe('What it says, where it is words'),
    collectedAt: instant('Collected').describe('When it was taken from where it comes from'),
    collectionMethod: choice('Collected by', ['manual', 'integration', 'api', 'agent']).describe(
      'How it was taken',
    ),
    validFrom: day('Valid from').describe('The first day that it shows something of'),
    expiryDate: day('Expires').describe(
      'The last day on which it counts; it counts for good where none is said',
    ),
    renewFrequency: scale('Renewed', ['monthly', 'quarterly', 'semiannually', 'annually']).describe(
      'How often it is collected anew',
    ),
    sensitivity: scale('Sensitivity', ['public', 'internal', 'confidential', 'restricted']).describe(
      'Whom what is in it is meant for; it hides nothing here',
    ),
  },
  named: 'title',
  titledFrom: ['description'],
  owners: ['owner', 'reviewer', 'requestedFrom'],
  waits: [
    {
      act: 'decide',
      while: { field: 'status', values: ['in_review'] },
      whom: 'reviewer',
      askedBy: ['owner', 'requestedFrom'],
    },
    {
      act: 'hand_in',
      while: { field: 'status', values: ASKED },
      whom: 'requestedFrom',
      askedBy: ['owner'],
    },
  ],
  deadlines: {
    request: { field: 'requestDueDate', while: ['requested'], whose: 'requestedFrom' },
    expiry: { field: 'expiryDate', notices: [30, 7, 1], while: ['approved'], lapses: 'expired' },
  },
  required: ['title'],
  defaults: { status: 'draft', kind: 'document' },
  derived: {
    files: z.array(file).meta({ title: 'Files' }).describe('What was uploaded, each by its hash'),
    currentRevision: whole('Revision', 1, 100_000).describe('The number of what was last sent to a reviewer'),
    reviewedBy: somebody.meta({ title: 'Reviewed by' }).describe('Who approved or rejected it'),
    reviewedAt: instant('Reviewed').describe('When it was approved or rejected'),
    rejectionReason: text('Reason for the rejection', 2_000).describe('What is missing or wrong'),
  },
  readings: {
    revisionSha256: {
      schema: text('SHA-256 of the revision', 64).describe(
        'Of the hashes of the files and of what is written in what was last sent to a reviewer',
      ),
      sql: `(select v.sha256 from evidence_revisions v
              where v.organization_id = r.organization_id and v.evidence_id = r.id and v.number = r.current_revision)`,
    },
  },
  module: 'compliance',
  columns: ['title', 'kind', 'status', 'owner', 'expiryDate', 'requestDueDate', 'updatedAt'],
  sections: {
    'The evidence': ['title', 'kind', 'description', 'url', 'text', 'sensitivity'],
    Review: ['status', 'owner', 'reviewer'],
    Request: ['requestedFrom', 'requestDueDate'],
    Validity: ['validFrom', 'expiryDate', 'renewFrequency', 'collectedAt', 'collectionMethod'],
  },
  firstFields: ['title', 'kind', 'status', 'owner', 'expiryDate', 'url'],
  access: {
    read: scope('read:evidence'),
    create: scope('write:evidence'),
    update: scope('write:evidence'),
    delete: person('write:evidence'),
  },
  insteadOfDeletion: 'archive it',
  signals: ['created', 'updated', 'deleted'],
  watch: ['title', 'status', 'expiryDate', 'ownerId'],
  search: ['title', 'description'],
  filters: ['status', 'kind', 'sensitivity', 'renewFrequency', 'collectionMethod'],
  states: [
    {
      field: 'status',
      next: TRANSITIONS,
      byAction: {
        in_review: ['submitEvidence'],
        approved: ['approveEvidence'],
        rejected: ['rejectEvidence'],
        expired: [],
      },
      inBulk: ['in_review'],
      done: ['approved'],
      archived: { state: 'archived', back: 'draft' },
      because: { rejected: 'rejectionReason', draft: 'rejectionReason' },
      asks: {
        requested: [
          { fields: ['requestedFrom', 'requestDueDate'], message: 'say who is asked for it, and until when' },
        ],
        in_review: [{ fields: ['reviewer'], message: 'say who finds it right or not' }],
      },
    },
  ],
  uploads: {
    field: 'files',
    list: 'listEvidenceFiles',
    revisions: { list: 'listEvidenceRevisions', current: 'currentRevision', hash: 'revisionSha256' },
    add: 'addEvidenceFiles',
    remove: 'removeEvidenceFile',
    takeApart: 'takeArchiveApart',
    ofPicture: { kind: 'screenshot' },
    state: 'status',
    settled: SETTLED,
    settledFields: SETTLED_FIELDS,
    asked: { states: ASKED, back: 'rejected', from: 'requestedFrom', until: 'requestDueDate' },
  },
  ascending: [['validFrom', 'expiryDate']],
  terminal: { field: 'status', values: ['approved', 'archived'] },
  relations: evidenceRelations,
  example: { title: 'Access review of the payroll system, first quarter', kind: 'document' },
}).with(rules)
