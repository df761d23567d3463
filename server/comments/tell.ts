import { statement } from '../database/connect.ts'
import { doneBy, type NewNotice, tell } from '../journal/tell.ts'
import type { TransactionContext } from '../operation.ts'
import type { AnyRecord } from '../records/any-record.ts'

/** So many of those who commented before are told. */
const PARTICIPANTS_AT_MOST = 50

/** Tells whom a comment mentions, and of a new one those whose record it is on and who take part. */
export async function tellOfComment(
  { tx, caller }: TransactionContext,
  { kind, record }: AnyRecord,
  mentioned: readonly string[],
  { isEdit = false } = {},
): Promise<void> {
  const about = { kind: kind.name, id: record.id as string }
  const facts = { ...doneBy(caller), tab: 'comments' }
  const named = new Set(mentioned)
  const others = isEdit ? [] : await concerned({ tx }, kind.owners, record)
  tell(tx, caller, [
    ...mentioned.map((who): NewNotice => ({ kind: 'mentioned', who, record: about, facts })),
    ...others
      .filter((who) => !named.has(who))
      .map((who): NewNotice => ({ kind: 'commented', who, record: about, facts })),
  ])
}

/** As users: somebody is told once, also where they stand in the directory as well. */
async function concerned(
  { tx }: Pick<TransactionContext, 'tx'>,
  owners: readonly string[],
  record: AnyRecord['record'],
): Promise<string[]> {
  const ids = owners.flatMap((field) => (record[field] as { refId: string } | null)?.refId ?? [])
  const rows = await tx.read<{ userId: string }>(
    findConcerned(tx.organizationId, record.id, ids, PARTICIPANTS_AT_MOST),
  )
  return rows.map(({ userId }) => userId)
}

const findConcerned = statement(`
  select m.user_id as "userId" from members m
   where m.organization_id = $1
     and (m.user_id = any($3::text[])
       or m.user_id in (select p.user_id from personnel p where p.organization_id = $1 and p.id = any($3::text[]))
       or m.user_id in (select c.created_by_user from comments c where c.organization_id = $1 and c.record_id = $2
                         group by c.created_by_user order by max(c.created_at) desc limit $4::int))`)
