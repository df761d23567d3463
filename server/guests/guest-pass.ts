import { z } from 'zod'
import { GUEST_PURPOSES, type GuestPurpose } from '../../model/guest-purpose.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import type { Transaction } from '../database/transaction.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import { joinBounce } from './guest-mails.ts'

/**
 * Guest passes: how somebody does something here who is no member, and never has to be one. A pass is for one person (of
 * the directory, or an address), one purpose and one record. The purpose says which operations it opens, those that need
 * `guest(purpose)`; the record stands in the pass, and no operation for guests takes the id of one. So there is nothing
 * to try: whatever else is asked with a pass is answered as if it never was.
 *
 * It is come by through links (guest-links.ts), and each browser that opens one has a session (guest-session.ts). What
 * asks for more than a link, which can be forwarded, asks for a code to the same mailbox (guest-codes.ts). All of it
 * reads the pass anew at every call: it is over at once when it is revoked or expires, when its person has left or has
 * another address, when the record is deleted. Whoever holds a link that was good is told what became of it; to a stranger
 * it is as if it never was.
 */

/**
 * SQL of a pass `p` that opens something at the moment, with what the directory has of its person as `d` and the
 * organization `o`. $address is where the link went by which somebody came.
 */
export const openBy = (address: string): string =>
  `p.revoked_at is null and p.expires_at > clock_now() and o.status = 'active'
     and (p.person_id is null or d.status <> 'former') and lower(${ADDRESS}) = lower(${address})`

/**
 * SQL of why a pass `p` opens nothing any more for who came by a link to $address; null where they are told nothing: the
 * mailbox may be that of a stranger, to whom it went by mistake.
 */
export const whyOver = (address: string): string => `
  case when o.status <> 'active' or lower(${ADDRESS}) <> lower(${address}) then null
       when p.revoked_at is not null then coalesce(p.revoked_because, 'revoked')
       when d.status = 'former' then 'nothing_asked'
       when p.expires_at <= clock_now() then 'expired'
       when p.uses >= p.uses_at_most then 'used_up' end`

export const FROM_PASSES = `guest_passes p join organizations o on o.id = p.organization_id
  left join personnel d on d.organization_id = p.organization_id and d.id = p.person_id`

/** Where its person is written to, and what they are called. */
export const ADDRESS = 'coalesce(d.work_email, p.address)'
export const NAME = `coalesce(d.full_name, p.name, ${ADDRESS})`

/** SQL of what is told of the last mail of a pass `p`, where it came back from the address that its person still has. */
export const mailFailed = (what: string): string =>
  `case when lower(p.mail_failed_to) = lower(${ADDRESS}) then ${what} end`

const PASS_STATES = ['open', 'expired', 'revoked', 'ended'] as const

export const passState = z
  .enum(PASS_STATES)
  .describe('ended: its person has left, or it was opened as often as it may be')

/** SQL of how a pass `p` stands. */
export const PASS_STATE = `case when p.revoked_at is not null then 'revoked'
       when p.expires_at <= clock_now() then 'expired'
       when d.status = 'former' or p.uses >= p.uses_at_most then 'ended'
       else 'open' end`

export const guestPass = z
  .object({
    id: z.string(),
    purpose: z.enum(GUEST_PURPOSES).describe('What it lets somebody do'),
    recordId: z.string().describe('The one record that it is for'),
    personId: z.string().nullable().describe('Who it is for, in the directory'),
    name: z.string(),
    address: z.string().describe('Where its links go'),
    state: passState,
    expiresAt: timestamp,
    uses: z.int().describe('How often it was opened'),
    usesAtMost: z.int().nullable(),
    lastLinkAt: timestamp.nullable().describe('When a link was last made for it'),
    mailFailure: z.string().nullable().describe('Why the last mail to this address came back'),
    mailFailedAt: timestamp.nullable(),
    createdAt: timestamp,
    createdBy: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: 'GuestPass', title: 'Guest pass' })

export type GuestPass = z.output<typeof guestPass>

export const PASS_COLUMNS = `p.id, p.purpose, p.record_id as "recordId", p.person_id as "personId", ${NAME} as name,
  ${ADDRESS} as address, p.expires_at as "expiresAt", p.uses, p.uses_at_most as "usesAtMost",
  p.created_at as "createdAt", p.created_by as "createdBy", p.revoked_at as "revokedAt",
  (select max(l.created_at) from guest_links l
    where l.organization_id = p.organization_id and l.pass_id = p.id) as "lastLinkAt",
  ${mailFailed('p.mail_failure')} as "mailFailure", ${mailFailed('p.mail_failed_at')} as "mailFailedAt",
  ${PASS_STATE} as state`

/** @throws {Refusal} `not_found` */
export async function lockPass(tx: Transaction, id: string): Promise<GuestPass> {
  const [, [row]] = await Promise.all([
    tx.read(lock(tx.organizationId, id)),
    tx.read<Row & GuestPass>(read(tx.organizationId, id)),
  ])
  if (!row) throw notFound()
  return row
}

export interface NewPasses {
  readonly purpose: GuestPurpose
  readonly recordId: string
  /** ISO 8601. */
  readonly expiresAt: string
  readonly usesAtMost?: number
}

/** Somebody of the directory, or a mailbox. */
export type Guest =
  | { readonly personId: string }
  | { readonly address: string; readonly name?: string | undefined }

/**
 * Makes passes for one purpose at one record, in one statement however many they are. Whoever makes them has judged that
 * the caller may, and tells of it in an entry.
 * @returns their ids, in the order of the guests
 */
export function makePasses(
  tx: Transaction,
  caller: Caller,
  { purpose, recordId, expiresAt, usesAtMost }: NewPasses,
  guests: readonly Guest[],
): string[] {
  const ids = guests.map(() => newId('gps'))
  tx.write(
    insert(
      tx.organizationId,
      purpose,
      recordId,
      expiresAt,
      usesAtMost ?? null,
      JSON.stringify(actorOf(caller)),
      ids,
      guests.map((one) => ('personId' in one ? one.personId : null)),
      guests.map((one) => ('address' in one ? one.address : null)),
      guests.map((one) => ('address' in one ? (one.name ?? null) : null)),
    ),
  )
  return ids
}

const lock = statement('select from guest_passes where organization_id = $1 and id = $2 for no key update')

const read = statement(
  `select ${PASS_COLUMNS} from ${FROM_PASSES} where p.organization_id = $1 and p.id = $2`,
)

/** Of somebody whose mail came back lately it is told at the new pass as well. */
const insert = statement(`
  insert into guest_passes (organization_id, purpose, record_id, expires_at, uses_at_most, created_by, id, person_id,
    address, name, mail_failure, mail_failed_to, mail_failed_at, created_at)
  select $1, $2, $3, $4::timestamptz, $5::int, $6::jsonb, n.id, n.person_id, n.address, n.name,
         l.failure, l.address, l.ended_at, clock_now()
    from unnest($7::text[], $8::text[], $9::text[], $10::text[]) n (id, person_id, address, name)
    left join personnel d on d.organization_id = $1 and d.id = n.person_id
    ${joinBounce('d')}`)
