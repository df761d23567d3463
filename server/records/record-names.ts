import type { Kind } from '../../model/kind.ts'
import { nameColumn } from '../../model/roles.ts'
import { statementOf } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { readableKinds } from './readable.ts'
import { referenceIn } from './reference.ts'

/** What a record is called. */
export interface RecordName {
  readonly reference: string
  readonly title: string
}

/**
 * What records are called now, by their ids. Not in there: what is no record, or gone, and what the caller may not
 * read.
 */
export async function recordNames(
  { tx, caller }: TransactionContext,
  subjects: readonly { readonly type: string; readonly id: string }[],
): Promise<Map<string, RecordName>> {
  const names = new Map<string, RecordName>()
  await Promise.all(
    readableKinds(caller).map(async (kind) => {
      const ids = subjects.filter(({ type }) => type === kind.name).map(({ id }) => id)
      if (ids.length === 0) return
      const rows = await tx.read<RecordName & { id: string }>(
        named(kind)(tx.organizationId, [...new Set(ids)]),
      )
      for (const { id, reference, title } of rows) names.set(id, { reference, title })
    }),
  )
  return names
}

const named = statementOf(
  (kind: Kind) => `
    select id, ${referenceIn(kind)} as reference, ${nameColumn(kind)} as title from ${kind.table}
     where organization_id = $1 and id = any($2::text[])`,
)
