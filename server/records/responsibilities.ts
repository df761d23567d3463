import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind, kinds } from '../../model/kinds/index.ts'
import { nameColumn } from '../../model/roles.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import { operation } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { behind, CURSOR_VALUES, type Order, orderBy, PAGE, page, pageOf, readCursor } from './paging.ts'
import { principalPointers } from './pointers.ts'
import { readableKinds } from './readable.ts'
import { referenceIn } from './reference.ts'
import { ID } from './schemas.ts'

const responsibility = z
  .object({
    type: z.string().describe('The kind of the record'),
    id: z.string(),
    reference: z.string(),
    title: z.string(),
    field: z.string().describe('As what: owner, approver …'),
    state: z.string().nullable(),
    date: z.string().nullable().describe('The first of its dates to come: a day or an instant'),
  })
  .meta({ id: 'Responsibility' })

const ORDER: Order = { sort: 'type', column: sql.ref('o.type'), id: sql.ref('o.place'), descending: false }

/** What a person is answerable for, by their directory entry or by the user linked with it. */
export const getPersonnelResponsibilities = operation({
  name: 'getPersonnelResponsibilities',
  method: 'GET',
  path: '/v1/personnel/{id}/responsibilities',
  needs: needsToRead(kinds.personnel),
  writes: false,
  title: 'List what a person owns',
  description: 'Counts are of every kind; rows are of the kinds that you may read.',
  input: z.strictObject({ id: ID, ...PAGE }),
  output: pageOf(responsibility)
    .extend({ counts: z.record(z.string(), z.int()).describe('How many there are of each kind') })
    .meta({ id: 'ResponsibilityPage' }),
  run: async ({ tx, caller }, { id, limit, cursor }) => {
    const place = readCursor(cursor, ORDER.sort, CURSOR_VALUES.text)
    const owned = (among: readonly Kind[]) => build(owning(tx.organizationId, id, among, place, limit))
    const readable = readableKinds(caller)
    const [there, counts, rows] = await Promise.all([
      tx.read(
        build(
          sql`select from ${sql.table(kinds.personnel.table)} where organization_id = ${tx.organizationId} and id = ${id}`,
        ),
      ),
      tx.read<{ type: string; count: number }>(build(counting(tx.organizationId, id))),
      readable.length > 0 ? tx.read(owned(readable)) : [],
    ])
    if (there.length === 0) throw notFound()
    return {
      ...page(rows, limit, ORDER.sort, rowOf, (row) => ({
        value: row.type as string,
        id: row.place as string,
      })),
      counts: Object.fromEntries(counts.map(({ type, count }) => [type, count])),
    }
  },
})

function owning(
  organizationId: string,
  id: string,
  among: readonly Kind[],
  place: ReturnType<typeof readCursor>,
  limit: number,
) {
  const conditions = place ? sql`where ${behind(ORDER, place)}` : sql``
  return sql`
    select o.*, k.state, d.date
      from (select * from (${everyOwned(organizationId, id, among)}) o ${conditions} ${orderBy(ORDER)} limit ${limit + 1}) o
      left join known_records k on k.organization_id = ${organizationId} and k.id = o.id
      left join lateral (
        select coalesce(day::text, to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as date
          from deadlines where organization_id = ${organizationId} and record_id = o.id
         order by ends_at limit 1) d on true
      ${orderBy(ORDER)}`
}

const counting = (organizationId: string, id: string) =>
  sql`select o.type, count(distinct o.id)::int as count from (${everyOwned(organizationId, id, everyKind)}) o group by o.type order by o.type`

/** One part for each field that can name a principal, so that each uses its own index. */
function everyOwned(organizationId: string, id: string, among: readonly Kind[]): RawBuilder<unknown> {
  const linked = sql`(select user_id from personnel where organization_id = ${organizationId} and id = ${id})`
  const parts = among.flatMap((kind) => {
    const part = (field: string, column: string, who: RawBuilder<unknown>) => sql`
      select ${kind.name}::text collate "C" as type, r.id || ' ' || ${field}::text as place, r.id, ${sql.raw(referenceIn(kind, 'r.'))} as reference,
             ${sql.ref(`r.${nameColumn(kind)}`)} as title, ${field}::text as field
        from ${sql.table(kind.table)} r
       where r.organization_id = ${organizationId} and ${sql.ref(`r.${column}`)} = ${who}`
    return [
      ...principalPointers(kind, 'personnel').map(({ field, column }) => part(field, column, sql`${id}`)),
      ...principalPointers(kind, 'user').map(({ field, column }) => part(field, column, linked)),
    ]
  })
  const none = sql`select '' as type, '' as place, '' as id, '' as reference, '' as title, '' as field where false`
  return parts.length > 0 ? sql.join(parts, sql` union all `) : none
}

function rowOf(row: Row): z.input<typeof responsibility> {
  const { type, id, reference, title, field, state, date } = row as Record<string, string>
  return { type, id, reference, title, field, state, date } as never
}
