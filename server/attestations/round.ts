import { ATTESTATION_DUE_DAYS, GUEST_DAYS_AFTER_DUE } from '../../model/attestation.ts'
import type { Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import type { Transaction } from '../database/transaction.ts'
import { joinBounce } from '../guests/guest-mails.ts'
import { makePasses } from '../guests/guest-pass.ts'
import { answerAbout, tell } from '../journal/tell.ts'
import { noteRound } from './note-round.ts'
import { CHANGED, factsOf, OWNER, REPLACES, type ToTell } from './what-is-told.ts'

/**
 * Whom a policy asks, kept as it should be: whoever is in its audience and has not said yet that they read its version in
 * force, or one of the same major number, has one open request for that version; nobody else has an open one. A correction
 * takes the place of what it corrects in the requests that are open: they are due on the same day, and by the same link.
 * A material change asks anew, and the link of who had not answered yet leads on to it: they may be reading.
 * Whose way to the text ended, as a login or a pass did, has another to the same request; a pass that somebody revoked is
 * replaced when somebody reminds, and by no clock. It is settled where a version is published, and from the clock: for
 * those who join and leave, and within a minute where whom it is for was changed. So nothing else knows when somebody is to be asked.
 *
 * It is one reading and a few statements, however many people there are. Who signs in is told in the app, and by mail as
 * they have chosen; who does not is written to with a link of their own (reminders.ts).
 */
export async function settleRound(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Caller },
  policyId: string,
  { replacesRevoked = 'none' }: { readonly replacesRevoked?: Replaced } = {},
): Promise<{ asked: number; ended: number; led: readonly string[] }> {
  // What is in force is read once the lock is held: a version that was published while this waited counts.
  await tx.read(lockPolicy(tx.organizationId, policyId))
  const [policy] = await tx.read<Asking>(readPolicy(tx.organizationId, policyId))
  if (!policy) return { asked: 0, ended: 0, led: [] }
  const { versionId, isAsking, round } = policy
  const asking = isAsking && versionId !== null ? { ...policy, versionId } : null
  if (asking) {
    tx.write(carryPasses(tx.organizationId, policyId, asking.versionId, round))
    tx.write(carryOpen(tx.organizationId, policyId, asking.versionId, round))
  }
  // Where mails came back and the address is another by now, that one is written to.
  if (isAsking) tx.write(tellAtNewAddress(tx.organizationId, policyId))
  const ended = await tx.read<Ended>(endOpen(tx.organizationId, policyId, versionId, isAsking))
  answerAbout(tx, 'asked_to_acknowledge', ended)
  const asked = asking
    ? await tx.read<Person>(findUnasked(tx.organizationId, policyId, asking.versionId, round, asking.dueDate))
    : []
  const kept = passesThatLeadOn(ended, asked)
  endPasses(tx, ended, asked, kept)
  if (asking && asked.length > 0) ask({ tx, caller }, policyId, asking, asked, kept)
  const led = asking ? await openWays({ tx, caller }, policyId, asking, replacesRevoked) : []
  await noteRound({ tx, caller }, { policyId, ...policy }, { asked: asked.map(({ id }) => id), ended })
  return { asked: asked.length, ended: ended.length, led }
}

function ask(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Caller },
  policyId: string,
  given: Asking & { readonly versionId: string },
  people: readonly Person[],
  kept: ReadonlyMap<string, string>,
): void {
  const { versionId, round, dueDate, guestsUntil } = given
  if (kept.size > 0) tx.write(leadOn(tx.organizationId, [...kept.values()], versionId, guestsUntil))
  const guests = people.filter(({ id, userId }) => userId === null && !kept.has(id))
  const passes = makePasses(
    tx,
    caller,
    { purpose: 'attest', recordId: versionId, expiresAt: guestsUntil },
    guests.map(({ id }) => ({ personId: id })),
  )
  const passOf = new Map([...kept, ...guests.map(({ id }, at) => [id, passes[at]!] as const)])
  const ids = people.map(() => newId('pat'))
  tx.write(
    insert(
      tx.organizationId,
      policyId,
      versionId,
      round,
      dueDate,
      ids,
      people.map(({ id }) => id),
      people.map(({ id }) => passOf.get(id) ?? null),
    ),
  )
  tell(
    tx,
    caller,
    people.flatMap(({ userId, dueDate, replaces, changed }, at) =>
      userId === null
        ? []
        : {
            kind: 'asked_to_acknowledge' as const,
            who: userId,
            facts: factsOf(caller, ids[at]!, { ...given, dueDate, replaces, changed }, userId),
          },
    ),
  )
}

