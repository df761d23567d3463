import type { Task } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import { webhooksOffMail } from '../mail/messages.ts'
import type { Parts } from '../operation.ts'
import { outcomes } from './outcomes.ts'

/**
 * Tells the admins by mail which of their webhook endpoints were turned off by failures.
 *
 * That a mail is due stands on the endpoint, written with the turn-off itself; so it is sent also where the process
 * ends before. A round takes all endpoints of an organization that are due or will be within a minute, and puts
 * their due time off while it sends: another process leaves them alone, and after a crash they are taken up again.
 * Whom a mail reached is noted for each endpoint: it stays due until all admins had theirs, and nobody gets it twice.
 * An admin gets one such mail an hour at most; what goes off meanwhile is in the next.
 */
export async function mailShutOffs(parts: Parts): Promise<void> {
  if (!parts.mail) return
  const { rows } = await parts.database.engine.query<Off>(take())
  for (const [organizationId, off] of Map.groupBy(rows, (row) => row.organization_id))
    await mailAdmins(parts, organizationId, off)
}

/** What time alone does for webhook endpoints. */
export const webhookTasks: readonly Task[] = [
  { name: 'mails to admins of webhook endpoints that went off', everyMinutes: 1, runApart: mailShutOffs },
]

async function mailAdmins({ config, database, log, mail }: Parts, organizationId: string, off: Off[]) {
  const { rows: admins } = await database.gate.query<Admin>(findAdmins(organizationId))
  const mailed = new Map(off.map(({ id, mailed_to }) => [id, new Set(mailed_to)]))
  const lately = new Set(off[0]!.mailed_lately)
  const sent = await Promise.all(
    admins.map(async ({ userId, email, organization }) => {
      const untold = off.filter(({ id }) => !mailed.get(id)!.has(userId))
      if (untold.length === 0 || lately.has(userId)) return null
      const endpoints = untold.map(({ address, tripped_by }) => {
        const last = tripped_by?.at(-1)
        return { address, failure: last ? outcomes[last.outcome].meaning : null }
      })
      const path = untold.length === 1 ? `/settings/webhooks/${untold[0]!.id}` : '/settings/webhooks'
      const address = new URL(path, config.publicUrl).href
      const failure = await mail!.send(webhooksOffMail(email, { organization, endpoints, address }))
      if (failure !== null) return failure
      await database.engine.query(
        keep(
          organizationId,
          userId,
          untold.map(({ id }) => id),
        ),
      )
      for (const { id } of untold) mailed.get(id)!.add(userId)
      return null
    }),
  )
  if (sent.some((failure) => failure !== null))
    log.warn({ organizationId }, 'an admin could not be mailed that webhook endpoints went off: tried again')
  const settled = off.filter(({ id }) => admins.every(({ userId }) => mailed.get(id)!.has(userId)))
  await database.engine.query(settle(settled.map(({ id }) => id)))
}

interface Off {
  organization_id: string
  id: string
  address: string
  tripped_by: { outcome: keyof typeof outcomes }[] | null
  /** The admins who know of it already. */
  mailed_to: string[]
  /** The admins of the organization who had such a mail within the hour. */
  mailed_lately: string[]
}

interface Admin {
  userId: string
  email: string
  organization: string
}

const IS_OFF = "not e.enabled and e.disabled_reason = 'failures' and e.deleted_at is null"

/** Whoever could not be mailed is tried again ever more rarely, for a day. */
const take = statement(`
  with due as materialized (
    select e.organization_id from webhook_endpoints e
     where e.shut_off_mail_due_at <= clock_now() and ${IS_OFF}
       and e.disabled_at > clock_now() - interval '1 day'
     group by e.organization_id
  )
  update webhook_endpoints e
     set shut_off_mail_due_at = clock_now() + greatest(interval '10 minutes', (clock_now() - e.disabled_at) / 4)
    from due d
   where e.organization_id = d.organization_id and ${IS_OFF}
     and e.shut_off_mail_due_at <= clock_now() + interval '1 minute'
  returning e.organization_id, e.id, e.address, e.tripped_by,
    array(select m.user_id from webhook_shut_off_mails m
           where m.organization_id = e.organization_id and m.endpoint_id = e.id
             and m.disabled_at = e.disabled_at) as mailed_to,
    array(select distinct m.user_id from webhook_shut_off_mails m
           where m.organization_id = e.organization_id
             and m.sent_at > clock_now() - interval '1 hour') as mailed_lately`)

const keep = statement(`
  insert into webhook_shut_off_mails (organization_id, user_id, endpoint_id, disabled_at, sent_at)
  select organization_id, $2, id, disabled_at, clock_now() from webhook_endpoints
   where organization_id = $1 and id = any($3) and disabled_at is not null
      on conflict (organization_id, user_id, endpoint_id)
         do update set disabled_at = excluded.disabled_at, sent_at = excluded.sent_at`)

const settle = statement('update webhook_endpoints set shut_off_mail_due_at = null where id = any($1)')

const findAdmins = statement(`
  select m.user_id as "userId", u.email, o.name as organization
    from members m join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and m.role = 'admin' and m.status = 'active'
     and u.disabled_at is null
   order by u.email`)
