import { statement } from '../../database/connect.ts'
import { webhooksOffMail } from '../../mail/messages.ts'
import type { Parts } from '../../operation.ts'
import { outcomes } from '../outcomes.ts'
import type { ShutOffs } from './claim.ts'

/** @returns whether no mail failed */
export async function mailAdmins(
  { config, database, log, mail }: Parts,
  { organizationId, endpoints: off, mailedLately }: ShutOffs,
): Promise<boolean> {
  const { rows: admins } = await database.gate.query<Admin>(findAdmins(organizationId))
  const mailed = new Map(off.map(({ id, mailedTo }) => [id, new Set(mailedTo)]))
  const lately = new Set(mailedLately)
  const sent = await Promise.all(
    admins.map(async ({ userId, email, organization }) => {
      const untold = off.filter(({ id }) => !mailed.get(id)!.has(userId))
      if (untold.length === 0 || lately.has(userId)) return null
      const endpoints = untold.map(({ address, trippedBy }) => {
        const last = trippedBy?.at(-1)
        return { address, failure: last ? outcomes[last.outcome].meaning : null }
      })
      const path = untold.length === 1 ? `/settings/webhooks/${untold[0]!.id}` : '/settings/webhooks'
      const address = new URL(path, config.publicUrl).href
      const failure = await mail!.send(webhooksOffMail(email, { organization, endpoints, address }))
      if (failure !== null) return failure
      const ids = untold.map(({ id }) => id)
      const offSince = untold.map(({ disabledAt }) => disabledAt)
      await database.engine.query(keep(organizationId, userId, ids, offSince))
      for (const id of ids) mailed.get(id)!.add(userId)
      return null
    }),
  )
  const failed = sent.some((failure) => failure !== null)
  if (failed)
    log.warn({ organizationId }, 'an admin could not be mailed that webhook endpoints went off: tried again')
  const told = off.filter(({ id }) => admins.every(({ userId }) => mailed.get(id)!.has(userId)))
  await database.engine.query(
    finish(
      told.map(({ id }) => id),
      told.map(({ leaseEndsAt }) => leaseEndsAt),
    ),
  )
  return !failed
}

interface Admin {
  userId: string
  email: string
  organization: string
}

const findAdmins = statement(`
  select m.user_id as "userId", u.email, o.name as organization
    from members m join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and m.role = 'admin' and m.status = 'active'
     and u.disabled_at is null
   order by u.email`)

/** Of which turn-off a mail told stays true whatever became of the endpoint since. */
const keep = statement(`
  insert into webhook_shut_off_mails (organization_id, user_id, endpoint_id, disabled_at, sent_at)
  select e.organization_id, $2, e.id, off.since, clock_now()
    from unnest($3::text[], $4::timestamptz[]) as off (id, since)
    join webhook_endpoints e on e.organization_id = $1 and e.id = off.id
      on conflict (organization_id, user_id, endpoint_id)
         do update set disabled_at = excluded.disabled_at, sent_at = excluded.sent_at`)

const finish = statement(`
  update webhook_endpoints e set shut_off_mail_due_at = null
    from unnest($1::text[], $2::timestamptz[]) as told (id, lease_ends_at)
   where e.id = told.id and e.shut_off_mail_due_at = told.lease_ends_at`)
