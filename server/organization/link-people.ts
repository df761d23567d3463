import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { serviceCaller } from '../caller/service.ts'
import { CLOCK } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { Refusal } from '../refusal.ts'

/*
 * Members as people of the directory. Whoever signs in by the work e-mail of an entry that nobody signs in as is that
 * person: the entry is linked with them, by the clock, so it is the same whoever came first and by which way, an import or
 * an invitation. The rules of the kind judge it as they judge an edit by somebody who is no admin: an entry whose work
 * e-mail was changed is linked by an admin alone (personnel-rules.ts).
 */

const personnel = kinds.personnel as unknown as Kind

export async function linkPeople(parts: Parts): Promise<void> {
  const { rows } = await parts.database.gate.query<{ organizationId: string }>(findOrganizations())
  for (const { organizationId } of rows)
    for (const pair of await pairsIn(parts, organizationId)) await link(parts, organizationId, pair)
}

const pairsIn = (parts: Parts, organizationId: string): Promise<Pair[]> =>
  transaction(parts.database.tenant, organizationId, (tx) => tx.read<Pair>(findPairs(organizationId)))

async function link(parts: Parts, organizationId: string, { id, userId }: Pair): Promise<void> {
  try {
    await transaction(parts.database.tenant, organizationId, (tx) =>
      changeRecord({ tx, caller: serviceCaller(organizationId, CLOCK), parts }, personnel, id, {
        given: { userId },
        reason: 'Its work e-mail is the address that this user signs in by',
      }),
    )
  } catch (error) {
    // Changed meanwhile: whoever still is to be linked is found again.
    if (!(error instanceof Refusal)) throw error
  }
}

interface Pair {
  readonly id: string
  readonly userId: string
}

const findOrganizations = statement(
  'select id as "organizationId" from organizations where status = \'active\' order by id',
)

/** Those that an admin links by hand are left out (personnel-rules.ts). */
const findPairs = statement(`
  select d.id, m.user_id as "userId"
    from members m
    join users u on u.id = m.account_id and u.disabled_at is null
    join personnel d on d.organization_id = m.organization_id and lower(d.work_email) = lower(u.email)
     and d.user_id is null and d.archived_at is null and d.status <> 'former'
   where m.organization_id = $1 and m.status = 'active'
     and not exists (select from personnel e where e.organization_id = $1 and e.user_id = m.user_id)
     and not exists (
       select from audit_entries e
        where e.organization_id = $1 and e.subject_id = d.id
          and lower(e.changes #>> '{workEmail,from}') <> lower(e.changes #>> '{workEmail,to}'))
   order by d.id limit 500`)
