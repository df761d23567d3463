import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import { countedStates, ownerOfDeadline } from '../../model/deadlines.ts'
import type { Deadline, Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { principalColumns } from '../../model/roles.ts'
import { build } from '../database/build.ts'
import { operation, person } from '../operation.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { readableKinds } from '../records/readable.ts'
import { STEPS, stepsSchema } from '../records/steps.ts'
import { selvesOf } from './deadline-rows.ts'

/*
 * Work that has no date: of the kinds whose records are work by themselves (`isWork`), what is not done and due on no day.
 * It has no row among what is due, so it is read off the records, as what waits for somebody is.
 */

/** The deadlines whose records are work with a date or without. */
const WORK = everyKind.flatMap((kind) =>
  Object.values(kind.deadlines).flatMap((deadline) => (deadline.isWork ? [{ kind, deadline }] : [])),
)
/** Of each kind no more are looked at. */
const COUNTED_AT_MOST = 1_000

const undated = z
  .object({
    type: z.string().describe('The kind of the record'),
    id: z.string().describe('Of the record'),
    reference: z.string().nullable(),
    title: z.string(),
    state: z.string().nullable(),
    level: z.string().nullable(),
    steps: stepsSchema.nullable().describe('How many of its steps are ticked; null where it has none'),
  })
  .meta({ id: 'UndatedRecord' })

const ORDER: Order = {
  sort: 'updatedAt',
  column: sql.ref('w.updated_at'),
  id: sql.ref('w.id'),
  descending: false,
}

export const listUndatedWork = operation({
  name: 'listUndatedWork',
  method: 'GET',
  path: '/v1/undated-work',
  needs: person(),
  writes: false,
  title: 'List your work that has no date',
  description:
    'What is yours, not done, and due on no day, of the kinds that you may read; what has been left longest comes first.',
  input: z.strictObject(PAGE),
  output: pageOf(undated)
    .extend({ count: z.int().describe(`${COUNTED_AT_MOST} of a kind stand for as many or more`) })
    .meta({ id: 'UndatedPage' }),
  run: async ({ tx, caller }, { limit, cursor }) => {
    const place = readCursor(cursor, ORDER.sort)
    const kinds = readableKinds(caller)
    const parts = WORK.filter(({ kind }) => kinds.includes(kind)).map(({ kind, deadline }) =>
      partOf(kind, deadline, tx.organizationId, caller.userId),
    )
    if (parts.length === 0) return { data: [], nextCursor: null, count: 0 }
    const all = sql`(${sql.join(parts, sql` union all `)}) w`
    const [rows, [counted]] = await Promise.all([
      tx.read<z.output<typeof undated> & { updatedAt: string }>(
        build(sql`
          select w.type, w.id, k.reference, k.called as title, k.state, k.level, ${STEPS} as steps, w.updated_at as "updatedAt"
            from ${all} join known_records k on k.organization_id = ${tx.organizationId} and k.id = w.id
           where ${place ? behind(ORDER, place) : sql`true`} ${orderBy(ORDER)} limit ${limit + 1}`),
      ),
      tx.read<{ count: number }>(build(sql`select count(*)::int as count from ${all}`)),
    ])
    const item = ({ updatedAt: _, ...row }: (typeof rows)[number]) => row
    const placeOf = ({ updatedAt, id }: (typeof rows)[number]) => ({ value: updatedAt, id })
    return { ...page(rows, limit, ORDER.sort, item, placeOf), count: counted!.count }
  },
})

/** Of a kind what is not done, has no date, and is a user’s, as that or as their entry in the directory. */
function partOf(
  kind: Kind,
  deadline: Deadline,
  organization: string,
  user: string | null,
): RawBuilder<unknown> {
  const { user: asUser, personnel } = principalColumns(ownerOfDeadline(kind, deadline)!)
  const counted = countedStates(kind, deadline)!
  const state = sql.ref(`r.${columnOf(counted.field)}`)
  const mine = sql`select id from (${selvesOf(organization, user)}) selves`
  return sql`(
    select ${kind.name}::text as type, r.id, r.updated_at from ${sql.table(kind.table)} r
     where r.organization_id = ${organization} and r.archived_at is null
       and ${sql.ref(`r.${columnOf(deadline.field)}`)} is null
       and ${counted.counts ? sql`${state} = any(${counted.states})` : sql`${state} <> all(${counted.states})`}
       and (${sql.ref(`r.${asUser}`)} = ${user} or ${sql.ref(`r.${personnel}`)} in (${mine}))
     limit ${COUNTED_AT_MOST})`
}
