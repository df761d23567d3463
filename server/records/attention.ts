import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { readingOf, reasonOf } from '../../model/readings.ts'
import { build } from '../database/build.ts'
import type { Transaction } from '../database/transaction.ts'

/*
 * By which flags records ask somebody to see to them, wherever one is shown in a few words: among links, in what a
 * search finds. It is no column of known_records, since some come to ask by time alone, and others by what is written
 * elsewhere; it is read from the record's own table, of the few that are shown.
 */

export const attentionSchema = z
  .array(
    z
      .object({
        flag: z.string(),
        reason: z.string().nullable().describe('Why it is set, where the record says so'),
      })
      .meta({ id: 'Attention', title: 'A flag that asks somebody to see to a record' }),
  )
  .describe('What of it asks somebody to see to it')

export const flagsOf = ({ attention }: Kind): string[] => Object.keys(attention)

/** Whether the record of row `r` asks by a flag; one that is archived asks for nothing. */
export function asksBy(kind: Kind, flag: string): RawBuilder<unknown> {
  const inStates = Object.entries(kind.attention[flag]!).map(
    ([field, states]) => sql`${sql.ref(`r.${columnOf(field)}`)} = any(${states})`,
  )
  return sql.join([sql`r.archived_at is null`, ...inStates, readBy(kind, flag)], sql` and `)
}

const readBy = (kind: Kind, field: string): RawBuilder<unknown> =>
  sql.raw(readingOf(kind, field) ?? `r.${columnOf(field)}`)

const asking = everyKind.filter((kind) => flagsOf(kind).length > 0)

/** Of row `k` of known_records, what `attentionSchema` describes. */
export const ATTENTION: RawBuilder<unknown> = sql`case k.kind ${sql.join(
  asking.map((kind) => sql`when ${sql.lit(kind.name)} then (${flagsSet(kind)})`),
  sql` `,
)} else '[]' end`

/** Its flags that are set, in the order in which the kind says them. */
function flagsSet(kind: Kind): RawBuilder<unknown> {
  const flags = flagsOf(kind).map((flag) => {
    const reason = reasonOf(kind, flag)
    return sql`(${sql.lit(flag)}, ${reason === undefined ? sql`null` : readBy(kind, reason)}, ${asksBy(kind, flag)})`
  })
  return sql`
    select (select coalesce(json_agg(json_build_object('flag', f.flag, 'reason', f.reason)), '[]')
              from (values ${sql.join(flags)}) f (flag, reason, asks) where f.asks)
      from ${sql.table(kind.table)} r where r.organization_id = k.organization_id and r.id = k.id`
}

/** Each of some records with what of it asks somebody to see to it. */
export async function withAttention<Known extends { readonly type: string; readonly id: string }>(
  tx: Transaction,
  records: readonly Known[],
): Promise<(Known & { attention: z.output<typeof attentionSchema> })[]> {
  const ids = records.flatMap(({ type, id }) => (asking.some(({ name }) => name === type) ? [id] : []))
  const rows =
    ids.length === 0
      ? []
      : await tx.read<{ id: string; attention: z.output<typeof attentionSchema> }>(
          build(
            sql`select k.id, ${ATTENTION} as attention from known_records k
                 where k.organization_id = ${tx.organizationId} and k.id = any(${ids})`,
          ),
        )
  const told = new Map(rows.map(({ id, attention }) => [id, attention]))
  return records.map((record) => ({ ...record, attention: told.get(record.id) ?? [] }))
}
