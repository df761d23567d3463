import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { serviceCaller } from '../caller/service.ts'
import { CLOCK } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import { isAway } from '../database/errors.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { Refusal } from '../refusal.ts'

/*
 * Members as people of the directory. Whoever signs in by the work e-mail of an entry that nobody signs in as is that
 * person: the entry is linked with them as they join, and otherwise by the clock within a minute, so it is the same whoever came first and by which way, an import or
 * an invitation. The rules of the kind judge it as they judge an edit by somebody who is no admin: an entry whose work
 * e-mail was changed is linked by an admin alone (personnel-rules.ts).
 *
 * Whatever can make one person of two appends to `people_changes` in its own transaction (0118-people-changes.sql), and
 * only that is looked at: most people of most organizations stay who they are. What was taken goes when it is linked, so
 * what a process that is killed had taken is taken again.
 */

/** Of an organization, taken at once. */
const CHANGES = 500

const personnel = kinds.personnel as unknown as Kind

/**
 * Links somebody who joins in the transaction in which they do, so that their first page has what is theirs. Where the
 * rules refuse it, nothing is linked.
 */
export async function linkMember(parts: Parts, tx: Transaction, userId: string): Promise<void> {
  const { organizationId } = tx
  const [pair] = await tx.read<Pair>(findPairs(organizationId, [userId], []))
  if (pair) await linkPair(parts, tx, pair).catch(ignoreRefusal)
  tx.write(takeOf(organizationId, userId))
}

export async function linkPeople(parts: Parts): Promise<void> {
  const { rows } = await parts.database.gate.query<{ organizationId: string }>(findChanged())
  for (const { organizationId } of rows)
    try {
      while ((await linkSome(parts, organizationId)) === CHANGES);
    } catch (err) {
      if (isAway(err)) throw err
      // One that cannot be linked keeps no other; its changes stay.
      parts.log.warn({ err, organizationId }, 'members could not be linked with people of the directory')
    }
}

/** @returns how many changes were taken */
async function linkSome(parts: Parts, organizationId: string): Promise<number> {
  const within = <T>(work: (tx: Transaction) => Promise<T>) =>
    transaction(parts.database.tenant, organizationId, work)
  const { changes, pairs } = await within(async (tx) => {
    const found = await tx.read<Change>(look(organizationId, CHANGES))
    const [members, entries] = (['member', 'personnel'] as const).map((kind) =>
      found.filter((one) => one.kind === kind).map(({ changedId }) => changedId),
    )
    return { changes: found, pairs: await tx.read<Pair>(findPairs(organizationId, members, entries)) }
  })
  for (const pair of pairs) await link(parts, organizationId, pair)
  const taken = changes.map(({ id }) => id)
  await within(async (tx) => tx.write(take(organizationId, taken)))
  return taken.length
}

/** Where an entry was changed meanwhile, its person is found again. */
const link = (parts: Parts, organizationId: string, pair: Pair): Promise<unknown> =>
  transaction(parts.database.tenant, organizationId, (tx) => linkPair(parts, tx, pair)).catch(ignoreRefusal)

const linkPair = (parts: Parts, tx: Transaction, { id, userId }: Pair): Promise<unknown> =>
  changeRecord({ tx, caller: serviceCaller(tx.organizationId, CLOCK), parts }, personnel, id, {
    given: { userId },
    reason: 'Its work e-mail is the address that this user signs in by',
  })

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}

interface Change {
  readonly id: string
  readonly kind: 'member' | 'personnel'
  readonly changedId: string
}

interface Pair {
  readonly id: string
  readonly userId: string
}

const findChanged = statement(`
  select distinct c.organization_id as "organizationId"
    from people_changes c join organizations o on o.id = c.organization_id and o.status = 'active'
   order by 1`)

const look = statement(`
  select id, kind, changed_id as "changedId" from people_changes where organization_id = $1 order by id limit $2::int`)

const take = statement('delete from people_changes where organization_id = $1 and id = any($2::bigint[])')

const takeOf = statement(
  `delete from people_changes where organization_id = $1 and kind = 'member' and changed_id = $2`,
)

/** Of these members ($2) and entries ($3); those that an admin links by hand are left out (personnel-rules.ts). */
const findPairs = statement(`
  select d.id, m.user_id as "userId"
    from members m
    join users u on u.id = m.account_id and u.disabled_at is null
    join personnel d on d.organization_id = m.organization_id and lower(d.work_email) = lower(u.email)
     and d.user_id is null and d.archived_at is null and d.status <> 'former'
   where m.organization_id = $1 and m.status = 'active' and (m.user_id = any($2::text[]) or d.id = any($3::text[]))
     and not exists (select from personnel e where e.organization_id = $1 and e.user_id = m.user_id)
     and not exists (
       select from audit_entries e
        where e.organization_id = $1 and e.subject_id = d.id
          and lower(e.changes #>> '{workEmail,from}') <> lower(e.changes #>> '{workEmail,to}'))
   order by d.id`)
