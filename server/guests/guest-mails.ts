import { z } from 'zod'
import { serviceCaller } from '../caller/service.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { jobKind } from '../jobs/job-kind.ts'
import { MAILS } from '../jobs/send-mail.ts'
import { startJobOfNone } from '../jobs/start-job.ts'
import { ADMINS, tell } from '../journal/tell.ts'
import type { Delivered, Message } from '../mail/mail.ts'
import type { Parts } from '../operation.ts'

/*
 * Mails to guests, each with a row of what came of it: the mail log lists these (notices/mail-log.ts), and the pass says
 * whether the last one came back. What a mail says lets somebody in, so none of it stands there.
 */

export type GuestMailAbout = 'guest_link' | 'guest_code'

/** How long a mail that nobody tells of any more is taken to be on its way. */
const LEASE_MINUTES = 10

/**
 * Writes that a mail to a guest is about to be sent. A link that could not leave yet is the same mail, tried once more.
 * @returns its id
 */
export async function beginGuestMail(
  tx: Transaction,
  { passId, about, address }: { passId: string; about: GuestMailAbout; address: string },
): Promise<string> {
  const [row] = await tx.read<{ id: string }>(begin(tx.organizationId, newId('gml'), passId, about, address))
  return row!.id
}

/** What is written of a mail to a guest once it is known what came of it. */
export interface Finished {
  readonly id: string
  readonly address: string
  /** How long it rests before it is tried again; null where it is not. */
  readonly restMinutes: number | null
}

/**
 * Writes what came of a mail.
 * @returns whether it came back from an address that took mail before, or was not written to
 */
export async function finishGuestMail(
  tx: Transaction,
  { id, address, restMinutes }: Finished,
  sent: Delivered,
): Promise<boolean> {
  const { organizationId } = tx
  if (sent.outcome === 'sent') {
    tx.write(end(organizationId, id, 'sent', null))
    tx.write(arrived(organizationId, id))
    return false
  }
  if (sent.outcome === 'away' && restMinutes !== null)
    tx.write(rest(organizationId, id, sent.why, restMinutes))
  else tx.write(end(organizationId, id, sent.outcome === 'refused' ? 'refused' : 'given_up', sent.why))
  if (sent.outcome === 'away' && !sent.isOfAddress) return false
  const [known] = await tx.read(isKnown(organizationId, id, address))
  tx.write(cameBack(organizationId, id, address, sent.why))
  if (known || sent.outcome === 'away') return false
  const facts = { about: address, page: '/settings/mail' }
  tell(tx, serviceCaller(organizationId, MAILER), [{ kind: 'address_bounced', who: ADMINS, facts }])
  return true
}

const MAILER = { id: 'mail', displayName: 'Mail' }

/**
 * Mails a guest as soon as the transaction is committed; it is tried once, as every mail that somebody waits for.
 * @returns whether it will be sent: else too many wait
 */
export async function mailGuest(
  parts: Parts,
  tx: Transaction,
  passId: string,
  about: GuestMailAbout,
  message: Message,
): Promise<boolean> {
  const id = await beginGuestMail(tx, { passId, about, address: message.to })
  const input = { organizationId: tx.organizationId, id, message: { ...message } }
  return (await startJobOfNone(parts, tx, sendGuestMail, input)) !== null
}

const text = z.string()
export const sendGuestMail = jobKind({
  ...MAILS,
  name: 'sendGuestMail',
  title: 'Send a mail to a guest',
  input: z.object({
    organizationId: text,
    id: text,
    message: z.object({ to: text, subject: text, text, html: text }),
  }),
  run: async ({ input: { organizationId, id, message }, parts }) => {
    const sent: Delivered = parts.mail
      ? await parts.mail.deliver(message)
      : { outcome: 'away', why: 'This service sends no mail any more.', isOfAddress: false }
    const mail = { id, address: message.to, restMinutes: null }
    await transaction(parts.database.tenant, organizationId, (tx) => finishGuestMail(tx, mail, sent))
    return sent.outcome === 'sent' ? undefined : { failed: sent.why }
  },
})

/** Parameters: organization, id, pass, what about, address. */
const begin = statement(`
  insert into guest_mails as g (organization_id, id, pass_id, about, address, due_at, created_at)
  values ($1, $2, $3, $4, $5, clock_now() + interval '${LEASE_MINUTES} minutes', clock_now())
      on conflict (organization_id, pass_id) where state = 'waiting' and about = 'guest_link' do update
     set address = excluded.address, attempts = g.attempts + 1, due_at = excluded.due_at
  returning id`)

/** Parameters: organization, mail, state, failure. */
const end = statement(`
  update guest_mails set state = $3, failure = $4, due_at = null, ended_at = clock_now()
   where organization_id = $1 and id = $2`)

/** Parameters: organization, mail, failure, rest in minutes. */
const rest = statement(`
  update guest_mails set failure = $3, due_at = clock_now() + $4::int * interval '1 minute'
   where organization_id = $1 and id = $2`)

const OF_MAIL = `p.organization_id = $1 and p.id = (
  select g.pass_id from guest_mails g where g.organization_id = $1 and g.id = $2)`

const arrived = statement(`
  update guest_passes p set mail_failure = null, mail_failed_to = null, mail_failed_at = null
   where ${OF_MAIL} and p.mail_failure is not null`)

/** For so long nobody is told again of one address, and nothing is sent there unless somebody asks for it. */
const KNOWN_DAYS = 7

/**
 * SQL of the last mail to a person of the directory, joined as `l`: no row where it arrived, where it is a week ago, or
 * where they have another address by now.
 */
export const joinBounce = (person: string): string => `
  left join lateral (
    select g.address, g.failure, g.ended_at, g.state
      from guest_passes b
      join guest_mails g on g.organization_id = b.organization_id and g.pass_id = b.id
     where b.organization_id = ${person}.organization_id and b.person_id = ${person}.id and g.state <> 'waiting'
       and lower(g.address) = lower(${person}.work_email)
     order by g.ended_at desc limit 1) l
    on l.state = 'refused' and l.ended_at > clock_now() - interval '${KNOWN_DAYS} days'`

const isKnown = statement(`
  select from guest_mails g
   where g.organization_id = $1 and g.id <> $2 and g.address = $3 and g.state = 'refused'
     and g.ended_at > clock_now() - interval '${KNOWN_DAYS} days' limit 1`)

/** Parameters: organization, mail, address, failure. */
const cameBack = statement(`
  update guest_passes p set mail_failure = $4, mail_failed_to = $3, mail_failed_at = clock_now() where ${OF_MAIL}`)
