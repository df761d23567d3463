import { z } from 'zod'
import { fact } from '../fact.ts'
import {
  choice,
  choices,
  comparedWords,
  explained,
  flag,
  inColours,
  instant,
  principal,
  refTo,
  scale,
  text,
  texts,
  whole,
} from '../fields.ts'
import { kind } from '../kind.ts'
import { isClauseIn } from '../management-clause.ts'
import { leastRole, person, scope } from '../needs.ts'
import { requirementRelations } from '../relations/requirement.ts'
import { resultsOf } from './requirement-result.ts'
import { rules, TEXT_FIELDS } from './requirement-rules.ts'

export const RESULTS = [
  'not_assessed',
  'non_compliant',
  'partially_compliant',
  'compliant',
  'not_applicable',
] as const

/** What a framework asks, and the organization's answer to it. */
export const requirement = kind({
  name: 'requirement',
  plural: 'requirements',
  noun: { one: 'requirement', many: 'requirements' },
  idPrefix: 'req',
  referencePrefix: null,
  referencedBy: 'key',
  fields: {
    frameworkId: refTo('Framework', 'fwk').describe('The framework that asks it; it stays the same'),
    key: comparedWords(200).meta({ title: 'Key' }).describe('As printed, such as A.5.1'),
    title: text('Title', 500).describe('What is asked, in one line'),
    text: text('Text', 20_000).describe('What is asked, in full'),
    guidance: text('Guidance', 20_000).describe('How it can be met'),
    parentId: refTo('Below', 'req').describe('The group or requirement that it is a part of'),
    sortOrder: whole('Place', 0, 1_000_000).describe('Among all of its framework'),
    assessable: flag('Assessable').describe('Whether it has an answer; a heading has none'),
    kind: choice('Kind', ['group', 'requirement', 'statement', 'question']).describe(
      'What it is in its framework',
    ),
    implementationGroups: texts('Levels').describe('The keys of the levels it belongs to'),
    weight: z
      .number()
      .min(0)
      .max(1_000)
      .meta({ title: 'Weight' })
      .describe('How much it counts beside others'),
    importance: scale('Importance', ['optional', 'recommended', 'mandatory']).describe(
      'Whether it has to be met',
    ),
    typicalEvidence: text('Typical evidence', 5_000).describe('What usually proves it'),
    annotation: text('Annotation', 20_000).describe('What else its edition says of it'),
    applicability: explained('Applicability', {
      applicable: 'It is met here',
      not_applicable: 'It does not concern the organization; say why',
      inherited: 'Somebody else meets it for the organization, such as a provider',
    }).describe('Whether it concerns the organization'),
    justification: text('Justification', 5_000).describe(
      'Why it applies, or does not: asked for where it does not',
    ),
    inclusionReasons: choices('Reasons for inclusion', [
      'risk_assessment',
      'legal',
      'contractual',
      'best_practice',
    ]).describe('Why it is part of the scope'),
    result: inColours(
      scale('Result', RESULTS).describe(
        'How far it is met; it follows from its controls until it is given, which pins it',
      ),
      { not_assessed: 'grey', non_compliant: 'red', partially_compliant: 'yellow', compliant: 'teal' },
    ),
    resultReason: text('Reason for the result', 5_000).describe(
      'Why the result is pinned: asked for while it is',
    ),
    resultPinned: flag('Pinned').describe('Whether the result was given; false lets it follow again'),
    maturity: whole('Maturity', 0, 5).describe('From 0 (none) to 5 (optimizing)'),
    score: whole('Score', 0, 100).describe('Of your own, in percent'),
    owner: principal('Owner').describe('Who answers for it'),
    note: text('Note', 20_000).describe('What to know about the answer'),
    assessedAt: instant('Assessed').describe('When somebody last looked at it'),
  },
  named: 'title',
  owners: ['owner'],
  required: ['frameworkId', 'key', 'title'],
  defaults: {
    assessable: true,
    kind: 'requirement',
    applicability: 'applicable',
    result: 'not_assessed',
    resultPinned: false,
    weight: 1,
    importance: 'mandatory',
  },
  unique: { key: ['frameworkId', 'key'] },
  acyclic: ['parentId'],
  derived: {
    sourceId: text('Id in the source', 100).describe(
      'Its id in the OSCAL document it was imported from, such as ac-2.1; OSCAL exports name it by this id',
    ),
    depth: whole('Depth', 0, 20).describe('How many it is below'),
    unproven: flag('Unproven').describe(
      'Whether all its controls are in place, and some of them nothing proves',
    ),
  },
  follows: { result: { field: 'resultPinned', value: false } },
  under: { kind: 'framework', field: 'frameworkId', path: 'requirements', withParent: 'delete' },
  readings: {
    inScope: {
      schema: flag('In scope').describe(
        'Whether it counts: it is assessable, applies, and belongs to the level that is aimed at',
      ),
      from: 'framework',
      sql: `r.assessable and r.applicability <> 'not_applicable'
        and (framework.implementation_group is null or framework.implementation_group = any(r.implementation_groups))`,
    },
  },
  lookups: {
    framework: `select f.implementation_group from frameworks f
                 where f.organization_id = r.organization_id and f.id = r.framework_id`,
  },
  module: 'compliance',
  columns: ['title', 'frameworkId', 'applicability', 'result', 'owner', 'maturity'],
  sections: {
    'What is asked': ['key', 'title', 'frameworkId', 'text', 'guidance', 'typicalEvidence', 'annotation'],
    'The answer': [
      'applicability',
      'justification',
      'inclusionReasons',
      'result',
      'resultPinned',
      'resultReason',
      'owner',
      'maturity',
      'score',
      'note',
      'assessedAt',
    ],
    'Its place': [
      'parentId',
      'sortOrder',
      'kind',
      'assessable',
      'implementationGroups',
      'importance',
      'weight',
    ],
  },
  firstFields: ['frameworkId', 'key', 'title', 'text', 'parentId', 'kind'],
  access: {
    read: scope('read:frameworks'),
    create: leastRole('admin'),
    update: scope('write:controls'),
    delete: leastRole('admin'),
    link: leastRole('editor'),
  },
  writableBy: [
    {
      fields: ['applicability', 'justification', 'result', 'resultReason', 'resultPinned', 'owner'],
      needs: scope('write:controls'),
    },
    {
      fields: ['inclusionReasons', 'maturity', 'score', 'note', 'assessedAt'],
      needs: person('write:controls'),
    },
    { fields: 'all', needs: leastRole('admin') },
  ],
  facts: {
    around: fact(
      `select (select f.kind = 'catalog' from frameworks f where f.organization_id = {organization}
                 and f.id = {frameworkId}) as "isOfCatalog",
              (select f.implementation_group from frameworks f where f.organization_id = {organization}
                 and f.id = {frameworkId}) as level,
              (select q.framework_id from requirements q where q.organization_id = {organization}
                 and q.id = {parentId}) as "frameworkOfParent",
              -- Who comes beneath another holds it, so that it does not move meanwhile.
              case when {record} is not null and {parentId} is not distinct from
                     (select q.parent_id from requirements q where q.organization_id = {organization} and q.id = {record})
                   then (select q.depth from requirements q where q.organization_id = {organization} and q.id = {parentId})
                   else (select q.depth from requirements q where q.organization_id = {organization}
                           and q.id = {parentId} for share) end as "depthOfParent",
              case when {record} is null then false
                   else exists (select from requirements q where q.organization_id = {organization}
                     and q.parent_id = {record}) end as "hasBelow",
              ${isClauseIn('{organization}', '{frameworkId}', '{key}')} as "isClause"`,
      z.object({
        isOfCatalog: z.boolean().nullable(),
        level: z.string().nullable(),
        frameworkOfParent: z.string().nullable(),
        depthOfParent: z.int().nullable(),
        hasBelow: z.boolean(),
        isClause: z.boolean(),
      }),
    ),
    follows: fact(
      `select max(s.result) as result, coalesce(bool_or(s.unproven), false) as unproven
         from (${resultsOf('{organization}', 'select {record}::text as id')}) s`,
      z.object({ result: z.enum(RESULTS).nullable(), unproven: z.boolean() }),
    ),
  },
  settled: { fields: TEXT_FIELDS, field: 'kind', value: 'catalog', isAbove: true },
  signals: [],
  watch: [],
  search: ['key', 'title', 'text'],
  filters: [
    'frameworkId',
    'parentId',
    'result',
    'applicability',
    'inclusionReasons',
    'kind',
    'importance',
    'assessable',
  ],
  relations: requirementRelations,
  attention: { unproven: {} },
  example: { key: 'S-1', title: 'Suppliers name a contact for security' },
}).with(rules)
