import { z } from 'zod'
import { choice, day, explained, instant } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { RESULTS } from '../../model/kinds/requirement.ts'
import { GRADES, gradeOf, resultsFrom, supportOf } from '../../model/kinds/requirement-result.ts'
import { statement } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { operation } from '../operation.ts'
import { mayRead } from '../records/readable.ts'
import { referenceIn } from '../records/reference.ts'
import { ID } from '../records/schemas.ts'
import { notFound } from '../refusal.ts'
import { shortNameIn } from './framework-name.ts'

const [control, evidence] = [kinds.control, kinds.evidence] as unknown as [Kind, Kind]

const MEANINGS = {
  missing: 'Not begun',
  begun: 'Begun, and not all in place',
  unproven: 'In place, and no current approved evidence proves it',
  proven: 'In place, and proven',
  not_applicable: 'Does not apply',
} as const satisfies Record<(typeof GRADES)[number], string>

const grade = explained('Grade', MEANINGS)

const proof = z
  .object({
    id: z.string(),
    reference: z.string(),
    title: z.string(),
    status: z.string(),
    coverage: z.enum(['full', 'partial']),
    collectedAt: instant('Collected').nullable(),
    ageDays: z.int().nullable().describe('Since it was collected, or else added, in whole days'),
    expiryDate: day('Expires').nullable(),
  })
  .meta({ id: 'RequirementProof' })

const support = z
  .object({
    grade,
    coversWhole: z.boolean().describe('False where a mapping covers a part of the requirement alone'),
    control: z
      .object({
        id: z.string(),
        reference: z.string(),
        code: z.string(),
        title: z.string(),
        implementationStatus: z.string(),
      })
      .nullable()
      .describe('None where somebody pinned the result at the other end of the mapping'),
    evidence: z.array(proof).nullable().describe('Null for whoever may not read evidence'),
    through: z
      .object({
        id: z.string(),
        key: z.string(),
        title: z.string(),
        frameworkId: z.string(),
        framework: z.string(),
        relationship: z.string().describe('As the mapping says it'),
        isBackwards: z.boolean().describe('Whether this requirement is the source of the mapping'),
      })
      .nullable()
      .describe('The mapped requirement that it comes from; none of a control that is linked here'),
  })
  .meta({ id: 'RequirementSupport' })

/** Computed when it is asked for, from what stands then. */
export const explainRequirement = operation({
  name: 'explainRequirement',
  method: 'GET',
  path: '/v1/requirements/{id}/coverage',
  needs: kinds.requirement.access.read,
  writes: false,
  isLarge: true,
  title: 'Explain the result of a requirement',
  description:
    'What its result follows from: each control that stands for it, linked here or through a mapping, with its evidence and how old that is; what is missing, and the weakest link.',
  input: z.strictObject({ id: ID }),
  output: z
    .object({
      id: z.string(),
      result: choice('Result', RESULTS).describe('What it is, pinned or not'),
      resultPinned: z.boolean(),
      resultReason: z.string().nullable(),
      follows: choice('Follows', RESULTS).describe(
        'What follows from what stands for it, whether pinned or not',
      ),
      unproven: z.boolean().describe('Whether nothing is missing but proof'),
      support: z.array(support),
      weakest: support
        .nullable()
        .describe('What keeps the result from being better, or would first be missed'),
      missing: z.array(z.string()).describe('What would have to be done, in sentences'),
    })
    .meta({ id: 'RequirementCoverage' }),
  run: async ({ tx, caller }, { id }) => {
    const [[one], found] = await Promise.all([
      tx.read<One>(find(tx.organizationId, id)),
      tx.read<Row & Follows>(read(tx.organizationId, id)),
    ])
    if (!one) throw notFound()
    const isOpen = mayRead(caller, evidence)
    const [concluded] = found
    const support = onceEach(found).map(({ follows: _, unproven: __, ...row }) =>
      isOpen ? row : { ...row, evidence: null },
    )
    const applies = one.applicability !== 'not_applicable'
    const derived = applies ? (concluded?.follows ?? 'not_assessed') : 'not_applicable'
    return {
      id,
      resultPinned: one.resultPinned,
      resultReason: one.resultReason,
      result: one.resultPinned ? one.result : derived,
      follows: derived,
      unproven: applies && (concluded?.unproven ?? false),
      support,
      weakest: applies ? weakestOf(support) : null,
      missing: applies ? missingOf(support) : [],
    } as never
  },
})

