import { serviceCaller } from '../caller/service.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { ADMINS, tell } from '../journal/tell.ts'
import type { Delivered } from '../mail/mail.ts'
import type { Prepared } from './prepare-mail.ts'

/* What came of a mail, where no other try has begun since. */

/** A mail is tried for so long, at rests that grow to two hours. */
const TRIED_FOR_HOURS = 24
const REST_AT_MOST_MINUTES = 120

const MAILER = { id: 'mail', displayName: 'Mail' }

export async function finishMail(tx: Transaction, mail: Prepared, sent: Delivered): Promise<void> {
  const { organizationId } = tx
  const { id, attempt, userId, message } = mail
  switch (sent.outcome) {
    case 'sent':
      tx.write(end(organizationId, id, attempt, 'sent', null))
      return
    case 'away':
      tx.write(rest(organizationId, id, attempt, sent.why, Math.min(2 ** attempt, REST_AT_MOST_MINUTES)))
      return
    case 'refused':
      tx.write(end(organizationId, id, attempt, 'refused', sent.why))
      if (!sent.isOfAddress) return
      tx.write(bounce(organizationId, userId, message.to, sent.why))
      tell(tx, serviceCaller(organizationId, MAILER), [
        { kind: 'address_bounced', who: ADMINS, facts: { about: message.to, page: '/settings/mail' } },
      ])
  }
}

/** Parameters: organization, mail, try, state, failure. */
const end = statement(`
  update notice_mails set state = $4, failure = $5, due_at = null, ended_at = clock_now()
   where organization_id = $1 and id = $2 and attempts = $3 and state = 'waiting'`)

/** Parameters: organization, mail, try, failure, rest in minutes. */
const rest = statement(`
  update notice_mails set failure = $4,
         state = case when created_at > clock_now() - interval '${TRIED_FOR_HOURS} hours' then 'waiting' else 'given_up' end,
         due_at = case when created_at > clock_now() - interval '${TRIED_FOR_HOURS} hours'
           then clock_now() + $5::int * interval '1 minute' end,
         ended_at = case when created_at > clock_now() - interval '${TRIED_FOR_HOURS} hours' then null else clock_now() end
   where organization_id = $1 and id = $2 and attempts = $3 and state = 'waiting'`)

const bounce = statement(`
  insert into mail_bounces (organization_id, user_id, address, failure, bounced_at)
  values ($1, $2, $3, $4, clock_now())
      on conflict (organization_id, user_id) do update
     set address = excluded.address, failure = excluded.failure, bounced_at = excluded.bounced_at`)
