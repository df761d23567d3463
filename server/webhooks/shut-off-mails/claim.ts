import { statement } from '../../database/connect.ts'
import type { outcomes } from '../outcomes.ts'

/** The endpoints of one organization that are off, of which its admins are not all told. */
export interface ShutOffs {
  readonly organizationId: string
  readonly endpoints: ShutOff[]
  /** The admins who had such a mail within the hour. */
  readonly mailedLately: string[]
}

export interface ShutOff {
  id: string
  address: string
  trippedBy: { outcome: keyof typeof outcomes }[] | null
  /** As PostgreSQL writes it, to the microsecond. */
  disabledAt: string
  /** The admins who know of it already. */
  mailedTo: string[]
  /** What the claim made of its due moment, and its fence: no other moment is the same. */
  leaseEndsAt: string
}

const IS_OFF = "not e.enabled and e.disabled_reason = 'failures' and e.deleted_at is null"

export const findDueShutOffs = statement(`
  select e.organization_id as partition, e.organization_id as "organizationId", 0 as "dueInMs"
    from webhook_endpoints e
   where e.shut_off_mail_due_at <= clock_now() and ${IS_OFF}
     and e.disabled_at > clock_now() - interval '1 day'
   group by e.organization_id`)

/**
 * All of an organization or nothing, so that its admins get one mail: while another process claims them, they are its.
 *
 * Parameters: organizations, lease in ms.
 */
export const claimShutOffs = statement(`
  with mine as materialized (
    select w.id from unnest($1::text[]) as w (id)
     where pg_try_advisory_xact_lock(hashtextextended('webhook shut-off mails of ' || w.id, 0))
  ),
  claimed as (
    update webhook_endpoints e
       set shut_off_mail_due_at = clock_now()
             + greatest($2::int * interval '1 millisecond', (clock_now() - e.disabled_at) / 4)
      from mine
     where e.organization_id = mine.id and ${IS_OFF}
       and e.shut_off_mail_due_at <= clock_now() + interval '1 minute'
    returning e.organization_id, e.id, e.address, e.tripped_by, e.disabled_at, e.shut_off_mail_due_at
  )
  select c.organization_id as "organizationId",
         jsonb_agg(jsonb_build_object('id', c.id, 'address', c.address, 'trippedBy', c.tripped_by,
           'disabledAt', c.disabled_at, 'leaseEndsAt', c.shut_off_mail_due_at,
           'mailedTo', array(select m.user_id from webhook_shut_off_mails m
                              where m.organization_id = c.organization_id and m.endpoint_id = c.id
                                and m.disabled_at = c.disabled_at))) as endpoints,
         array(select distinct m.user_id from webhook_shut_off_mails m
                where m.organization_id = c.organization_id
                  and m.sent_at > clock_now() - interval '1 hour') as "mailedLately"
    from claimed c group by c.organization_id`)
