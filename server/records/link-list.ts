import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import { type FieldLink, fieldLinksOf } from '../../model/field-links.ts'
import { type Kind, SERVICE_FIELDS } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { levelsOf, type Side, sidesOf } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import { naturally } from '../database/natural-order.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import { ATTENTION, attentionSchema } from './attention.ts'
import { attributesOfAll } from './link-attributes.ts'
import { wordIn } from './link-changes.ts'
import { attributesOf } from './link-statements.ts'
import { behind, CURSOR_VALUES, type Order, orderBy, page, pageOf, readCursor } from './paging.ts'
import { mayRead } from './readable.ts'

const relations = everyKind.flatMap((kind) => kind.relations)

/** What links of some relations say besides; a role is told of all. */
const { role: _, ...told }: Record<string, z.ZodType> = {
  ...(relations.some(({ called }) => called)
    ? {
        relation: z
          .string()
          .optional()
          .describe('What it is to the record, where that is not its kind alone'),
      }
    : {}),
  ...attributesOfAll(relations, (_, __, schema) => schema.nullable()),
}

/** A link, as the record at its other end is asked for it. */
export const linkSchema = z
  .object({
    type: z.string().describe('The kind of the linked record'),
    id: z.string(),
    role: z.string().nullable(),
    linkedAt: timestamp.describe('Of a link that is a field of one of the two, when that was changed last'),
    linkedBy: SERVICE_FIELDS.createdBy,
    ...told,
  })
  .meta({ id: 'Link', title: 'A link with another record' })

const linkedRecord = linkSchema
  .extend({
    reference: z.string(),
    title: z.string(),
    state: z.string().nullable(),
    level: z.enum([...new Set(everyKind.flatMap(levelsOf))]).nullable(),
    archived: z.boolean(),
    attention: attentionSchema,
  })
  .meta({ id: 'LinkedRecord', title: 'A record that another is linked with' })

export const linkPage = pageOf(linkedRecord)
  .extend({
    counts: z.record(z.string(), z.int()).describe('How many links there are with each kind'),
  })
  .meta({
    id: 'LinkedRecordPage',
    description: 'The newest link first; requirements, asked for alone, by their keys',
  })

const NEWEST_FIRST: Order = {
  ...{ sort: '-linkedAt', column: sql.ref('o.linked_at') },
  ...{ id: sql.ref('o.id'), descending: true },
}

const BY_REFERENCE: Order = {
  ...{ sort: 'reference', column: naturally(sql.ref('k.reference')) },
  ...{ id: sql.ref('o.id'), descending: false },
}

/**
 * The records that one is linked with, newest link first; those that come with references of their own, as requirements
 * do, by these, where they are asked for alone. What the caller may not read is counted and not shown: a link must not be
 * a way to the title of a record.
 * @throws {Refusal} `not_found` where there is no such record
 */
export async function listLinks(
  { tx, caller }: TransactionContext,
  kind: Kind,
  { id, limit, cursor, type }: { id: string; limit: number; cursor?: string; type?: string[] },
): Promise<z.input<typeof linkPage>> {
  const sides = sidesOf(kind)
  const ends = [...sides, ...fieldLinksOf(kind)]
  const asked = ends.filter((end) => type?.includes(end.word))
  const isByReference = asked.length > 0 && asked.every(({ other }) => other.referencePrefix === null)
  const order = isByReference ? BY_REFERENCE : NEWEST_FIRST
  const place = readCursor(cursor, order.sort, isByReference ? CURSOR_VALUES.text : undefined)
  const shown = ends.filter((end) => mayRead(caller, end.other) && (type?.includes(end.word) ?? true))
  const [there, counts, rows] = await Promise.all([
    tx.read(
      build(
        sql`select from ${sql.table(kind.table)} where organization_id = ${tx.organizationId} and id = ${id}`,
      ),
    ),
    tx.read<{ type: string; count: number }>(
      build(
        sql.join(
          ends.map(
            (end) =>
              sql`select ${end.word}::text as type, count(*) as count from (${linksOf(end, tx.organizationId, id)}) l`,
          ),
          sql` union all `,
        ),
      ),
    ),
    shown.length === 0
      ? []
      : tx.read(
          build(
            sql`select o.*, k.kind as type, k.reference, k.called as title, k.state, k.level, k.archived_at is not null as archived, ${ATTENTION} as attention,
                     ${order.column} as sorted_by
              from (${sql.join(
                shown.map((end) => linksOf(end, tx.organizationId, id)),
                sql` union all `,
              )}) o
              join known_records k on k.organization_id = ${tx.organizationId} and k.id = o.id ${place ? sql`where ${behind(order, place)}` : sql``} ${orderBy(order)} limit ${limit + 1}`,
          ),
        ),
  ])
  if (there.length === 0) throw notFound()
  return {
    ...page(rows, limit, order.sort, rowOf(sides), (row) => ({
      value: row.sorted_by as string,
      id: row.id as string,
    })),
    counts: Object.fromEntries(counts.map((row) => [row.type, row.count])),
  }
}

/** The links of a record at one end. */
const linksOf = (end: Side | FieldLink, organizationId: string, id: string): RawBuilder<unknown> =>
  'relation' in end ? linked(end, organizationId, id) : pointing(end, organizationId, id)

const linked = (side: Side, organizationId: string, id: string): RawBuilder<unknown> => sql`
  select ${side.word}::text as word, ${sql.ref(`l.${linkColumns(side).there}`)} as id,
         ${sql.raw(attributesOf(side))} as attributes, l.linked_at, l.linked_by
    from ${sql.table(side.relation.table)} l
   where l.organization_id = ${organizationId} and ${sql.ref(`l.${linkColumns(side).here}`)} = ${id}`

const pointing = (
  { holder, field, writes, word }: FieldLink,
  organizationId: string,
  id: string,
): RawBuilder<unknown> => {
  const pointer = sql.ref(`l.${columnOf(field)}`)
  const [here, there] = writes ? [sql.ref('l.id'), pointer] : [pointer, sql.ref('l.id')]
  return sql`
  select ${word}::text as word, ${there} as id, '{}'::json as attributes,
         l.updated_at as linked_at, l.updated_by as linked_by
    from ${sql.table(holder.table)} l
   where l.organization_id = ${organizationId} and ${here} = ${id} and ${pointer} is not null`
}

const rowOf =
  (sides: readonly Side[]) =>
  ({ word, attributes, id, type, reference, title, state, level, archived, attention, ...row }: Row) => {
    const side = sides.find((one) => one.word === word)
    const { linked_at: linkedAt, linked_by: linkedBy } = row
    const said = { role: null, ...(attributes as object), ...(side && wordIn(side)) }
    return {
      type,
      id,
      reference,
      title,
      state,
      level,
      archived,
      attention,
      ...said,
      linkedAt,
      linkedBy,
    } as z.input<typeof linkedRecord>
  }
