import { type RawBuilder, sql } from 'kysely'
import type { Kind } from '../../model/kind.ts'
import { principalColumns } from '../../model/roles.ts'
import type { Caller } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import type { TransactionContext } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { tableOf } from './table.ts'

/*
 * What is shown to members who are here for themselves alone (model/limited-view.ts): of the kinds that say so
 * (`isShownToOwners`) the records that name them, as a user or as they stand in the directory. The rest is to them as if
 * it never was.
 */

/** What a list asks of the kind's table `r` besides its filters; nothing for everybody else. */
export function ownConditions(
  kind: Kind,
  { limitedView, organizationId, userId }: Caller,
): RawBuilder<unknown>[] {
  if (limitedView !== 'self_service') return []
  const named = kind.owners.map((owner) => {
    const { user, personnel } = principalColumns(owner)
    return sql`${sql.ref(`r.${user}`)} = ${userId} or ${sql.ref(`r.${personnel}`)} in (
      select p.id from personnel p where p.organization_id = ${organizationId} and p.user_id = ${userId})`
  })
  return [sql`(${sql.join([sql`false`, ...named], sql` or `)})`]
}

/** @throws {Refusal} `not_found` for a record that is not theirs */
export async function refuseForeign(
  { tx, caller }: TransactionContext,
  kind: Kind,
  id: string,
): Promise<void> {
  const conditions = ownConditions(kind, caller)
  if (conditions.length === 0) return
  const [found] = await tx.read(
    build(sql`
      select from ${sql.table(tableOf(kind).kind.table)} r
       where r.organization_id = ${tx.organizationId} and r.id = ${id} and ${sql.join(conditions, sql` and `)}`),
  )
  if (!found) throw notFound()
}
