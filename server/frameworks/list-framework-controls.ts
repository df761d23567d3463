import { sql } from 'kysely'
import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { build } from '../database/build.ts'
import { NATURALLY, naturally } from '../database/natural-order.ts'
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
import { referenceIn } from '../records/reference.ts'
import { ID } from '../records/schemas.ts'
import { notFound } from '../refusal.ts'

const row = z
  .object({
    id: z.string(),
    reference: z.string(),
    code: z.string(),
    title: z.string(),
    implementationStatus: kinds.control.fields.implementationStatus,
    requirements: z
      .array(z.object({ id: z.string(), key: z.string() }))
      .describe('Of this framework, that it meets'),
  })
  .meta({ id: 'FrameworkControl' })

const control = kinds.control as unknown as Kind
const ORDER: Order = {
  sort: 'code',
  column: naturally(sql.ref('c.code')),
  id: sql.ref('c.id'),
  descending: false,
}

export const listFrameworkControls = operation({
  name: 'listFrameworkControls',
  method: 'GET',
  path: '/v1/frameworks/{id}/controls',
  needs: kinds.framework.access.read,
  writes: false,
  title: 'List the controls by which a framework is met',
  description: 'Those that are linked with one of its requirements, by their codes.',
  input: z.strictObject({ id: ID, ...PAGE }),
  output: pageOf(row),
  run: async ({ tx }, { id, limit, cursor }) => {
    const place = readCursor(cursor, ORDER.sort, CURSOR_VALUES.text)
    const [there, rows] = await Promise.all([
      tx.read(build(sql`select from frameworks where organization_id = ${tx.organizationId} and id = ${id}`)),
      tx.read(
        build(sql`
          select c.id, ${sql.raw(referenceIn(control, 'c.'))} as reference, c.code, c.title,
                 c.implementation_status as "implementationStatus", met.requirements
            from (select l.control_id, json_agg(json_build_object('id', q.id, 'key', q.key)
                           order by q.sort_order nulls last, q.key ${sql.raw(NATURALLY)}) as requirements
                    from requirements q
                    join control_requirements l on l.organization_id = q.organization_id and l.requirement_id = q.id
                   where q.organization_id = ${tx.organizationId} and q.framework_id = ${id}
                   group by l.control_id) met
            join controls c on c.organization_id = ${tx.organizationId} and c.id = met.control_id
           where c.archived_at is null and ${place ? behind(ORDER, place) : sql`true`} ${orderBy(ORDER)} limit ${limit + 1}`),
      ),
    ])
    if (there.length === 0) throw notFound()
    return page(
      rows,
      limit,
      ORDER.sort,
      (one) => one as never,
      (one) => ({
        value: one.code as string,
        id: one.id as string,
      }),
    ) as never
  },
})
