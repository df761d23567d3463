import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import { tickedFields } from '../../model/fields.ts'
import { everyKind } from '../../model/kinds/index.ts'

/* How far a record is by the steps in its own lists that are ticked, wherever it is shown in a few words. */

export const stepsSchema = z
  .object({ done: z.int(), all: z.int() })
  .meta({ id: 'Steps', title: 'How many of its steps are ticked' })

const stepped = everyKind.filter(({ fields }) => Object.keys(tickedFields(fields)).length > 0)

/** Of row `k` of known_records, what `stepsSchema` describes; null of what has no steps. */
export const STEPS: RawBuilder<unknown> = sql`case k.kind ${sql.join(
  stepped.map(({ name, table, fields }) => {
    const lists = Object.entries(tickedFields(fields)).map(
      ([field, flag]) =>
        sql`select (step ->> ${sql.lit(flag)})::boolean as is_done
              from jsonb_array_elements(coalesce(${sql.ref(`r.${columnOf(field)}`)}, '[]')) step`,
    )
    return sql`when ${sql.lit(name)} then (
      select (select case when count(*) > 0
                then json_build_object('done', count(*) filter (where is_done), 'all', count(*)) end
                from (${sql.join(lists, sql` union all `)}) steps)
        from ${sql.table(table)} r where r.organization_id = k.organization_id and r.id = k.id)`
  }),
  sql` `,
)} end`
