import { sql } from 'kysely'
import { z } from 'zod'
import { kinds } from '../../model/kinds/index.ts'
import { requirementMapping } from '../../model/relations/requirement.ts'
import { build } from '../database/build.ts'
import { operation } from '../operation.ts'
import {
  behind,
  CURSOR_VALUES,
  type Order,
  orderBy,
  PAGE,
  page,
  pageOf,
  readCursor,
} from '../records/paging.ts'
import { ID } from '../records/schemas.ts'

const end = z.object({ id: z.string(), key: z.string(), title: z.string(), frameworkId: z.string() })
const attributes = Object.fromEntries(
  Object.entries(requirementMapping.fields).map(([name, schema]) => [name, (schema as z.ZodType).nullable()]),
)

const row = z.object({ source: end, target: end, ...attributes }).meta({ id: 'FrameworkMapping' })

/** The ids of both ends, one behind the other: what parts two rows. */
const PAIR = sql`(m.mapping_source_id || ' ' || m.mapping_target_id)`
const ORDER: Order = { sort: 'source', column: sql.ref('m.mapping_source_id'), id: PAIR, descending: false }

export const listFrameworkMappings = operation({
  name: 'listFrameworkMappings',
  method: 'GET',
  path: '/v1/framework-mappings',
  needs: kinds.framework.access.read,
  writes: false,
  title: 'List mappings between requirements of frameworks',
  description:
    'How a requirement of one framework stands to one of another. They are made and ended as links of a requirement with its mapping target.',
  input: z.strictObject({
    ...PAGE,
    sourceFrameworkId: ID.optional()
      .meta({ title: 'Source', refersTo: 'fwk' })
      .describe('The framework of the source'),
    targetFrameworkId: ID.optional()
      .meta({ title: 'Target', refersTo: 'fwk' })
      .describe('The framework of the target'),
    requirementId: ID.optional().meta({ title: 'Requirement', refersTo: 'req' }).describe('At either end'),
    origin: (requirementMapping.fields.origin as z.ZodType).optional(),
  }),
  output: pageOf(row),
  run: async ({ tx }, { limit, cursor, ...wanted }) => {
    const place = readCursor(cursor, ORDER.sort, CURSOR_VALUES.text)
    const { sourceFrameworkId, targetFrameworkId, requirementId, origin } = wanted
    const conditions = [
      sql`m.organization_id = ${tx.organizationId}`,
      ...(sourceFrameworkId ? [sql`s.framework_id = ${sourceFrameworkId}`] : []),
      ...(targetFrameworkId ? [sql`t.framework_id = ${targetFrameworkId}`] : []),
      ...(requirementId ? [sql`${requirementId} in (s.id, t.id)`] : []),
      ...(origin ? [sql`m.origin = ${origin}`] : []),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read(
      build(sql`
        select m.relationship, m.strength, m.rationale, m.origin, m.confidence, m.reviewed_by as "reviewedBy", m.note,
               m.mapping_source_id as place, ${PAIR} as pair,
               json_build_object('id', s.id, 'key', s.key, 'title', s.title, 'frameworkId', s.framework_id) as source,
               json_build_object('id', t.id, 'key', t.key, 'title', t.title, 'frameworkId', t.framework_id) as target
          from requirement_mappings m
          join requirements s on s.organization_id = m.organization_id and s.id = m.mapping_source_id
          join requirements t on t.organization_id = m.organization_id and t.id = m.mapping_target_id
         where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(
      rows,
      limit,
      ORDER.sort,
      ({ place: _, pair: __, ...one }) => one as never,
      (one) => ({ value: one.place as string, id: one.pair as string }),
    ) as never
  },
})
