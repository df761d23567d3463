import type pg from 'pg'
import type { Task } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import { IDLE_MINUTES } from './guest-session.ts'

/**
 * Browsers where nobody came for long, links of passes that are over, and mails that were logged long enough; the passes
 * themselves stay in their lists.
 */
async function sweepGuests(gate: pg.ClientBase): Promise<void> {
  await gate.query(removeSessions())
  await gate.query(removeLinks())
  await gate.query(giveUpMails())
  await gate.query(removeMails())
}

export const guestTasks: readonly Task[] = [
  { name: 'guests who are gone, and links that open nothing', everyMinutes: 60, run: sweepGuests },
]

const removeSessions = statement(
  `delete from guest_sessions where last_seen_at <= clock_now() - interval '${IDLE_MINUTES} minutes'`,
)

/**
 * One that has expired can be extended: its links open again then, within this time. And whoever comes by a link of one
 * that ended is told so for as long.
 */
const removeLinks = statement(`
  delete from guest_links l using guest_passes p
   where p.organization_id = l.organization_id and p.id = l.pass_id
     and least(p.revoked_at, p.expires_at) <= clock_now() - interval '30 days'`)

/** A mail whose process ended, and which nobody sends any more. */
const giveUpMails = statement(`
  update guest_mails set state = 'given_up', due_at = null, ended_at = clock_now(),
         failure = coalesce(failure, 'It was lost as the service stopped.')
   where due_at < clock_now() - interval '1 day'`)

/** As long as those about notices. */
const removeMails = statement(`delete from guest_mails where ended_at <= clock_now() - interval '90 days'`)
