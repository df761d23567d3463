import type pg from 'pg'
import { statement } from '../database/connect.ts'
import { IDLE_HOURS } from '../identity/sessions.ts'
import { type AuditEvent, entryOfService, insertEntry } from '../journal/audit.ts'
import { removeUnusedClients } from '../oauth/registrations.ts'

/** What time alone removes. Each may run again at any moment. */

/** Rows of keys that expired 30 days ago, each with its entry; revoked ones stay. */
export async function sweepKeys(gate: pg.ClientBase): Promise<void> {
  const { rows } = await gate.query(removeKeys())
  for (const { organization_id, id, name, prefix, now } of rows) {
    const subject = { type: 'api_key', id, title: name }
    const changes = { prefix: { from: prefix, to: null } }
    const event: AuditEvent = { time: now, action: 'api_key.remove', subject, changes }
    await gate.query(insertEntry(...entryOfService(organization_id, CLOCK, event)))
  }
}

/** Answers kept for repeated requests, after 24 hours. */
export async function sweepAnswers(gate: pg.ClientBase): Promise<void> {
  await gate.query(removeAnswers())
}

/**
 * What waited for a first code, an authenticator, a second step or a provider, and waits no more; in the order
 * in which changes of factors remove such rows, so that neither waits for the other in a ring.
 */
export async function sweepUnfinished(gate: pg.ClientBase): Promise<void> {
  await gate.query(removePendingTotp())
  await gate.query(removeCeremonies())
  await gate.query(removeTickets())
  await gate.query(removeBegun())
}

/** What OAuth no longer needs: tokens and requests that are over, and clients that nobody agreed to. */
export async function sweepOauth(gate: pg.ClientBase): Promise<void> {
  await gate.query(removeTokens())
  await gate.query(removeStates())
  await gate.query(removeUnusedClients())
}

/** Sessions that let nobody in any more, and devices where nobody has signed in for long. */
export async function sweepSessions(gate: pg.ClientBase): Promise<void> {
  await gate.query(removeSessions())
  await gate.query(removeDevices())
}

export async function sweepLinks(gate: pg.ClientBase): Promise<void> {
  await gate.query(removeLinks())
}

export async function sweepSignInCounts(gate: pg.ClientBase): Promise<void> {
  await gate.query(removeSignInCounts())
}

const CLOCK = { id: 'clock', displayName: 'Clock' }

const removeKeys = statement(`
  delete from api_keys where revoked_at is null and expires_at <= clock_now() - interval '30 days'
  returning organization_id, id, name, prefix, clock_now() as now`)

const removeAnswers = statement(
  "delete from idempotency_answers where created_at <= clock_now() - interval '24 hours'",
)

const removeSessions = statement(`
  delete from sessions
   where expires_at <= clock_now() or last_seen_at <= clock_now() - interval '${IDLE_HOURS} hours'`)

const removeDevices = statement('delete from known_devices where expires_at <= clock_now()')

const removeLinks = statement('delete from one_time_links where expires_at <= clock_now()')

/** Past those that somebody counts on just now: they are locked in another order. */
const removeSignInCounts = statement(`
  delete from sign_in_counts
   where key in (select key from sign_in_counts where expires_at <= clock_now() for update skip locked)`)

const removeBegun = statement('delete from sign_ins_begun where expires_at <= clock_now()')
const removeTickets = statement('delete from sign_in_tickets where expires_at <= clock_now()')
const removeCeremonies = statement('delete from passkey_ceremonies where expires_at <= clock_now()')
const removePendingTotp = statement(
  "delete from totp_secrets where confirmed_at is null and created_at <= clock_now() - interval '1 hour'",
)

/** A day later, so that who comes with one is still told that it is over. */
const removeTokens = statement("delete from oauth_tokens where expires_at <= clock_now() - interval '1 day'")

const removeStates = statement('delete from oauth_states where expires_at <= clock_now()')
