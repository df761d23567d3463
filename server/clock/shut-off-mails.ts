import { webhooksOffMail } from '../access/mail/words.ts'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { outcomes } from '../webhooks/outcomes.ts'

/**
 * Tells the admins by mail which of their webhook endpoints were turned off by failures.
 *
 * That a mail is due stands on the endpoint, written with the turn-off itself; so it is sent also where the process
 * ends before. A round takes all endpoints of an organization that are due or will be within a minute, and puts
 * their due time off while it sends: another process leaves them alone, and after a crash they are taken up again.
 * An organization gets one such mail an hour at most; what goes off meanwhile is in the next.
 */
export async function mailShutOffs({ config, database, log, mail }: Parts): Promise<void> {
  if (!mail) return
  const { rows } = await database.engine.query<Off>(take())
  for (const [organizationId, off] of Map.groupBy(rows, (row) => row.organization_id)) {
    const { rows: admins } = await database.gate.query<Admin>(findAdmins(organizationId))
    const endpoints = off.map(({ address, tripped_by }) => {
      const last = tripped_by?.at(-1)
      return { address, failure: last ? outcomes[last.outcome].meaning : null }
    })
    const path = off.length === 1 ? `/settings/webhooks/${off[0]!.id}` : '/settings/webhooks'
    const link = new URL(path, config.publicUrl).href
    const sent = await Promise.all(
      admins.map(({ email, organization }) =>
        mail.send(webhooksOffMail(email, { organization, endpoints, address: link })),
      ),
    )
    if (sent.includes(null) || admins.length === 0)
      await database.engine.query(settle(off.map(({ id }) => id)))
    else log.warn({ organizationId }, 'no admin could be mailed that webhook endpoints went off: tried again')
  }
}

interface Off {
  organization_id: string
  id: string
  address: string
  tripped_by: { outcome: keyof typeof outcomes }[] | null
}

interface Admin {
  email: string
  organization: string
}

const IS_OFF = "not e.enabled and e.disabled_reason = 'failures' and e.deleted_at is null"

const take = statement(`
  with due as materialized (
    select e.organization_id from webhook_endpoints e
     where e.shut_off_mail_due_at <= clock_now() and ${IS_OFF}
       and e.disabled_at > clock_now() - interval '1 day'
       and not exists (
         select from webhook_endpoints m
          where m.organization_id = e.organization_id and m.shut_off_mailed_at > clock_now() - interval '1 hour')
     group by e.organization_id
  )
  update webhook_endpoints e set shut_off_mail_due_at = clock_now() + interval '10 minutes'
    from due d
   where e.organization_id = d.organization_id and ${IS_OFF}
     and e.shut_off_mail_due_at <= clock_now() + interval '1 minute'
  returning e.organization_id, e.id, e.address, e.tripped_by`)

const settle = statement(`
  update webhook_endpoints set shut_off_mail_due_at = null, shut_off_mailed_at = clock_now() where id = any($1)`)

const findAdmins = statement(`
  select u.email, o.name as organization
    from members m join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and m.role = 'admin' and m.status = 'active'
     and u.disabled_at is null
   order by u.email`)
