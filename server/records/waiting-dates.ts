import { type RawBuilder, sql } from 'kysely'
import { columnOf } from '../../model/column-names.ts'
import { dateOf, ownerOfDeadline } from '../../model/deadlines.ts'
import { storageOf } from '../../model/fields.ts'
import type { Kind, Waiting } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'

/*
 * By when somebody wants what a record waits for, where that date does not count yet: a task that is only suggested says by
 * when it is to be done, and is nobody's duty before a person has taken it.
 */

export interface OwnDate {
  readonly name: RawBuilder<unknown>
  /** Of table `r`; one of the two, or none. */
  readonly day: RawBuilder<unknown>
  readonly at: RawBuilder<unknown>
}

/** The date of a record that is to be kept by whoever it waits for. */
export function ownDate(kind: Kind, { whom }: Waiting): OwnDate | null {
  const [name, deadline] =
    Object.entries(kind.deadlines).find(([, one]) => ownerOfDeadline(kind, one) === whom) ?? []
  if (!deadline) return null
  const column = sql.ref(`r.${columnOf(deadline.field)}`)
  return storageOf(dateOf(kind, deadline)!) === 'date'
    ? { name: sql`${name}`, day: column, at: sql`null::timestamptz` }
    : { name: sql`${name}`, day: sql`null::date`, at: column }
}

/** The same as a day, of the record that row `n` of the notices tells of; null once it waits no more. */
export const WAITING_DAY = sql`case n.record_kind ${sql.join(
  everyKind.flatMap((kind) =>
    kind.waits.flatMap((one) => {
      const own = ownDate(kind, one)
      const { field, values } = one.while
      return own
        ? [
            sql`when ${sql.lit(kind.name)} then (
              select coalesce(${own.day}, (${own.at} at time zone deadline_zone(r.organization_id))::date)
                from ${sql.table(kind.table)} r
               where r.organization_id = n.organization_id and r.id = n.record_id
                 and ${sql.ref(`r.${columnOf(field)}`)} in (${sql.join(values.map((value) => sql.lit(value)))}))`,
          ]
        : []
    }),
  ),
  sql` `,
)} end`
