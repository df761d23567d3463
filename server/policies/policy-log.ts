import { sql } from 'kysely'
import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { build } from '../database/build.ts'
import { operation, scope } from '../operation.ts'
import { timestamp } from '../output.ts'
import { change } from '../records/history.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { mayRead } from '../records/readable.ts'
import { ID } from '../records/schemas.ts'
import { assertThere } from '../records/stored-record.ts'
import { policy } from './policy-acts.ts'

/*
 * What happened to a policy, to its versions, to what was decided on them, to the links by which they are read and to
 * its exceptions, in one list: a reading
 * of the entries of all of them, which nobody can change. An entry that only repeats what another says, as the state of
 * a policy does that of its version, is left out.
 */

const personnel = kinds.personnel as unknown as Kind

const EVENTS = [
  'created',
  'edited',
  'submitted',
  'withdrawn',
  'approved',
  'rejected',
  'voided',
  'published',
  'discarded',
  'retired',
  'restored',
  'owner_changed',
  'approver_changed',
  'review_date_changed',
  'exception_requested',
  'exception_granted',
  'exception_denied',
  'exception_revoked',
  'exception_expired',
  'attestation_requested',
  'attestation_ended',
  'attestation_acknowledged',
  'attestation_exempted',
  'attestation_reminded',
  'certificate_downloaded',
  'link_extended',
  'link_revoked',
  'link_sent',
] as const

const logEntry = z
  .object({
    id: z.string(),
    time: timestamp,
    actor: z.object({
      type: z.string(),
      id: z.string(),
      displayName: z.string(),
      actingUserId: z.string().nullish(),
    }),
    event: z.enum(EVENTS),
    versionId: z
      .string()
      .nullable()
      .describe('The version that it is about; none of what is about the policy'),
    exceptionId: z.string().nullable().describe('The exception that it is about'),
    whose: z
      .string()
      .nullable()
      .describe(
        'Whose decision was voided, or who is let in by the link; the latter takes the right to read personnel',
      ),
    changes: z.record(z.string(), change).nullable().describe('Without texts, which the versions have'),
    comment: z.string().nullable().describe('What somebody said about it, or why it came to be'),
  })
  .meta({ id: 'PolicyLogEntry', title: 'What happened to a policy' })

export const getPolicyLog = operation({
  name: 'getPolicyLog',
  method: 'GET',
  path: '/v1/policies/{id}/log',
  needs: scope('read:policies'),
  writes: false,
  isAside: true,
  title: 'Read the log of a policy',
  description:
    'What happened to it, to its versions and exceptions, the latest first. Nothing is ever taken out.',
  input: z.strictObject({ id: ID, ...PAGE }),
  output: pageOf(logEntry),
  run: async (context, { id, limit, cursor }) => {
    const { tx } = context
    const place = readCursor(cursor, ORDER.sort)
    // Who was asked, and what they said, is read in the directory.
    const isNamed = mayRead(context.caller, personnel)
    const shown = isNamed ? sql`true` : sql`a.event <> 'attestation_acknowledged'`
    const isBehind = place ? behind(ORDER, place) : sql`true`
    const rest = sql`${shown} and ${isBehind} ${orderBy(ORDER)} limit ${limit + 1}`
    const [rows] = await Promise.all([
      tx.read(build(logOf(tx.organizationId, id, isNamed, rest))),
      assertThere(context, policy, id),
    ])
    return page(
      rows,
      limit,
      ORDER.sort,
      (row) => row as never,
      (row) => ({ value: row.time as string, id: row.id as string }),
    )
  },
})

const ORDER: Order = { sort: '-time', column: sql.ref('a.time'), id: sql.ref('a.id'), descending: true }