interface One {
  result: string
  resultPinned: boolean
  resultReason: string | null
  applicability: string
}

interface Follows {
  follows: string
  unproven: boolean
}

type Row = z.output<typeof support>

/** What is mapped both ways brings the same twice: once is told, and wholly where one of the ways covers the whole. */
function onceEach<One extends Row>(all: readonly One[]): One[] {
  const told = new Map<string, One>()
  for (const one of all) {
    const name = `${one.through?.id ?? ''} ${one.control?.id ?? ''}`
    const before = told.get(name)
    if (!before || (one.coversWhole && !before.coversWhole)) told.set(name, one)
  }
  return [...told.values()]
}

/** The first of the lowest grade among those that cover the whole; among the others, where none does. */
function weakestOf(all: readonly Row[]): Row | null {
  const counting = all.filter((one) => one.grade !== 'not_applicable')
  const whole = counting.filter((one) => one.coversWhole)
  const rank = (one: Row) => GRADES.indexOf(one.grade as (typeof GRADES)[number])
  const [first] = (whole.length > 0 ? whole : counting).toSorted((one, other) => rank(one) - rank(other))
  return first ?? null
}

function missingOf(all: readonly Row[]): string[] {
  if (all.length === 0) return ['Link the controls that meet it.']
  const whole = all.filter((one) => one.coversWhole)
  return [
    ...(whole.length === 0
      ? ['Only a part of it is covered, through mappings: link a control that meets the rest.']
      : []),
    ...whole.flatMap(({ control, grade, through }) =>
      control ? (CURES[grade]?.(control) ?? []) : through && grade !== 'proven' ? seeTo(through) : [],
    ),
  ]
}

const seeTo = ({ key, framework }: NonNullable<Row['through']>): string =>
  `See to ${key} of ${framework}, whose result was given there.`

const CURES: Partial<Record<string, (control: NonNullable<Row['control']>) => string>> = {
  missing: ({ code, title }) => `Begin with ${code}, ${title}.`,
  begun: ({ code, title }) => `Put all of ${code}, ${title}, in place.`,
  unproven: ({ code, title }) => `Have current evidence approved that shows ${code}, ${title}, in full.`,
}

const find = statement(`
  select result, result_pinned as "resultPinned", result_reason as "resultReason", applicability
    from requirements where organization_id = $1 and id = $2`)

const read = statement(`
  with support as materialized (${supportOf('$1', 'select $2::text as id')})
  select f.result as follows, f.unproven, ${gradeOf('s.bit')} as grade, s.is_whole as "coversWhole",
         case when c.id is not null then json_build_object('id', c.id, 'reference', ${referenceIn(control, 'c.')}, 'code', c.code,
           'title', c.title, 'implementationStatus', c.implementation_status) end as control,
         coalesce((select json_agg(json_build_object('id', e.id, 'reference', ${referenceIn(evidence, 'e.')},
             'title', e.title, 'status', e.status, 'coverage', l.coverage,
             'collectedAt', e.collected_at, 'expiryDate', e.expiry_date,
             'ageDays', extract(day from clock_now() - coalesce(e.collected_at, e.created_at))::int) order by e.id)
           from evidence_controls l
           join evidence e on e.organization_id = l.organization_id and e.id = l.evidence_id
          where l.organization_id = $1 and l.control_id = c.id and e.archived_at is null), '[]') as evidence,
         case when s.relationship is not null then json_build_object('id', q.id, 'key', q.key, 'title', q.title,
           'frameworkId', w.id, 'framework', ${shortNameIn('w.')},
           'relationship', s.relationship, 'isBackwards', s.is_back) end as through
    from support s
    join (${resultsFrom('support')}) f on f.requirement_id = s.requirement_id
    left join controls c on c.organization_id = $1 and c.id = s.control_id
    join requirements q on q.organization_id = $1 and q.id = s.source_id
    join frameworks w on w.organization_id = $1 and w.id = q.framework_id
   order by s.relationship is not null, w.name ${NATURALLY}, q.sort_order, c.code ${NATURALLY}, c.id`)