/** The passes of guests who are asked anew before they answered, by person: what they have of them leads on. */
function passesThatLeadOn(ended: readonly Ended[], asked: readonly Person[]): Map<string, string> {
  const guests = new Set(asked.filter(({ userId }) => userId === null).map(({ id }) => id))
  return new Map(
    ended.flatMap(({ personId, passId, isPassOpen }) =>
      passId !== null && isPassOpen && guests.has(personId) ? [[personId, passId] as const] : [],
    ),
  )
}

/** Whoever comes by one of the others is told whether anything is asked of them still. */
function endPasses(
  tx: Transaction,
  ended: readonly Ended[],
  asked: readonly Person[],
  kept: ReadonlyMap<string, string>,
): void {
  const people = new Set(asked.map(({ id }) => id))
  const over = ended.filter(({ personId, passId }) => passId !== null && kept.get(personId) !== passId)
  const passesOf = (isAsked: boolean) =>
    over.flatMap(({ personId, passId }) => (people.has(personId) === isAsked ? (passId ?? []) : []))
  tx.write(revokePasses(tx.organizationId, passesOf(false), 'nothing_asked'))
  tx.write(revokePasses(tx.organizationId, passesOf(true), 'other_way'))
}

/** Of which requests a pass that somebody revoked is replaced: of one by its id. */
type Replaced = 'none' | 'all' | (string & {})

/** Who has no way to the text any more, or signs in by now, is led to it anew. @returns the requests of those who are told so */
async function openWays(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Caller },
  policyId: string,
  { versionId, guestsUntil }: Asking & { readonly versionId: string },
  replacesRevoked: Replaced,
): Promise<string[]> {
  const stranded = await tx.read<Person & { attestationId: string; passId: string | null }>(
    findStranded(tx.organizationId, policyId, replacesRevoked),
  )
  if (stranded.length === 0) return []
  tx.write(
    revokePasses(
      tx.organizationId,
      stranded.flatMap(({ passId }) => passId ?? []),
      'other_way',
    ),
  )
  const guests = stranded.filter(({ userId }) => userId === null)
  const passes = makePasses(
    tx,
    caller,
    { purpose: 'attest', recordId: versionId, expiresAt: guestsUntil },
    guests.map(({ id }) => ({ personId: id })),
  )
  const passOf = new Map(guests.map(({ attestationId }, at) => [attestationId, passes[at]!]))
  const opened = await tx.read<{ id: string; isTold: boolean }>(
    openWay(
      tx.organizationId,
      stranded.map(({ attestationId }) => attestationId),
      stranded.map(({ attestationId }) => passOf.get(attestationId) ?? null),
    ),
  )
  return opened.flatMap(({ id, isTold }) => (isTold ? [id] : []))
}

interface Asking extends Pick<ToTell, 'owner' | 'ownerId'> {
  readonly reference: string
  readonly title: string
  /** That in force; null where none is. */
  readonly versionId: string | null
  /** Its number. */
  readonly version: string | null
  readonly round: number
  /** Whether it asks anybody at all. */
  readonly isAsking: boolean
  readonly dueDate: string
  readonly guestsUntil: string
}

interface Person extends Pick<ToTell, 'replaces' | 'changed'> {
  readonly id: string
  /** The user they sign in as; null for who does not. */
  readonly userId: string | null
  readonly dueDate: string
}

/** A request that ended before it was answered. */
interface Ended {
  readonly personId: string
  /** That it was about. */
  readonly version: string
  readonly passId: string | null
  readonly isPassOpen: boolean
  readonly userId: string | null
  readonly about: string
}

/** Somebody `d` of the directory whom policies are for. */
export const IS_IN_SCOPE = `d.status in ('active', 'on_leave') and d.in_scope and d.archived_at is null`

/** The same whom the policy `p` is for. */
export const IS_FOR = `${IS_IN_SCOPE} and case p.audience
    when 'everyone' then true
    when 'departments' then d.department = any(p.audience_ids)
    when 'groups' then d.labels && p.audience_ids
    else false end`

const OPEN = `a.status in ('requested', 'viewed')`

/** Whether the policy `p` asks anybody, once a version of it is in force. */
const IS_ASKING = `p.requires_attestation is true and p.status <> 'retired' and p.archived_at is null`

/** Whether the policy `p` asks the person `d`. */
export const IS_ASKED = `coalesce(${IS_ASKING} and ${IS_FOR}, false)`