/** What the change of a state was, by the kind of what changed and by where it came from and went. */
const EVENT = sql`case a.subject_type
  when 'policy' then case
    when a.action = 'policy.create' then 'created'
    when a.action = 'attestation.request' then 'attestation_requested'
    when a.action = 'attestation.end' then 'attestation_ended'
    when a.action = 'attestation.acknowledge' then 'attestation_acknowledged'
    when a.action = 'attestation.exempt' then 'attestation_exempted'
    when a.action = 'attestation.remind' then 'attestation_reminded'
    when a.action = 'attestation.certify' then 'certificate_downloaded'
    when a.changes #>> '{status,to}' = 'retired' then 'retired'
    when a.changes #>> '{status,from}' = 'retired' then 'restored'
    when a.changes -> 'status' is not null or a.action <> 'policy.update' then null
    when a.changes -> 'ownerId' is not null then 'owner_changed'
    when a.changes -> 'approverId' is not null then 'approver_changed'
    when a.changes -> 'reviewDate' is not null then 'review_date_changed'
    when exists (select from json_object_keys(a.changes) k
                  where k not in ('draftVersionId', 'versionLabel', 'inForce', 'reviewOverdue')) then 'edited'
  end
  when 'policy_version' then case
    when a.action = 'policy_version.create' then 'edited'
    when a.changes #>> '{status,to}' = 'pending_approval' then 'submitted'
    when a.changes #>> '{status,to}' in ('published', 'discarded') then a.changes #>> '{status,to}'
    when a.changes -> 'rejectionReason' is not null then null
    when a.changes #>> '{status,to}' = 'draft' and a.changes -> 'content' is null and a.changes -> 'file' is null
         and a.changes -> 'title' is null and a.changes -> 'materialChange' is null then 'withdrawn'
    when a.changes -> 'status' is null or a.changes #>> '{status,to}' = 'draft' then 'edited'
  end
  when 'policy_decision' then case
    when a.changes #>> '{status,to}' in ('approved', 'rejected', 'voided') then a.changes #>> '{status,to}'
  end
  when 'guest_pass' then case a.action
    when 'guest_pass.extend' then 'link_extended'
    when 'guest_pass.revoke' then 'link_revoked'
    when 'guest_pass.send' then 'link_sent'
  end
  when 'policy_exception' then case
    when a.action = 'policy_exception.create' then 'exception_requested'
    when a.changes #>> '{status,to}' = 'approved' then 'exception_granted'
    when a.changes #>> '{status,to}' in ('denied', 'revoked', 'expired') then 'exception_' || (a.changes #>> '{status,to}')
  end
end`

/** What the versions have. */
const TEXTS = ['content', 'text']

/** What names people of the directory. */
const PERSONAL = ['personId', 'personIds', 'person', 'email']

/** The version of which somebody was asked, or said something: an entry has its number. */
const ASKED_ABOUT = sql`(
  select v.id from policy_versions v
   where v.organization_id = a.organization_id and v.policy_id = a.subject_id and v.label = a.changes #>> '{version,to}'
     and a.event like 'attestation_%' and v.status in ('published', 'superseded') limit 1)`

const logOf = (organizationId: string, id: string, isNamed: boolean, rest: ReturnType<typeof sql>) => sql`
  select a.id, a.time, a.actor, a.event, coalesce(a.version_id, ${ASKED_ABOUT}) as "versionId",
         a.exception_id as "exceptionId", a.changes,
         case when a.event = 'voided' then a.approver
              when a.event like 'link_%' and ${isNamed} then a.subject ->> 'title' end as whose,
         case when a.event <> 'attestation_exempted' or ${isNamed} then a.comment end as comment
    from (
      select a.organization_id, a.id, a.time, a.actor, a.subject_id, ${EVENT} as event, s.version_id, s.exception_id, s.approver, a.subject,
             (select json_object_agg(c.key, c.value) from json_each(a.changes) c
               where c.key <> all(${isNamed ? TEXTS : [...TEXTS, ...PERSONAL]}::text[])) as changes,
             coalesce(a.changes #>> '{comment,to}', a.changes #>> '{statusReason,to}', a.reason) as comment
        from (
          select ${id}::text as subject_id, null::text as version_id, null::text as exception_id, null::text as approver
          union all
          select v.id, v.id, null, null from policy_versions v
           where v.organization_id = ${organizationId} and v.policy_id = ${id}
          union all
          select d.id, v.id, null, coalesce(d.approver_name, m.name) from policy_versions v
            join policy_decisions d on d.organization_id = v.organization_id and d.version_id = v.id
            left join members m on m.organization_id = d.organization_id and m.user_id = d.approver_user_id
           where v.organization_id = ${organizationId} and v.policy_id = ${id}
          union all
          select e.id, null, e.id, null from policy_exceptions e
           where e.organization_id = ${organizationId} and e.policy_id = ${id}
          union all
          select p.id, null, null, null from policy_versions v
            join guest_passes p on p.organization_id = v.organization_id and p.record_id = v.id
           where v.organization_id = ${organizationId} and v.policy_id = ${id}) s
        join audit_entries a on a.organization_id = ${organizationId} and a.subject_id = s.subject_id
         and a.outcome = 'success') a
   where a.event is not null and ${rest}`
