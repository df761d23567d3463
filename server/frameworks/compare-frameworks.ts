import { z } from 'zod'
import { choice, explained } from '../../model/fields.ts'
import { kinds } from '../../model/kinds/index.ts'
import { RESULTS } from '../../model/kinds/requirement.ts'
import { statement } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { operation } from '../operation.ts'
import { ID } from '../records/schemas.ts'
import { invalid, notFound } from '../refusal.ts'

const coverage = explained('Coverage', {
  whole: 'Something that the other asks covers all of it',
  part: 'What the other asks covers a part of it',
  none: 'Nothing that the other asks is mapped with it',
}).describe('How far it is covered by what the other framework asks')

const compared = z
  .object({
    id: z.string(),
    key: z.string(),
    title: z.string(),
    familyId: z.string().describe('What it stands under at the top; itself, where it stands there'),
    result: choice('Result', RESULTS),
    coverage,
    through: z
      .array(
        z.object({
          id: z.string(),
          key: z.string(),
          title: z.string(),
          result: choice('Result', RESULTS),
          relationship: z.string().describe('As the mapping says it'),
          isBackwards: z
            .boolean()
            .describe('Whether the requirement that is covered is the source of the mapping'),
        }),
      )
      .describe('The requirements of the other framework that cover it'),
  })
  .meta({ id: 'ComparedRequirement' })

/** What one framework leaves to do of another: both are read by the same right. */
export const compareFrameworks = operation({
  name: 'compareFrameworks',
  method: 'GET',
  path: '/v1/frameworks/{id}/comparison',
  needs: kinds.framework.access.read,
  writes: false,
  isLarge: true,
  isAside: true,
  title: 'Compare what a framework asks with another',
  description:
    'Of each requirement in scope of a framework, whether what another framework asks covers it whole, in part, or not at all, through the mappings between the two. Ask with both exchanged for the other way.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'fwk' }),
    withId: ID.meta({ title: 'With', refersTo: 'fwk' }).describe('The other framework'),
  }),
  output: z
    .object({
      families: z.array(
        z.object({
          id: z.string(),
          key: z.string(),
          title: z.string(),
          whole: z.int(),
          part: z.int(),
          none: z.int(),
        }),
      ),
      requirements: z.array(compared),
    })
    .meta({ id: 'FrameworkComparison' }),
  example: { id: 'fwk_01k9f8qxk2e9mbz6w0h5t4v3ra', withId: 'fwk_01k9f8qxk2e9mbz6w0h5t4v3rb' },
  run: async ({ tx }, { id, withId }) => {
    if (id === withId) throw invalid({ path: 'withId', message: 'is the same framework: name another' })
    const [there, rows] = await Promise.all([
      tx.read<{ id: string }>(findBoth(tx.organizationId, [id, withId])),
      tx.read<Compared & Family>(compare(tx.organizationId, id, withId)),
    ])
    const known = new Set(there.map((one) => one.id))
    if (!known.has(id)) throw notFound()
    if (!known.has(withId)) throw invalid({ path: 'withId', message: 'is no framework here' })
    return { families: familiesOf(rows), requirements: rows }
  },
})

type Compared = z.output<typeof compared>

interface Family {
  readonly familyKey: string
  readonly familyTitle: string
}

function familiesOf(rows: readonly (Compared & Family)[]) {
  const families = Map.groupBy(rows, ({ familyId }) => familyId)
  return [...families].map(([id, below]) => {
    const { familyKey: key, familyTitle: title } = below[0]!
    const are = (wanted: Compared['coverage']) => below.filter((one) => one.coverage === wanted).length
    return { id, key, title, whole: are('whole'), part: are('part'), none: are('none') }
  })
}

const findBoth = statement(`select id from frameworks where organization_id = $1 and id = any($2)`)

/** Of those in scope of $2, what of $3 covers them; as results are passed on: through one mapping and never a chain. */
const compare = statement(`
  with recursive tree as (
    select id, id as family_id from requirements
     where organization_id = $1 and framework_id = $2 and parent_id is null
    union all
    select q.id, t.family_id from tree t
      join requirements q on q.organization_id = $1 and q.parent_id = t.id),
  through as (
    select m.mapping_target_id as id, m.mapping_source_id as other_id, m.relationship, false as is_backwards,
           m.relationship in ('equal', 'equivalent', 'superset_of') as is_whole
      from requirement_mappings m
     where m.organization_id = $1 and m.relationship <> 'no_relationship'
    union all
    select m.mapping_source_id, m.mapping_target_id, m.relationship, true,
           m.relationship in ('equal', 'equivalent', 'subset_of')
      from requirement_mappings m
     where m.organization_id = $1 and m.relationship <> 'no_relationship'),
  covering as (
    select c.id, bool_or(c.is_whole) as is_whole,
           json_agg(json_build_object('id', s.id, 'key', s.key, 'title', s.title, 'result', s.result,
             'relationship', c.relationship, 'isBackwards', c.is_backwards) order by s.sort_order, s.key, s.id) as through
      from through c
      join requirements s on s.organization_id = $1 and s.id = c.other_id and s.framework_id = $3
       and s.archived_at is null
     group by c.id)
  select q.id, q.key, q.title, q.result, f.id as "familyId", f.key as "familyKey", f.title as "familyTitle",
         case when c.is_whole then 'whole' when c.id is not null then 'part' else 'none' end as coverage,
         coalesce(c.through, '[]') as through
    from tree t
    join requirements q on q.organization_id = $1 and q.id = t.id
    join requirements f on f.organization_id = $1 and f.id = t.family_id
    join frameworks w on w.organization_id = $1 and w.id = q.framework_id
    left join covering c on c.id = q.id
   where q.assessable and q.archived_at is null and q.applicability <> 'not_applicable'
     and (w.implementation_group is null or w.implementation_group = any(q.implementation_groups))
   order by q.sort_order nulls last, q.key ${NATURALLY}, q.id`)
