import { z } from 'zod'
import {
  choice,
  country,
  currency,
  day,
  email,
  flag,
  identified,
  instant,
  lei,
  level,
  lines,
  money,
  principal,
  refTo,
  scale,
  text,
  texts,
  url,
} from '../fields.ts'
import { kind } from '../kind.ts'
import { scope } from '../needs.ts'
import { LEVELS } from '../scales.ts'
import type { Ask } from '../states.ts'
import { rules, STAGES } from './vendor-rules.ts'

const STATUSES = [
  'prospective',
  'under_review',
  'approved',
  'conditional',
  'on_hold',
  'rejected',
  'terminated',
] as const

const CATEGORIES = [
  'cloud_provider',
  'saas',
  'infrastructure',
  'data_storage',
  'analytics',
  'monitoring',
  'identity_provider',
  'security',
  'version_control',
  'engineering',
  'collaboration',
  'customer_support',
  'marketing',
  'sales',
  'finance',
  'payments',
  'hr',
  'recruiting',
  'legal',
  'professional_services',
  'it_services',
  'telecom',
  'ai_provider',
  'office',
  'other',
] as const

/**
 * Whatever it is, the relationship can end; and that is final. Approval with conditions is an approval: once they are met
 * it goes on without them, and where something comes up it has some.
 */
const TRANSITIONS = {
  prospective: ['under_review', 'terminated'],
  under_review: ['approved', 'conditional', 'rejected', 'terminated'],
  approved: ['conditional', 'on_hold', 'terminated'],
  conditional: ['approved', 'on_hold', 'terminated'],
  on_hold: ['approved', 'conditional', 'terminated'],
  rejected: ['terminated'],
  terminated: [],
}

/** Any step ahead, and any back where somebody says why (vendor-rules.ts). */
const STEPS = Object.fromEntries(STAGES.map((stage) => [stage, STAGES.filter((other) => other !== stage)]))

const because = (what: string): Ask[] => [
  { fields: ['statusReason'], anew: true, isReason: true, message: `say why the vendor is ${what}` },
]

