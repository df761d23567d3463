import { randomBytes } from 'node:crypto'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { keepUnderFirstKey } from '../keyring/credential-hashes.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'

/**
 * Links that let somebody in once: to set the service up, to accept an invitation, to choose a new password, to
 * finish a sign-in.
 *
 * The secret stands in the fragment of the address, which no server, proxy or referrer ever sees; the page
 * takes it from there. What is kept is a keyed hash, and using a link removes its row, so of two who use it
 * at the same moment one gets in.
 */
export type LinkPurpose = 'set_up' | 'invitation' | 'password_reset' | 'sign_in'

const PATHS: Record<LinkPurpose, string> = {
  set_up: '/set-up',
  invitation: '/invitation',
  password_reset: '/reset',
  sign_in: '/sign-in',
}

const HOURS: Record<LinkPurpose, number> = { set_up: 24, invitation: 7 * 24, password_reset: 1, sign_in: 1 }

export interface NewLink {
  readonly purpose: LinkPurpose
  /** Whom it lets in. */
  readonly accountId?: string
  readonly organizationId?: string
  /** Whether it goes to the person's mailbox and nowhere else. */
  readonly byMail?: boolean
  readonly createdBy?: string
}

export interface Link {
  readonly accountId: string | null
  readonly organizationId: string | null
  readonly byMail: boolean
}

/** A link that lets a person in. */
export type PersonsLink = Link & { readonly accountId: string }

/**
 * Links that anybody may have mailed to somebody. An earlier one stays good beside a later one, until one is used
 * or its hour is over: else whoever asks again and again would end each link before its person gets to it.
 */
const asksAnybody = ({ purpose, byMail }: NewLink): boolean =>
  byMail === true && (purpose === 'password_reset' || purpose === 'sign_in')

/**
 * Makes a link; earlier ones for the same purpose, person and organization are worth nothing from then on, but for
 * those that anybody may ask for.
 * @returns its address, for whoever it is for and nobody else
 */
export function makeLink(parts: Parts, tx: Transaction, link: NewLink): { address: string; hours: number } {
  const secret = randomBytes(32).toString('base64url')
  const { purpose, accountId = null, organizationId = null, byMail = false, createdBy = null } = link
  if (!asksAnybody(link)) tx.writeAsGate(forgetEarlier(purpose, accountId, organizationId))
  tx.writeAsGate(
    insert(
      parts.keyring.hash(secret),
      purpose,
      accountId,
      organizationId,
      byMail,
      createdBy,
      HOURS[purpose],
      parts.keyring.firstId,
    ),
  )
  return { address: `${parts.config.publicUrl}${PATHS[purpose]}#token=${secret}`, hours: HOURS[purpose] }
}

/**
 * What a link is for, without using it up.
 * @throws {Refusal} `link_invalid` for one that is unknown, used or too old, all alike
 */
export async function peekLink(parts: Parts, purpose: LinkPurpose, secret: string): Promise<Link> {
  const { rows } = await parts.database.gate.query(peek(parts.keyring.hashes(secret), purpose))
  if (!rows[0]) throw linkInvalid(purpose)
  const { hashedWith, ...link } = rows[0] as Link & { hashedWith: string | null }
  await keepUnderFirstKey(parts, 'oneTimeLink', secret, hashedWith)
  return link
}

/**
 * Uses a link up, with the transaction that does what it is for.
 * @throws {Refusal} `link_invalid`
 */
export async function useLink(
  parts: Parts,
  tx: Transaction,
  purpose: LinkPurpose,
  secret: string,
): Promise<Link> {
  const [row] = await tx.readAsGate<Link>(take(parts.keyring.hashes(secret), purpose))
  if (!row) throw linkInvalid(purpose)
  return row
}

/** Makes worth nothing what an organization let a person in by, who does not belong to it any more. */
export const endLinksOf = (tx: Transaction, accountId: string): void =>
  tx.writeAsGate(forgetOfOrganization(accountId, tx.organizationId))

/** With a new password, every link to choose one, or to finish a sign-in with the old one, is worth nothing. */
export const endResetsOf = (tx: Transaction, accountId: string): void =>
  tx.writeAsGate(forgetResets(accountId))

const CURES: Record<LinkPurpose, string> = {
  set_up: 'Restart the service: it prints a new one as long as there is no organization.',
  invitation: 'Ask an admin of the organization for a new one.',
  password_reset: 'Ask for a new one on the sign-in page.',
  sign_in: 'Sign in again.',
}

export const linkInvalid = (purpose: LinkPurpose) =>
  new Refusal('link_invalid', `This link was used already, or is too old. ${CURES[purpose]}`)

const forgetEarlier = statement(`
  delete from one_time_links
   where purpose = $1 and user_id is not distinct from $2 and organization_id is not distinct from $3`)

const forgetOfOrganization = statement(
  'delete from one_time_links where user_id = $1 and organization_id = $2',
)

const forgetResets = statement(
  "delete from one_time_links where user_id = $1 and purpose in ('password_reset', 'sign_in')",
)

const insert = statement(`
  insert into one_time_links (secret_hash, purpose, user_id, organization_id, by_mail, created_by, hashed_with, created_at,
    expires_at)
  select $1, $2, $3, $4, $5, $6, $8, now, now + $7 * interval '1 hour' from (select clock_now() as now) now`)

const FIELDS = 'user_id as "accountId", organization_id as "organizationId", by_mail as "byMail"'

const peek = statement(`
  select ${FIELDS}, hashed_with as "hashedWith" from one_time_links
   where secret_hash = any($1) and purpose = $2 and expires_at > clock_now()`)

const take = statement(`
  delete from one_time_links where secret_hash = any($1) and purpose = $2 and expires_at > clock_now()
  returning ${FIELDS}`)
