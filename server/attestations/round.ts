import { GUEST_DAYS_AFTER_DUE } from '../../model/attestation.ts'
import type { Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import type { Transaction } from '../database/transaction.ts'
import { makePasses } from '../guests/guest-pass.ts'
import { audit } from '../journal/audit.ts'
import { tell } from '../journal/tell.ts'

/**
 * Whom a policy asks, kept as it should be: whoever is in its audience and has not said yet that they read its version in
 * force, or one of the same major number, has one open request for that version; nobody else has an open one. It is
 * settled where a version is published, where the audience changes, and from the clock, for those who join and leave. So
 * nothing else knows when somebody is to be asked.
 *
 * It is one reading and a few statements, however many people there are. Who signs in is told in the app, and by mail as
 * they have chosen; who does not is written to with a link of their own (mail-requests.ts).
 */
export async function settleRound(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Caller },
  policyId: string,
): Promise<{ asked: number; ended: number }> {
  const [policy] = await tx.read<Asking>(lockPolicy(tx.organizationId, policyId))
  if (!policy) return { asked: 0, ended: 0 }
  const ended = await tx.read<{ passId: string | null }>(
    endOpen(tx.organizationId, policyId, policy.versionId, policy.isAsking),
  )
  tx.write(
    revokePasses(
      tx.organizationId,
      ended.flatMap(({ passId }) => passId ?? []),
    ),
  )
  const { versionId } = policy
  const asked =
    policy.isAsking && versionId !== null
      ? await tx.read<Person>(findUnasked(tx.organizationId, policyId, versionId, policy.round))
      : []
  if (asked.length > 0 && versionId !== null) ask({ tx, caller }, policyId, { ...policy, versionId }, asked)
  if (asked.length + ended.length > 0)
    audit(tx, caller, {
      time: await tx.now,
      action: 'attestation.request',
      subject: { type: 'policy', id: policyId, reference: policy.reference, title: policy.title },
      changes: {
        asked: { from: null, to: asked.length },
        ended: { from: null, to: ended.length },
      },
    })
  return { asked: asked.length, ended: ended.length }
}

/** Where members find what they have to read. */
export const TO_READ = '/my-work'

function ask(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Caller },
  policyId: string,
  { title, versionId, round, dueDate, guestsUntil }: Asking & { readonly versionId: string },
  people: readonly Person[],
): void {
  const guests = people.filter(({ userId }) => userId === null)
  const passes = makePasses(
    tx,
    caller,
    { purpose: 'attest', recordId: versionId, expiresAt: guestsUntil },
    guests.map(({ id }) => ({ personId: id })),
  )
  const passOf = new Map(guests.map(({ id }, at) => [id, passes[at]!]))
  tx.write(
    insert(
      tx.organizationId,
      policyId,
      versionId,
      round,
      dueDate,
      people.map(() => newId('pat')),
      people.map(({ id }) => id),
      people.map(({ id }) => passOf.get(id) ?? null),
    ),
  )
  tell(
    tx,
    caller,
    people.flatMap(({ userId }) =>
      userId === null
        ? []
        : [
            {
              kind: 'asked_to_acknowledge' as const,
              who: userId,
              facts: { about: title, page: TO_READ },
            },
          ],
    ),
  )
}

interface Asking {
  readonly reference: string
  readonly title: string
  /** That in force; null where none is. */
  readonly versionId: string | null
  readonly round: number
  /** Whether it asks anybody at all. */
  readonly isAsking: boolean
  readonly dueDate: string
  readonly guestsUntil: string
}

interface Person {
  readonly id: string
  /** The user they sign in as; null for who does not. */
  readonly userId: string | null
}

/** Somebody `d` of the directory whom the policy `p` is for. */
const IS_FOR = `d.status in ('active', 'on_leave') and d.in_scope and d.archived_at is null and case p.audience
    when 'everyone' then true
    when 'departments' then d.department = any(p.audience_ids)
    when 'groups' then d.labels && p.audience_ids
    else false end`

const OPEN = `a.status in ('requested', 'viewed')`

/** One round of a policy is settled at a time. */
const lockPolicy = statement(`
  select k.reference, k.called as title, p.current_version_id as "versionId", v.major as round,
         p.requires_attestation is true and p.status <> 'retired' and p.archived_at is null
           and v.id is not null as "isAsking",
         (day.today + coalesce(p.attestation_due_days, 14))::text as "dueDate",
         clock_now() + (coalesce(p.attestation_due_days, 14) + ${GUEST_DAYS_AFTER_DUE}) * interval '1 day' as "guestsUntil"
    from policies p
    join known_records k on k.organization_id = p.organization_id and k.id = p.id
    left join policy_versions v on v.organization_id = p.organization_id and v.id = p.current_version_id
    cross join (select (clock_now() at time zone deadline_zone($1))::date as today) day
   where p.organization_id = $1 and p.id = $2
     for no key update of p`)

const endOpen = statement(`
  update attestations a set status = 'cancelled', told_at = null, updated_at = clock_now()
   where a.organization_id = $1 and a.policy_id = $2 and ${OPEN}
     and (a.version_id is distinct from $3 or not $4::boolean or not exists (
       select from personnel d join policies p on p.organization_id = d.organization_id and p.id = a.policy_id
        where d.organization_id = a.organization_id and d.id = a.personnel_id and ${IS_FOR}))
  returning a.pass_id as "passId"`)

const revokePasses = statement(`
  update guest_passes set revoked_at = clock_now()
   where organization_id = $1 and id = any($2::text[]) and revoked_at is null`)

/** Parameters: organization, policy, version, round. */
const findUnasked = statement(`
  select d.id, m.user_id as "userId"
    from policies p
    join personnel d on d.organization_id = p.organization_id
    left join members m on m.organization_id = d.organization_id and m.user_id = d.user_id and m.status = 'active'
   where p.organization_id = $1 and p.id = $2 and ${IS_FOR}
     and not exists (
       select from attestations a
        where a.organization_id = p.organization_id and a.policy_id = p.id and a.personnel_id = d.id
          and ((a.round = $4::int and a.status in ('acknowledged', 'exempt')) or (a.version_id = $3 and ${OPEN})))
   order by d.id`)

const insert = statement(`
  insert into attestations (organization_id, policy_id, version_id, round, due_date, id, personnel_id, pass_id, status,
    requested_at, told_at, updated_at)
  select $1, $2, $3, $4::int, $5::date, a.id, a.person_id, a.pass_id, 'requested', now,
         case when a.pass_id is null then ($5::date - 3)::timestamptz else now end, now
    from unnest($6::text[], $7::text[], $8::text[]) a (id, person_id, pass_id),
         (select clock_now() as now) clock
      on conflict do nothing`)