/** Whom the organization buys from. */
export const vendor = kind({
  name: 'vendor',
  plural: 'vendors',
  noun: { one: 'vendor', many: 'vendors' },
  idPrefix: 'ven',
  referencePrefix: 'VEN',
  fields: {
    name: text('Name').describe('What people call it'),
    legalName: text('Legal name').describe('As it stands in the register of companies'),
    description: text('Description', 20_000).describe('What it is to the organization'),
    website: url('Website').describe('Its own, with https'),
    servicesProvided: text('Services', 5_000).describe('What the organization buys or uses'),
    status: scale('Status', STATUSES).describe(
      'Whether it may be worked with; conditional asks for conditions',
    ),
    statusReason: text('Reason for the status', 2_000).describe(
      'Why it is in this state; asked for when it is put on hold, rejected or terminated',
    ),
    conditions: lines('Conditions', 500).describe('What it has to meet; asked for with conditional'),
    lifecycleStage: scale('Stage', STAGES).describe(
      'How far the relationship has come; in_use is for one that is approved or conditional',
    ),
    stageReason: text('Reason for the stage', 2_000).describe('Why it last went back to an earlier stage'),
    category: choice('Category', CATEGORIES).describe('What kind of service it sells'),
    owner: principal('Business owner').describe('Who needs it, and answers for the relationship'),
    securityOwner: principal('Security owner').describe('Who judges whether it is safe to use'),
    inherentRisk: level('Inherent risk', LEVELS).describe('Before anything is done about it'),
    residualRisk: level('Residual risk', LEVELS).describe('With all that is done about it'),
    riskRating: level('Risk rating', ['unrated', ...LEVELS]).describe(
      'The residual risk where it was judged, else the inherent one; another value sent here pins it',
    ),
    riskRatingPinned: flag('Rating pinned').describe(
      'Whether the rating was set by hand, and stays; false lets it follow again',
    ),
    dataSensitivity: level('Data sensitivity', ['none', ...LEVELS]).describe('Of the data that it gets'),
    businessImpact: level('Business impact', LEVELS).describe('If it failed'),
    dataTypes: texts('Data types').describe('What data it gets, such as payroll, source code'),
    processesPersonalData: flag('Processes personal data').describe('Whether it gets data about people'),
    isSubprocessor: flag('Sub-processor').describe('Whether it processes the data of your customers'),
    hasSystemAccess: flag('Has system access').describe('Whether it can reach your systems'),
    accessLevel: scale('Access', ['none', 'read_only', 'read_write', 'admin']).describe(
      'What it may do in your systems',
    ),
    authMethod: choice('Sign-in', ['sso', 'password_mfa', 'password', 'api_key', 'none']).describe(
      'How your people sign in there',
    ),
    countries: z
      .array(country('Country'))
      .max(250)
      .meta({ title: 'Countries' })
      .describe('From where it provides its services, ISO 3166-1 alpha-2, such as AT'),
    dataLocations: texts('Data locations').describe('Where your data lies: countries or regions'),
    headquartersCountry: country('Headquarters').describe('ISO 3166-1 alpha-2, such as AT'),
    certifications: texts('Certifications').describe(
      'What it shows of itself, such as ISO 27001, SOC 2 Type 2',
    ),
    contacts: identified('Contacts', 'vct', {
      name: text('Name'),
      email: email('E-mail').optional(),
      phone: text('Phone', 50).optional(),
      role: text('Role').optional(),
      isSecurityContact: flag('Security contact').optional(),
    }).describe('Whom to ask there'),
    urls: z
      .strictObject({
        privacyPolicy: url('Privacy policy').optional(),
        terms: url('Terms').optional(),
        sla: url('Service levels').optional(),
        dpa: url('Data processing agreement').optional(),
        baa: url('Business associate agreement').optional(),
        security: url('Security page').optional(),
        trust: url('Trust centre').optional(),
        status: url('Status page').optional(),
        subprocessors: url('Sub-processors').optional(),
      })
      .meta({ title: 'Pages' })
      .describe('Where it publishes what you need to know of it'),
    annualSpend: z
      .strictObject({ currency: currency('Currency'), amount: money().optional() })
      .meta({ title: 'Annual spend' })
      .describe('What it costs in a year'),
    lei: lei('LEI').describe(
      'Legal Entity Identifier, ISO 17442: 20 characters, the last two of them check digits',
    ),
    euid: text('EUID', 60).describe('European Unique Identifier, as business registers have it'),
    vatId: text('VAT number', 30).describe('With the letters of its country'),
    parentVendorId: refTo('Parent company', 'ven').describe('The vendor that it belongs to'),
    isIctProvider: flag('ICT provider').describe('Whether it provides digital or data services'),
    personType: choice('Person', ['legal_person', 'individual']).describe('Whether it is a company'),
    nextReviewDate: day('Next review').describe('When to look at it again'),
    discoveredBy: text('Discovered by').describe(
      'What found it, such as single sign-on or expenses; who names it on creation says that it was discovered',
    ),
    notes: text('Notes', 20_000).describe('What else is to be known'),
  },
  named: 'name',
  implied: {
    ...{ field: 'lifecycleStage', from: 'status' },
    by: {
      under_review: 'due_diligence',
      approved: 'in_use',
      conditional: 'in_use',
      terminated: 'offboarded',
    },
  },
  owners: ['owner', 'securityOwner'],
  deadlines: { review: { field: 'nextReviewDate' } },
  required: ['name'],
  defaults: {
    status: 'prospective',
    lifecycleStage: 'identified',
    category: 'other',
    riskRating: 'unrated',
    riskRatingPinned: false,
  },
  derived: {
    inUseUnapproved: flag('In use without approval').describe(
      'Whether it is used though it is on hold, or its relationship has ended',
    ),
    lastReviewedAt: instant('Last review').describe('When somebody last looked at it as a whole'),
  },
  attention: { inUseUnapproved: {} },
  acyclic: ['parentVendorId'],
  discoveredBy: 'discoveredBy',
  module: 'suppliers',
  columns: ['name', 'status', 'lifecycleStage', 'riskRating', 'category', 'owner', 'nextReviewDate'],
  sections: {
    'The vendor': ['name', 'legalName', 'category', 'description', 'website', 'servicesProvided'],
    Standing: [
      'status',
      'statusReason',
      'conditions',
      'lifecycleStage',
      'stageReason',
      'owner',
      'securityOwner',
      'nextReviewDate',
    ],
    Risk: [
      'inherentRisk',
      'residualRisk',
      'riskRating',
      'riskRatingPinned',
      'dataSensitivity',
      'businessImpact',
      'certifications',
    ],
    Data: ['dataTypes', 'processesPersonalData', 'isSubprocessor', 'dataLocations'],
    Access: ['hasSystemAccess', 'accessLevel', 'authMethod'],
    Contacts: ['contacts', 'urls'],
    Company: [
      'personType',
      'headquartersCountry',
      'countries',
      'parentVendorId',
      'isIctProvider',
      'lei',
      'euid',
      'vatId',
      'annualSpend',
    ],
  },
  firstFields: ['name', 'category', 'website', 'servicesProvided', 'inherentRisk', 'owner'],
  access: {
    read: scope('read:vendors'),
    create: scope('write:vendors'),
    update: scope('write:vendors'),
    delete: scope('write:vendors'),
  },
  isMergeable: true,
  insteadOfDeletion: 'terminate it',
  signals: ['created', 'updated', 'deleted'],
  watch: ['name', 'status', 'lifecycleStage', 'category', 'ownerId', 'riskRating'],
  search: ['name', 'legalName', 'description', 'servicesProvided', 'website', 'lei', 'vatId'],
  filters: [
    'status',
    'lifecycleStage',
    'category',
    'riskRating',
    'dataSensitivity',
    'businessImpact',
    'headquartersCountry',
    'parentVendorId',
    'discoveredBy',
  ],
  states: [
    {
      field: 'status',
      next: TRANSITIONS,
      done: ['approved', 'conditional'],
      asks: {
        conditional: [{ fields: ['conditions'], message: 'say on what conditions' }],
        on_hold: because('on hold'),
        rejected: because('rejected'),
        terminated: because('terminated'),
      },
    },
    { field: 'lifecycleStage', next: STEPS, done: ['in_use', 'renewal'] },
  ],
  terminal: { field: 'status', values: ['rejected', 'terminated'] },
  level: 'riskRating',
  example: {
    name: 'Example Cloud',
    category: 'cloud_provider',
    website: 'https://cloud.example/',
    inherentRisk: 'high',
    headquartersCountry: 'IE',
  },
}).with(rules)
