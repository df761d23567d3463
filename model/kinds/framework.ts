import { z } from 'zod'
import { factOfReadings } from '../fact.ts'
import {
  choice,
  comparedWords,
  day,
  identified,
  inColours,
  instant,
  language,
  principal,
  refTo,
  scale,
  text,
  whole,
} from '../fields.ts'
import { actor, kind } from '../kind.ts'
import { leastRole, scope } from '../needs.ts'
import { OF_THE_EDITION, rules } from './framework-rules.ts'

const STATUSES = ['available', 'active', 'retiring', 'retired'] as const

const TRANSITIONS = {
  available: [],
  active: ['retiring', 'retired'],
  retiring: ['retired'],
  retired: [],
}

/** What its requirements in scope have come to: groups are none, and what does not apply is none of them. */
export const progressOf = (organization: string, framework: string, level: string): string => `
  select jsonb_build_object('requirementsInScope', count(*), 'met', count(*) filter (where q.result = 'compliant'),
           'partiallyMet', count(*) filter (where q.result = 'partially_compliant'),
           'notMet', count(*) filter (where q.result = 'non_compliant'),
           'notAssessed', count(*) filter (where q.result = 'not_assessed'),
           'percent', floor(100.0 * count(*) filter (where q.result = 'compliant') / nullif(count(*), 0))) as progress
    from requirements q
   where q.organization_id = ${organization} and q.framework_id = ${framework} and q.assessable and q.archived_at is null
     and q.applicability <> 'not_applicable' and q.result <> 'not_applicable'
     and (${level} is null or ${level} = any(q.implementation_groups))`

const progress = inColours(
  z
    .object({
      requirementsInScope: z.int().meta({ title: 'In scope' }),
      met: z.int().meta({ title: 'Compliant' }),
      partiallyMet: z.int().meta({ title: 'Partially compliant' }),
      notMet: z.int().meta({ title: 'Non compliant' }),
      notAssessed: z.int().meta({ title: 'Not assessed' }),
      percent: whole('Percent', 0, 100).nullable(),
    })
    .meta({ title: 'Progress' })
    .describe(
      'Of the requirements in scope: how many are met, partly, not, and not assessed; percent are those that are met',
    ),
  { met: 'teal', partiallyMet: 'yellow', notMet: 'red', notAssessed: 'grey' },
)

/** A standard, a law or a list of one's own, in one edition: what is asked of the organization. */
export const framework = kind({
  name: 'framework',
  plural: 'frameworks',
  noun: { one: 'framework', many: 'frameworks' },
  idPrefix: 'fwk',
  referencePrefix: 'FWK',
  fields: {
    key: comparedWords(200)
      .meta({ title: 'Key' })
      .describe('What programs call it by, whatever its edition, such as iso-27001'),
    edition: comparedWords(100)
      .meta({ title: 'Edition' })
      .describe('As published, such as 2022; one record for each edition'),
    name: text('Name').describe('Its title in full'),
    shortName: text('Short name', 60).describe('What people call it'),
    publisher: text('Publisher').describe('Who issues it'),
    description: text('Description', 20_000).describe('What it is about, and for whom'),
    locale: language('Language').describe('Of its text'),
    jurisdiction: text('Jurisdiction', 100).describe('Where it holds, if not everywhere'),
    category: choice('Category', [
      'security',
      'privacy',
      'ai_governance',
      'quality',
      'financial',
      'continuity',
      'sector',
      'custom',
    ]).describe('What it is about'),
    license: text('Licence', 5_000).describe('Under which its text may be kept and shown'),
    levels: identified('Levels', 'fwl', {
      key: text('Key', 100).describe('What requirements call it by'),
      title: text('Title'),
      about: text('What it is for', 2_000).optional(),
    }).describe('Implementation groups or baselines, where it has some'),
    status: scale('Status', STATUSES).describe('Whether the organization follows it'),
    implementationGroup: text('Level', 100).describe(
      'The key of the level that is aimed at: requirements of other levels are out of scope; all are in, where it is empty',
    ),
    scopeStatement: text('Scope', 20_000).describe('What of the organization it is applied to'),
    targetDate: day('Target').describe('By when it is to be met'),
    owner: principal('Owner').describe('Who sees to it'),
    supersedesFrameworkId: refTo('Takes the place of', 'fwk').describe('The edition before it'),
  },
  named: 'name',
  owners: ['owner'],
  deadlines: { target: { field: 'targetDate', while: ['active'] } },
  required: ['key', 'edition', 'name'],
  defaults: { status: 'available', category: 'custom' },
  unique: { edition: ['key', 'edition'] },
  acyclic: ['supersedesFrameworkId'],
  derived: {
    kind: choice('Kind', ['catalog', 'custom']).describe(
      'catalog where an import brought it, whose text stays as it is; custom where it is written here',
    ),
    sourceFormat: choice('Format', ['oscal', 'ca_library', 'csv', 'xlsx', 'builtin']).describe(
      'Of the file that it came from',
    ),
    sourceHash: text('Hash of the source', 64).describe('SHA-256 of what it came from'),
    sourceUuid: text('UUID of the source', 100).describe('Of the OSCAL document it was imported from'),
    sourceHref: text('Address of the source', 2_000).describe(
      'Where that document is published, or the profile it was resolved from',
    ),
    activatedAt: instant('Active since'),
    statement: z
      .object({
        version: z.int().meta({ title: 'Version' }),
        approvedAt: instant('Approved'),
        approvedBy: actor.meta({ title: 'Approved by' }),
        sha256: z.string().meta({ title: 'SHA-256' }),
      })
      .meta({ title: 'Statement of applicability' })
      .describe('The last one that was approved: its number, by whom and when, and its hash'),
  },
  readings: {
    progress: { schema: progress, from: 'counted', sql: 'counted.progress' },
  },
  lookups: { counted: progressOf('r.organization_id', 'r.id', 'r.implementation_group') },
  module: 'compliance',
  columns: ['name', 'edition', 'status', 'category', 'progress', 'owner', 'targetDate'],
  sections: {
    'The framework': ['name', 'shortName', 'key', 'edition', 'publisher', 'description', 'category'],
    'What we do with it': [
      'status',
      'implementationGroup',
      'scopeStatement',
      'owner',
      'targetDate',
      'supersedesFrameworkId',
    ],
    'Where it comes from': ['locale', 'jurisdiction', 'license', 'levels'],
  },
  firstFields: ['name', 'key', 'edition', 'category', 'owner', 'targetDate'],
  access: {
    read: scope('read:frameworks'),
    create: leastRole('admin'),
    update: leastRole('admin'),
    delete: leastRole('admin'),
  },
  insteadOfDeletion: 'retire it',
  deletedWholeBy: 'removeFramework',
  facts: {
    counted: factOfReadings(
      progressOf('{organization}', '{record}', '{implementationGroup}'),
      z.object({ progress }),
    ),
  },
  signals: [],
  watch: [],
  search: ['key', 'name', 'shortName', 'publisher', 'description'],
  filters: ['status', 'category', 'kind'],
  settled: { fields: OF_THE_EDITION, field: 'kind', value: 'catalog' },
  states: [
    {
      field: 'status',
      next: TRANSITIONS,
      done: ['active'],
      byAction: { active: ['activateFramework'] },
    },
  ],
  terminal: { field: 'status', values: ['retired'] },
  example: { key: 'house-rules', edition: '1', name: 'House rules for suppliers' },
}).with(rules)
