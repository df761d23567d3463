import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import { type Kind, SERVICE_FIELDS } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { levelsOf, type Side, sidesOf } from '../../model/relations.ts'
import { nameColumn, stateField } from '../../model/roles.ts'
import { linkColumn } from '../../model/sides.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import { behind, type Order, orderBy, page, pageOf, readCursor } from './paging.ts'
import { mayRead } from './readable.ts'
import { referenceOf } from './table.ts'

/** A link, as the record at its other end is asked for it. */
export const linkSchema = z
  .object({
    type: z.string().describe('The kind of the linked record'),
    id: z.string(),
    role: z.string().nullable(),
    linkedAt: timestamp,
    linkedBy: SERVICE_FIELDS.createdBy,
  })
  .meta({ id: 'Link', title: 'A link with another record' })

const linkedRecord = linkSchema
  .extend({
    reference: z.string(),
    title: z.string(),
    state: z.string().nullable(),
    level: z.enum([...new Set(everyKind.flatMap(levelsOf))]).nullable(),
  })
  .meta({ id: 'LinkedRecord', title: 'A record that another is linked with' })

export const linkPage = pageOf(linkedRecord)
  .extend({
    counts: z.record(z.string(), z.int()).describe('How many links there are with each kind'),
  })
  .meta({ id: 'LinkedRecordPage' })

const ORDER: Order = {
  sort: '-linkedAt',
  column: sql.ref('o.linked_at'),
  id: sql.ref('o.id'),
  descending: true,
}

/**
 * The records that one is linked with, newest link first. What the caller may not read is counted and not shown:
 * a link must not be a way to the title of a record.
 * @throws {Refusal} `not_found` where there is no such record
 */
export async function listLinks(
  { tx, caller }: TransactionContext,
  kind: Kind,
  { id, limit, cursor, type }: { id: string; limit: number; cursor?: string; type?: string[] },
): Promise<z.input<typeof linkPage>> {
  const place = readCursor(cursor, ORDER.sort)
  const sides = sidesOf(kind)
  const shown = sides.filter(
    (side) => mayRead(caller, side.other) && (type?.includes(side.other.name) ?? true),
  )
  const [there, counts, rows] = await Promise.all([
    tx.read(
      build(
        sql`select from ${sql.table(kind.table)} where organization_id = ${tx.organizationId} and id = ${id}`,
      ),
    ),
    tx.read<{ type: string; count: number }>(
      build(
        sql.join(
          sides.map((side) => counting(side, tx.organizationId, id)),
          sql` union all `,
        ),
      ),
    ),
    shown.length === 0
      ? []
      : tx.read(
          build(
            sql`select * from (${sql.join(
              shown.map((side) => linked(side, tx.organizationId, id)),
              sql` union all `,
            )}) o ${place ? sql`where ${behind(ORDER, place)}` : sql``} ${orderBy(ORDER)} limit ${limit + 1}`,
          ),
        ),
  ])
  if (there.length === 0) throw notFound()
  return {
    ...page(rows, limit, ORDER.sort, rowOf(sides), (row) => ({
      value: row.linked_at as string,
      id: row.id as string,
    })),
    counts: Object.fromEntries(counts.map((row) => [row.type, row.count])),
  }
}

const ofRecord = ({ kind }: Side, organizationId: string, id: string) =>
  sql`l.organization_id = ${organizationId} and ${sql.ref(`l.${linkColumn(kind)}`)} = ${id}`

const counting = (side: Side, organizationId: string, id: string) =>
  sql`select ${side.other.name}::text as type, count(*) as count from ${sql.table(side.relation.table)} l
       where ${ofRecord(side, organizationId, id)}`

function linked(side: Side, organizationId: string, id: string): RawBuilder<unknown> {
  const { relation, other } = side
  const field = (name: string | undefined) =>
    name === undefined ? sql`null::text` : sql.ref(`t.${columnOf(name)}`)
  return sql`
    select ${other.name}::text as type, t.id, t.reference_number, ${sql.ref(`t.${nameColumn(other)}`)} as title,
           ${field(stateField(other))} as state, ${field(other.level)} as level, l.role, l.linked_at, l.linked_by
      from ${sql.table(relation.table)} l
      join ${sql.table(other.table)} t
        on t.organization_id = l.organization_id and t.id = ${sql.ref(`l.${linkColumn(other)}`)}
     where ${ofRecord(side, organizationId, id)}`
}

const rowOf =
  (sides: readonly Side[]) =>
  ({ type, id, title, state, level, role, ...row }: Row) => {
    const { other } = sides.find((side) => side.other.name === type)!
    const reference = referenceOf(other, row.reference_number as number)
    const { linked_at: linkedAt, linked_by: linkedBy } = row
    return { type, id, reference, title, state, level, role, linkedAt, linkedBy } as z.input<
      typeof linkedRecord
    >
  }
