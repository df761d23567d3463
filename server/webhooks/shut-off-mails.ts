import type { Task } from '../clock/clock.ts'
import { type Row, statement } from '../database/connect.ts'
import { webhooksOffMail } from '../mail/messages.ts'
import type { Parts } from '../operation.ts'
import type { Queue, Ran } from '../queue/queue.ts'
import { Worker } from '../queue/worker.ts'
import { outcomes } from './outcomes.ts'

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

/** The endpoints of one organization that are off, of which its admins are not all told. */
interface Offs {
  readonly organizationId: string
  readonly endpoints: Off[]
  /** The admins who had such a mail within the hour. */
  readonly mailedLately: string[]
}

function queueOf(parts: Parts): Queue<Offs> {
  const { engine } = parts.database
  return {
    name: 'mails about webhook endpoints that went off',
    capacity: { slots: AT_ONCE, organizationShare: 0.5, firstAttemptShare: 0, claimAtMost: AT_ONCE },
    startWithinMs: LEASE_MS,
    partitionOf: ({ organizationId }) => organizationId,
    organizationOf: ({ organizationId }) => organizationId,
    sweep: async () => ({ waiting: (await engine.query(findDue())).rows.map(waitingOf), alone: false }),
    claim: async ({ partitions }) => {
      const { rows } = await engine.query<Offs>(claimDue(partitions, LEASE_MS))
      return { now: 0, items: rows }
    },
    run: async (offs): Promise<Ran> => {
      const startedAt = performance.now()
      const sent = await mailAdmins(parts, offs)
      return {
        ended: sent ? 'succeeded' : 'failed',
        durationMs: performance.now() - startedAt,
        dueInMs: null,
      }
    },
  }
}

const waitingOf = ({ organizationId }: Row) => ({
  partition: organizationId as string,
  organizationId: organizationId as string,
  dueInMs: 0,
})

/** @returns whether no mail failed */
async function mailAdmins(
  { config, database, log, mail }: Parts,
  { organizationId, endpoints: off, mailedLately }: Offs,
): Promise<boolean> {
  const { rows: admins } = await database.gate.query<Admin>(findAdmins(organizationId))
  const mailed = new Map(off.map(({ id, mailedTo }) => [id, new Set(mailedTo)]))
  const lately = new Set(mailedLately)
  const sent = await Promise.all(
    admins.map(async ({ userId, email, organization }) => {
      const untold = off.filter(({ id }) => !mailed.get(id)!.has(userId))
      if (untold.length === 0 || lately.has(userId)) return null
      const endpoints = untold.map(({ address, trippedBy }) => {
        const last = trippedBy?.at(-1)
        return { address, failure: last ? outcomes[last.outcome].meaning : null }
      })
      const path = untold.length === 1 ? `/settings/webhooks/${untold[0]!.id}` : '/settings/webhooks'
      const address = new URL(path, config.publicUrl).href
      const failure = await mail!.send(webhooksOffMail(email, { organization, endpoints, address }))
      if (failure !== null) return failure
      const ids = untold.map(({ id }) => id)
      const offSince = untold.map(({ disabledAt }) => disabledAt)
      await database.engine.query(keep(organizationId, userId, ids, offSince))
      for (const id of ids) mailed.get(id)!.add(userId)
      return null
    }),
  )
  const failed = sent.some((failure) => failure !== null)
  if (failed)
    log.warn({ organizationId }, 'an admin could not be mailed that webhook endpoints went off: tried again')
  const told = off.filter(({ id }) => admins.every(({ userId }) => mailed.get(id)!.has(userId)))
  await database.engine.query(
    finish(
      told.map(({ id }) => id),
      told.map(({ leaseEndsAt }) => leaseEndsAt),
    ),
  )
  return !failed
}

interface Off {
  id: string
  address: string
  trippedBy: { outcome: keyof typeof outcomes }[] | null
  /** As PostgreSQL writes it, to the microsecond. */
  disabledAt: string
  /** The admins who know of it already. */
  mailedTo: string[]
  /** What the claim made of its due moment, and its fence: no other moment is the same. */
  leaseEndsAt: string
}

interface Admin {
  userId: string
  email: string
  organization: string
}

const IS_OFF = "not e.enabled and e.disabled_reason = 'failures' and e.deleted_at is null"

const findDue = statement(`
  select e.organization_id as "organizationId" from webhook_endpoints e
   where e.shut_off_mail_due_at <= clock_now() and ${IS_OFF}
     and e.disabled_at > clock_now() - interval '1 day'
   group by e.organization_id`)

/**
 * All of an organization or nothing, so that its admins get one mail: while another process claims them, they are its.
 *
 * Parameters: organizations, lease in ms.
 */
const claimDue = statement(`
  with mine as materialized (
    select w.id from unnest($1::text[]) as w (id)
     where pg_try_advisory_xact_lock(hashtextextended('webhook shut-off mails of ' || w.id, 0))
  ),
  claimed as (
    update webhook_endpoints e
       set shut_off_mail_due_at = clock_now()
             + greatest($2::int * interval '1 millisecond', (clock_now() - e.disabled_at) / 4)
      from mine
     where e.organization_id = mine.id and ${IS_OFF}
       and e.shut_off_mail_due_at <= clock_now() + interval '1 minute'
    returning e.organization_id, e.id, e.address, e.tripped_by, e.disabled_at, e.shut_off_mail_due_at
  )
  select c.organization_id as "organizationId",
         jsonb_agg(jsonb_build_object('id', c.id, 'address', c.address, 'trippedBy', c.tripped_by,
           'disabledAt', c.disabled_at, 'leaseEndsAt', c.shut_off_mail_due_at,
           'mailedTo', array(select m.user_id from webhook_shut_off_mails m
                              where m.organization_id = c.organization_id and m.endpoint_id = c.id
                                and m.disabled_at = c.disabled_at))) as endpoints,
         array(select distinct m.user_id from webhook_shut_off_mails m
                where m.organization_id = c.organization_id
                  and m.sent_at > clock_now() - interval '1 hour') as "mailedLately"
    from claimed c group by c.organization_id`)

/** Of which turn-off a mail told stays true whatever became of the endpoint since. */
const keep = statement(`
  insert into webhook_shut_off_mails (organization_id, user_id, endpoint_id, disabled_at, sent_at)
  select e.organization_id, $2, e.id, off.since, clock_now()
    from unnest($3::text[], $4::timestamptz[]) as off (id, since)
    join webhook_endpoints e on e.organization_id = $1 and e.id = off.id
      on conflict (organization_id, user_id, endpoint_id)
         do update set disabled_at = excluded.disabled_at, sent_at = excluded.sent_at`)

const finish = statement(`
  update webhook_endpoints e set shut_off_mail_due_at = null
    from unnest($1::text[], $2::timestamptz[]) as told (id, lease_ends_at)
   where e.id = told.id and e.shut_off_mail_due_at = told.lease_ends_at`)

const findAdmins = statement(`
  select m.user_id as "userId", u.email, o.name as organization
    from members m join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and m.role = 'admin' and m.status = 'active'
     and u.disabled_at is null
   order by u.email`)