/** How the request `a` stands: it is over as soon as its policy or its person is no longer such, and noted soon after. */
export const STANDING = `case when ${OPEN} and not ${IS_ASKED} then 'cancelled' else a.status end`

/** To whom the request `a` was told in the app, and about what. */
export const TOLD = `
  (select d.user_id from personnel d where d.organization_id = a.organization_id and d.id = a.personnel_id) as "userId",
  (select v.title from policy_versions v where v.organization_id = a.organization_id and v.id = a.version_id) as about`

/** One round of a policy is settled at a time. */
const lockPolicy = statement('select from policies where organization_id = $1 and id = $2 for no key update')

const readPolicy = statement(`
  select k.reference, k.called as title, p.current_version_id as "versionId", v.label as version,
         v.major as round, ${OWNER},
         ${IS_ASKING}
           and v.id is not null as "isAsking",
         (day.today + coalesce(p.attestation_due_days, ${ATTESTATION_DUE_DAYS}))::text as "dueDate",
         clock_now() + (coalesce(p.attestation_due_days, ${ATTESTATION_DUE_DAYS}) + ${GUEST_DAYS_AFTER_DUE}) * interval '1 day' as "guestsUntil"
    from policies p
    join known_records k on k.organization_id = p.organization_id and k.id = p.id
    left join policy_versions v on v.organization_id = p.organization_id and v.id = p.current_version_id
    cross join (select (clock_now() at time zone deadline_zone($1))::date as today) day
   where p.organization_id = $1 and p.id = $2`)

/**
 * A correction is asked about in place of what it corrects: by the same day, and by the same link. Parameters of both:
 * organization, policy, version, round.
 */
const carryOpen = statement(`
  update attestations a
     set version_id = $3, status = 'requested', viewed_at = null, reached_end = null, updated_at = clock_now()
   where a.organization_id = $1 and a.policy_id = $2 and ${OPEN} and a.version_id <> $3 and a.round = $4::int`)

const carryPasses = statement(`
  update guest_passes set record_id = $3
   where organization_id = $1 and id in (
     select a.pass_id from attestations a
      where a.organization_id = $1 and a.policy_id = $2 and ${OPEN} and a.version_id <> $3 and a.round = $4::int)`)

/** Whether the request `a` of the member `m`, if they sign in, and of the pass `g` leads nowhere any more. */
export const isStranded = (a: string, m: string, g: string, replacesRevoked: string): string => `
  case when ${a}.pass_id is null then ${m}.user_id is null
       else ${m}.user_id is not null or (${g}.revoked_at is null and ${g}.expires_at <= clock_now())
         or (${g}.revoked_at is not null and ${replacesRevoked}) end`

/** Parameters: organization, policy, of which requests passes that were revoked are replaced as well. */
const findStranded = statement(`
  select a.id as "attestationId", a.personnel_id as id, m.user_id as "userId", a.pass_id as "passId"
    from attestations a
    join personnel d on d.organization_id = a.organization_id and d.id = a.personnel_id
    left join members m on m.organization_id = d.organization_id and m.user_id = d.user_id and m.status = 'active'
    left join guest_passes g on g.organization_id = a.organization_id and g.id = a.pass_id
   where a.organization_id = $1 and a.policy_id = $2 and ${OPEN}
     and ${isStranded('a', 'm', 'g', `$3::text in ('all', a.id)`)}
   order by a.id`)

const tellAtNewAddress = statement(`
  update attestations a set told_at = clock_now(), faults = 0
    from personnel d, guest_passes p
   where a.organization_id = $1 and a.policy_id = $2 and ${OPEN} and a.told_at is null
     and d.organization_id = $1 and d.id = a.personnel_id and p.organization_id = $1 and p.id = a.pass_id
     and lower(p.mail_failed_to) <> lower(d.work_email)`)

/** As `insert`: an address that took no mail lately, which its new pass tells, is left alone. */
const openWay = statement(`
  update attestations a
     set pass_id = w.pass_id, updated_at = clock_now(),
         told_at = case when g.mail_failure is null then clock_now() end
    from unnest($2::text[], $3::text[]) w (id, pass_id)
    left join guest_passes g on g.organization_id = $1 and g.id = w.pass_id
   where a.organization_id = $1 and a.id = w.id
  returning a.id, a.told_at is not null as "isTold"`)

