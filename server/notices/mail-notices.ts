import { tryPart } from '../clock/losses.ts'
import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { finishMail } from './finish-mail.ts'
import { prepareMail } from './prepare-mail.ts'

/*
 * Mails what people were told, from the clock, each minute and in every process.
 *
 * A notice is due to be mailed a minute after it came. Then one mail takes all of a person that are not mailed yet: so
 * what comes together goes together. That it goes is written before it does: the row of the mail is the claim, its due
 * moment the lease. Where the mail server is away, the mail rests, longer each time, for a day; what comes meanwhile
 * joins it. Where a mailbox takes none for now, the mails of others go on. What it says is made anew at each try, of what the person may read by then.
 *
 * Three things a mail never does: go to somebody who is no longer a member, name a record to somebody who may not read
 * it, go to an address that has bounced. A kill between the sending and the row may send one twice, and none is lost.
 */

/** Mails wait for one server: a few at a time, and no longer than the next minute. */
const AT_ONCE = 4
const WITHIN_MS = 45_000
const PERSONS_AT_MOST = 2_000

export interface Person {
  readonly organizationId: string
  readonly userId: string
}

export async function mailNotices(parts: Parts): Promise<void> {
  if (!parts.mail) return
  const until = performance.now() + WITHIN_MS
  const { rows } = await parts.database.engine.query<Person>(findDue(PERSONS_AT_MOST))
  let isAway = false
  const work = async () => {
    while (rows.length > 0 && !isAway && performance.now() < until)
      if ((await mailTo(parts, rows.shift()!)) === 'away') isAway = true
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** @returns whether the mail server is away: then nothing else is tried for now */
const mailTo = (parts: Parts, person: Person): Promise<'away' | undefined | null> =>
  tryPart(parts, 'mails about notices', `${person.organizationId} ${person.userId}`, () =>
    mail(parts, person),
  )

async function mail(parts: Parts, { organizationId, userId }: Person): Promise<'away' | undefined> {
  const { tenant } = parts.database
  const prepared = await transaction(tenant, organizationId, (tx) => prepareMail(parts, tx, userId))
  if (!prepared) return undefined
  const sent = await parts.mail!.deliver(prepared.message)
  await transaction(tenant, organizationId, (tx) => finishMail(tx, prepared, sent))
  return sent.outcome === 'away' && !sent.isOfAddress ? 'away' : undefined
}

/** Of each organization one after another, so that the many people of one keep nobody waiting. */
const findDue = statement(`
  with due as (
    select organization_id, user_id, mail_at as at from notices where mail_at <= clock_now()
    union all
    select organization_id, user_id, due_at from notice_mails where due_at <= clock_now()
  ),
  persons as (
    select d.organization_id, d.user_id, min(d.at) as at from due d
     where not exists (select from notice_mails m
                        where m.organization_id = d.organization_id and m.user_id = d.user_id and m.state = 'waiting'
                          and m.due_at > clock_now())
     group by d.organization_id, d.user_id
  )
  select organization_id as "organizationId", user_id as "userId" from persons
   order by row_number() over (partition by organization_id order by at), at limit $1::int`)
