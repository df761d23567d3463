import type { Task } from '../clock/clock.ts'
import type { Parts } from '../operation.ts'
import type { Queue, Ran, Waiting } from '../queue/queue.ts'
import { Worker } from '../queue/worker.ts'
import { claimShutOffs, findDueShutOffs, type ShutOffs } from './shut-off-mails/claim.ts'
import { mailAdmins } from './shut-off-mails/mail-admins.ts'

/**
 * Tells the admins by mail which of their webhook endpoints were turned off by failures.
 *
 * That a mail is due stands on the endpoint, written with the turn-off itself; so it is sent also where the process
 * ends before. The endpoints are a queue (queue/queue.ts) that the clock drains each minute. What is worked at one time
 * is all of an organization that is due or will be within a minute; the claim is its lease: until it ends, another
 * process leaves them alone, and after a crash they are taken up again. Whom a mail reached is noted for each endpoint:
 * it stays due until all admins had theirs, and nobody gets it twice. An admin gets one such mail an hour at most; what
 * goes off meanwhile is in the next.
 */
export async function mailShutOffs(parts: Parts): Promise<void> {
  const { database, log } = parts
  if (parts.mail) await new Worker(queueOf(parts), { pool: database.engine, log }).drain()
}

/** What time alone does for webhook endpoints. */
export const webhookTasks: readonly Task[] = [
  { name: 'mails to admins of webhook endpoints that went off', everyMinutes: 1, runApart: mailShutOffs },
]

/** Mails wait for one server: a few organizations at a time. */
const AT_ONCE = 2
/** Whoever could not be mailed is tried again ever more rarely, for a day. */
const LEASE_MS = 600_000

function queueOf(parts: Parts): Queue<ShutOffs> {
  const { engine } = parts.database
  return {
    name: 'mails about webhook endpoints that went off',
    capacity: { slots: AT_ONCE, organizationShare: 0.5, firstAttemptShare: 0, claimAtMost: AT_ONCE },
    startWithinMs: LEASE_MS,
    partitionOf: ({ organizationId }) => organizationId,
    organizationOf: ({ organizationId }) => organizationId,
    sweep: async () => {
      const { rows } = await engine.query<Waiting>(findDueShutOffs())
      return { waiting: rows, alone: false }
    },
    claim: async ({ partitions }) => {
      const { rows } = await engine.query<ShutOffs>(claimShutOffs(partitions, LEASE_MS))
      return { now: 0, items: rows }
    },
    run: async (shutOffs): Promise<Ran> => {
      const startedAt = performance.now()
      const sent = await mailAdmins(parts, shutOffs)
      return {
        ended: sent ? 'succeeded' : 'failed',
        durationMs: performance.now() - startedAt,
        dueInMs: null,
      }
    },
  }
}
