import { z } from 'zod'
import { isCvssVector } from '../cvss.ts'
import { fact } from '../fact.ts'
import {
  choice,
  comparedWords,
  day,
  flag,
  instant,
  level,
  principal,
  refTo,
  scale,
  text,
  url,
} from '../fields.ts'
import { kind } from '../kind.ts'
import { person, scope } from '../needs.ts'
import { FINDING_SLA } from '../organization.ts'
import { findingAsset } from '../relations/finding-asset.ts'
import { findingControl } from '../relations/finding-control.ts'
import { findingRequirement } from '../relations/finding-requirement.ts'
import { ENDED, rules } from './security-finding-rules.ts'

const STATUSES = [
  'open',
  'triaged',
  'in_progress',
  'ready_for_verification',
  'resolved',
  'risk_accepted',
  'false_positive',
  'duplicate',
] as const

/** How it may end without having been mended, as long as it has not ended. */
const SET_ASIDE = ['risk_accepted', 'false_positive', 'duplicate']

/** Whoever looks whether it is mended may send it back; whatever has ended may come up again. */
const TRANSITIONS = {
  open: ['triaged', ...SET_ASIDE],
  triaged: ['in_progress', ...SET_ASIDE],
  in_progress: ['ready_for_verification', ...SET_ASIDE],
  ready_for_verification: ['resolved', 'in_progress', ...SET_ASIDE],
  resolved: ['open'],
  risk_accepted: ['open'],
  false_positive: ['open'],
  duplicate: ['open'],
}

/** Ids as a public list of weaknesses gives them out: taken in any case, and kept in capitals, as they are written. */
const listedIds = (title: string, form: RegExp, message: string) =>
  z
    .array(comparedWords(40).regex(form, message).toUpperCase())
    .max(50)
    .overwrite((ids) => [...new Set(ids)])
    .meta({ title })

/** Whether an acceptance of a risk was approved and holds. */
const isAccepted = (organization: string, risk: string): string =>
  `exists (select from risk_acceptances a
     where a.organization_id = ${organization} and a.risk_id = ${risk} and a.status = 'approved'
       and a.expires_at > clock_now())`

