import type pg from 'pg'
import type { Task } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import { IDLE_HOURS } from './sessions.ts'

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

/** Sessions that let nobody in any more, and devices where nobody has signed in for long. */
async function sweepSessions(gate: pg.ClientBase): Promise<void> {
  await gate.query(removeSessions())
  await gate.query(removeDevices())
}

const sweepLinks = (gate: pg.ClientBase) => gate.query(removeLinks())
const sweepSignInCounts = (gate: pg.ClientBase) => gate.query(removeSignInCounts())

/** What time alone ends of how people get in. */
export const identityTasks: readonly Task[] = [
  { name: 'sign-ins and second factors that were never finished', everyMinutes: 5, run: sweepUnfinished },
  { name: 'sessions that are over', everyMinutes: 60, run: sweepSessions },
  { name: 'links that are too old', everyMinutes: 60, run: sweepLinks },
  { name: 'counts whose window has ended', everyMinutes: 60, run: sweepSignInCounts },
]

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
