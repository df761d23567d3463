import { createHmac, timingSafeEqual } from 'node:crypto'
import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'

/*
 * The one-click unsubscribe of mails about notices (RFC 8058). The address in a mail turns off mail about the kinds of
 * notice that this mail was about, for the person it was sent to. The inbox keeps them. It works without signing in, for
 * as long as the mail is in the log of mails, and changes nothing else.
 */

/** The first word of its path. */
export const UNSUBSCRIBE = 'unsubscribe'

const PURPOSE = 'unsubscribe from notice mails'

/** The address for a mail. */
export function unsubscribeAddress(
  { keyring, config }: Pick<Parts, 'keyring' | 'config'>,
  organizationId: string,
  mailId: string,
): string {
  const [key] = keyring.derive(PURPOSE)
  const token = `${organizationId}.${mailId}.${macOf(key!, organizationId, mailId).toString('base64url')}`
  return `${config.publicUrl}/${UNSUBSCRIBE}/${token}`
}

const TOKEN = /^([\w-]{1,60})\.([\w-]{1,60})\.([\w-]{43})$/

/** What an address was made for. */
interface Subscription {
  readonly organizationId: string
  readonly mailId: string
}

/** @throws {Refusal} `link_invalid` */
export function readUnsubscribeToken({ keyring }: Pick<Parts, 'keyring'>, token: string): Subscription {
  const [, organizationId, mailId, mac] = TOKEN.exec(token) ?? []
  if (!organizationId || !mailId || !mac) throw invalidAddress()
  const given = Buffer.from(mac, 'base64url')
  const isOurs = keyring
    .derive(PURPOSE)
    .map((key) => macOf(key, organizationId, mailId))
    .some((known) => known.length === given.length && timingSafeEqual(known, given))
  if (!isOurs) throw invalidAddress()
  return { organizationId, mailId }
}

/**
 * Turns off mail about the kinds of notice of a mail.
 * @throws {Refusal} `link_invalid` where the mail is not in the log any more
 */
export async function unsubscribe(
  { database }: Pick<Parts, 'database'>,
  { organizationId, mailId }: Subscription,
): Promise<void> {
  const [person] = await transaction(database.tenant, organizationId, (tx) =>
    tx.read(turnOff(organizationId, mailId)),
  )
  if (!person) throw invalidAddress()
}

const macOf = (key: Buffer, organizationId: string, mailId: string): Buffer =>
  createHmac('sha256', key).update(`${organizationId} ${mailId}`).digest()

const invalidAddress = (): Refusal =>
  new Refusal(
    'link_invalid',
    'This address is not complete, or too old: choose what is mailed under “Notifications” of your account.',
  )

const turnOff = statement(`
  with mail as (
    select m.user_id from notice_mails w
      join members m on m.organization_id = w.organization_id and m.user_id = w.user_id
     where w.organization_id = $1 and w.id = $2),
  kinds as (
    select coalesce(jsonb_object_agg(kind, 'never'), '{}') as mails
      from (select distinct kind from notices where organization_id = $1 and mail_id = $2) kinds),
  waiting as (
    update notices n set mail_at = null
      from mail where n.organization_id = $1 and n.user_id = mail.user_id and n.mail_at is not null
       and n.kind in (select kind from notices where organization_id = $1 and mail_id = $2))
  insert into notice_settings as s (organization_id, user_id, mails, daily_hour)
  select $1, mail.user_id, kinds.mails, 8 from mail, kinds
      on conflict (organization_id, user_id) do update set mails = s.mails || excluded.mails
  returning user_id`)