/** A weakness that somebody or something found, and what is done about it. */
export const securityFinding = kind({
  name: 'security_finding',
  plural: 'security_findings',
  noun: { one: 'security finding', many: 'security findings' },
  idPrefix: 'fnd',
  referencePrefix: 'FND',
  page: 'findings',
  fields: {
    title: text('Title').describe('What is weak, in one line'),
    description: text('Description', 20_000).describe('Where it is, and how it can be seen'),
    status: scale('Status', STATUSES).describe('How far it is; resolved comes after somebody verified it'),
    statusReason: text('Reason for the status', 2_000).describe(
      'Why it is in this state; asked for when it is a false positive',
    ),
    severity: level('Severity', ['informational', 'low', 'medium', 'high', 'critical']).describe(
      'How grave it is',
    ),
    category: choice('Category', [
      'vulnerability',
      'misconfiguration',
      'access',
      'data_protection',
      'process',
      'supplier',
      'code',
      'other',
    ]).describe('What sort of weakness it is'),
    origin: choice('Origin', [
      'manual',
      'scan',
      'supplier_review',
      'internal_audit',
      'integration',
      'inbound_hook',
      'ci',
      'disclosure',
    ]).describe('How it came to light'),
    owner: principal('Owner').describe('Who sees to it'),
    dueDate: day('Due').describe(
      'By when it is to be resolved; without one, or cleared, it follows from severity and the day of detection',
    ),
    detectedAt: instant('Detected').describe('When it was found; when it was added, if not told'),
    linkedRiskId: refTo('Linked risk', 'risk').describe(
      'The risk that it is a part of; to accept the finding, one whose acceptance is approved',
    ),
    vendorId: refTo('Vendor', 'ven').describe('The vendor whose product or service it is in'),
    duplicateOfId: refTo('Original', 'fnd').describe(
      'The finding that it repeats; asked for with duplicate, and before that whoever suspects it may name it',
    ),
    cveIds: listedIds(
      'CVE',
      /^[Cc][Vv][Ee]-\d{4}-\d{4,19}$/,
      'is no CVE id: give one such as CVE-2026-12345',
    ).describe('As the CVE Program lists it, such as CVE-2026-12345'),
    cweIds: listedIds('CWE', /^[Cc][Ww][Ee]-[1-9]\d{0,4}$/, 'is no CWE id: give one such as CWE-79').describe(
      'The sort of weakness in the Common Weakness Enumeration, such as CWE-79',
    ),
    cvssVector: text('CVSS vector', 300)
      .refine(
        isCvssVector,
        'is no vector of CVSS 3.0, 3.1 or 4.0: give it whole, such as CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      )
      .describe('Of CVSS 3.0, 3.1 or 4.0, with all base metrics'),
    externalUrl: url('Address').describe('Where it stands in the system that found it'),
    remediation: text('Remediation', 20_000).describe('How it can be mended'),
    resolution: text('Resolution', 5_000).describe('How it was mended'),
  },
  named: 'title',
  titledFrom: ['description'],
  agesFrom: 'detectedAt',
  owners: ['owner'],
  deadlines: { due: { field: 'dueDate', isWork: true } },
  required: ['title', 'severity'],
  defaults: { status: 'open', origin: 'manual' },
  derived: {
    dueDateSource: choice('Due date from', ['sla', 'manual']).describe(
      'sla: from the days that the organization gives its severity; manual: somebody set it',
    ),
    resolvedAt: instant('Resolved').describe('Since when it is resolved'),
    regressionOf: z
      .strictObject({
        resolvedAt: instant('Resolved'),
        resolution: text('Resolution', 5_000).optional(),
      })
      .meta({ title: 'Regression of' })
      .describe('Its last resolution, where it was opened again after that'),
  },
  follows: { dueDate: { field: 'dueDateSource', value: 'sla' } },
  readings: {
    acceptanceEnded: {
      schema: flag('Acceptance ended').describe(
        'Whether it is accepted with a risk that is accepted no longer: accept that anew, or open the finding',
      ),
      sql: `select case when r.status = 'risk_accepted'
              then not ${isAccepted('r.organization_id', 'r.linked_risk_id')} end`,
    },
    regressed: {
      schema: flag('Regression').describe(
        'Whether it is back after it was resolved: see what is different now',
      ),
      sql: 'select r.regression_of is not null',
    },
  },
  attention: { acceptanceEnded: {}, regressed: { status: ['open'] } },
  module: 'risk',
  columns: ['title', 'severity', 'status', 'detectedAt', 'dueDate', 'owner'],
  sections: {
    'The finding': ['title', 'description', 'severity', 'category', 'origin', 'detectedAt', 'externalUrl'],
    Progress: ['status', 'statusReason', 'owner', 'dueDate', 'linkedRiskId', 'vendorId', 'duplicateOfId'],
    Weakness: ['cveIds', 'cweIds', 'cvssVector'],
    Remedy: ['remediation', 'resolution'],
  },
  firstFields: ['title', 'severity', 'category', 'owner', 'dueDate', 'linkedRiskId'],
  access: {
    read: scope('read:risks'),
    create: scope('write:risks'),
    update: scope('write:risks'),
    delete: person('write:risks'),
  },
  facts: {
    // Held until the write is done: who changes the setting waits for it, and so finds it among those to move.
    sla: fact(
      `select finding_sla_days as days, timezone, clock_now() as now
         from organizations where id = {organization} for share`,
      z.object({ days: z.object(FINDING_SLA), timezone: z.string(), now: z.string() }),
    ),
    linkedRisk: fact(
      `select ${isAccepted('{organization}', '{linkedRiskId}')} as "isAccepted"`,
      z.object({ isAccepted: z.boolean() }),
    ),
  },
  insteadOfDeletion: 'set it aside as a false positive or a duplicate',
  signals: ['created', 'updated', 'deleted'],
  watch: ['title', 'status', 'severity', 'ownerId', 'dueDate', 'linkedRiskId'],
  search: ['title', 'description', 'remediation', 'cveIds', 'cweIds'],
  filters: ['severity', 'status', 'category', 'origin', 'linkedRiskId', 'vendorId', 'duplicateOfId'],
  acyclic: ['duplicateOfId'],
  states: [
    {
      field: 'status',
      next: TRANSITIONS,
      done: ['resolved'],
      asks: {
        risk_accepted: [
          {
            fields: ['linkedRiskId'],
            message: 'name the risk that it is a part of and that is accepted',
          },
        ],
        false_positive: [
          { fields: ['statusReason'], anew: true, isReason: true, message: 'say why it is a false positive' },
        ],
        duplicate: [
          { fields: ['duplicateOfId'], isReason: true, message: 'name the finding that it repeats' },
        ],
      },
    },
  ],
  terminal: { field: 'status', values: ENDED },
  level: 'severity',
  relations: [findingAsset, findingControl, findingRequirement],
  linkFields: { risk: 'linkedRiskId', vendor: 'vendorId' },
  crossTabs: { severityByStatus: ['severity', 'status'] },
  example: {
    title: 'TLS 1.0 is still accepted by the payment gateway',
    severity: 'high',
    category: 'misconfiguration',
    origin: 'scan',
    cweIds: ['CWE-327'],
    cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  },
}).with(rules)