const endOpen = statement(`
  update attestations a set status = 'cancelled', told_at = null, updated_at = clock_now(),
         ended_because = (
           select case when p.status = 'retired' then 'policy_retired' when not $4::boolean then 'not_asked'
                       when not (${IS_IN_SCOPE}) then 'left' when not coalesce(${IS_FOR}, false) then 'not_in_audience'
                       else 'replaced' end
             from personnel d join policies p on p.organization_id = d.organization_id and p.id = a.policy_id
            where d.organization_id = a.organization_id and d.id = a.personnel_id)
   where a.organization_id = $1 and a.policy_id = $2 and ${OPEN}
     and (a.version_id is distinct from $3 or not $4::boolean or not exists (
       select from personnel d join policies p on p.organization_id = d.organization_id and p.id = a.policy_id
        where d.organization_id = a.organization_id and d.id = a.personnel_id and ${IS_FOR}))
  returning a.personnel_id as "personId",
    (select e.label from policy_versions e where e.organization_id = a.organization_id and e.id = a.version_id) as version,
    a.pass_id as "passId", exists (
    select from guest_passes g
     where g.organization_id = a.organization_id and g.id = a.pass_id
       and g.revoked_at is null and g.expires_at > clock_now()) as "isPassOpen", ${TOLD}`)

/** As at a new pass, it is told of somebody whose mail came back lately. */
const leadOn = statement(`
  update guest_passes p
     set record_id = $3, expires_at = greatest(p.expires_at, $4::timestamptz),
         mail_failure = l.failure, mail_failed_to = l.address, mail_failed_at = l.ended_at
    from unnest($2::text[]) kept (id)
    join guest_passes o on o.organization_id = $1 and o.id = kept.id
    join personnel d on d.organization_id = $1 and d.id = o.person_id ${joinBounce('d')}
   where p.organization_id = $1 and p.id = kept.id`)

const revokePasses = statement(`
  update guest_passes set revoked_at = clock_now(), revoked_because = $3
   where organization_id = $1 and id = any($2::text[]) and revoked_at is null`)

/** For so many days whoever is asked anew about the same text keeps the day that it was due on. */
const DAYS_KEPT = 30

/** Parameters: organization, policy, version, round, the day by which whoever was not asked before is asked to. */
const findUnasked = statement(`
  select d.id, m.user_id as "userId", ${REPLACES}, ${CHANGED},
         least($5::date, (
           select min(e.due_date) from attestations e
            where e.organization_id = $1 and e.personnel_id = d.id and e.status = 'cancelled'
              and e.policy_id = $2 and e.round = $4::int
              and e.updated_at > clock_now() - interval '${DAYS_KEPT} days'))::text as "dueDate"
    from policies p
    join policy_versions v on v.organization_id = p.organization_id and v.id = $3
    join personnel d on d.organization_id = p.organization_id
    left join members m on m.organization_id = d.organization_id and m.user_id = d.user_id and m.status = 'active'
   where p.organization_id = $1 and p.id = $2 and ${IS_FOR}
     and not exists (
       select from attestations a
        where a.organization_id = p.organization_id and a.policy_id = p.id and a.personnel_id = d.id
          and ((a.round = $4::int and a.status in ('acknowledged', 'exempt')) or (a.version_id = $3 and ${OPEN})))
   order by d.id`)

/**
 * Who signs in is told with it. To an address that took no mail lately goes none, until somebody reminds: the pass, new or
 * kept, tells it.
 */
const insert = statement(`
  insert into attestations (organization_id, policy_id, version_id, round, due_date, id, personnel_id, pass_id, status,
    requested_at, told_at, last_told_at, reminders, updated_at)
  select $1, $2, $3, $4::int, due.date, a.id, a.person_id, a.pass_id, 'requested', now,
         case when a.pass_id is not null then case when g.mail_failure is null then now end
              when (due.date - 3)::timestamptz > now then (due.date - 3)::timestamptz
              else greatest((due.date + 1)::timestamptz, now + interval '1 day') end,
         case when a.pass_id is null then now end, case when a.pass_id is null then 1 else 0 end, now
    from unnest($6::text[], $7::text[], $8::text[]) a (id, person_id, pass_id)
    cross join (select clock_now() as now) clock
    left join guest_passes g on g.organization_id = $1 and g.id = a.pass_id
    cross join lateral (
      select least($5::date, min(e.due_date)) as date from attestations e
       where e.organization_id = $1 and e.personnel_id = a.person_id and e.status = 'cancelled'
         and e.policy_id = $2 and e.round = $4::int and e.updated_at > now - interval '${DAYS_KEPT} days') due
      on conflict do nothing`)
