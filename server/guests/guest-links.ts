import { randomBytes } from 'node:crypto'
import type { PassEnd } from '../../model/guest-purpose.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'

/*
 * The links of a pass. A secret of 256 bits stands behind the `#` of the address, which no server, proxy or referrer ever
 * sees, and what is kept is a keyed hash. So a link cannot be read again: each mail has one of its own, made when it is
 * sent, and all of them are good until the pass is over. With a new one come fresh codes (guest-codes.ts). Whatever fetches
 * the address, a preview or a scanner of mails, gets a page and uses nothing up.
 */

const PATH = '/guest'

/**
 * Makes a link of a pass.
 * @param address where it is sent, and nowhere else
 * @returns its address, for whoever it is for and nobody else
 */
export function makeGuestLink(
  { keyring, config }: Pick<Parts, 'keyring' | 'config'>,
  tx: Transaction,
  passId: string,
  address: string,
): string {
  const secret = randomBytes(32).toString('base64url')
  tx.write(insert(tx.organizationId, passId, keyring.hash(secret), keyring.firstId, address))
  tx.write(forgetCodes(tx.organizationId, passId))
  tx.write(forgetPlaces(tx.organizationId, passId))
  return `${config.publicUrl}${PATH}#token=${secret}`
}

/** Has every link so far, and every browser that came by one, open nothing any more. */
export function endGuestLinks(tx: Transaction, passId: string): void {
  tx.write(removeLinks(tx.organizationId, passId))
  tx.write(removeSessions(tx.organizationId, passId))
}

/** Alike for a link that never was, one that a newer one replaced, and one that went to an address that is no more. */
export const linkOver = (): Refusal =>
  new Refusal(
    'link_invalid',
    'This link opens nothing, or not any more: use the one of the latest mail, or ask whoever sent it for a new one.',
  )

const ENDED: Record<PassEnd, string> = {
  expired: 'This link has expired: ask whoever sent it for more time.',
  revoked: 'This link was revoked: ask whoever sent it, if you still need it.',
  used_up: 'This link was opened as often as it may be: ask whoever sent it for a new one.',
  nothing_asked: 'Nothing is asked of you here any more: you need not do anything.',
  other_way:
    'You were given another way: use the link of the latest mail, or sign in where you have an account by now.',
}

/** Told to whoever holds the secret of a link or a session that was good, and to nobody else. */
export const passOver = (reason: PassEnd | null): Refusal =>
  reason === null ? linkOver() : new Refusal('link_invalid', ENDED[reason], { reason })

const insert = statement(`
  insert into guest_links (organization_id, pass_id, secret_hash, hashed_with, address, created_at)
  values ($1, $2, $3, $4, $5, clock_now())`)

const forgetCodes = statement(
  'update guest_passes set codes = 0, codes_in_hour = 0, codes_since = null where organization_id = $1 and id = $2',
)
const forgetPlaces = statement('delete from guest_code_counts where organization_id = $1 and pass_id = $2')

const removeLinks = statement('delete from guest_links where organization_id = $1 and pass_id = $2')
const removeSessions = statement('delete from guest_sessions where organization_id = $1 and pass_id = $2')
