import { serviceCaller } from '../caller/service.ts'
import { tryPart } from '../clock/losses.ts'
import { statement } from '../database/connect.ts'
import { isAway, isDeadlock } from '../database/errors.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { makeGuestLink } from '../guests/guest-links.ts'
import { beginGuestMail, finishGuestMail } from '../guests/guest-mails.ts'
import { tell } from '../journal/tell.ts'
import type { Delivered, Message } from '../mail/mail.ts'
import { attestationMail } from '../mail/messages.ts'
import type { Parts } from '../operation.ts'
import { again } from '../records/again.ts'
import { IS_ASKED, settleRound } from './round.ts'
import { CHANGED, factsOf, OWNER, REPLACES, type ToTell } from './what-is-told.ts'

/*
 * What time brings to those who are asked: each minute, in every process. Who signs in is told again in the app; who does
 * not is written to with a link that is made for that mail alone. It is written before it is sent that it will be, with a
 * moment to try again at, so of a mail that was lost with its process another comes, and none is left out: first at once,
 * then three days before it is due, the day after, and each week, five times in all. Whoever has no way to the text is told nothing, and it is not counted.
 */

const ADDRESSEES_AT_MOST = 2_000
const AT_ONCE = 4
const WITHIN_MS = 40_000
const TIMES_AT_MOST = 5
const LEASE_MINUTES = 10
/** A mailbox that takes nothing for now is asked again, at rests that grow, for some two days. */
const FAULTS_AT_MOST = 8

const CLOCK = { id: 'clock', displayName: 'Clock' }

export async function remindReaders(parts: Parts): Promise<void> {
  const until = performance.now() + WITHIN_MS
  const { rows } = await parts.database.engine.query<Due>(findDue(ADDRESSEES_AT_MOST))
  let isAway = false
  const work = async () => {
    while (rows.length > 0 && !isAway && performance.now() < until)
      if ((await remindOne(parts, rows.shift()!)) === 'away') isAway = true
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

interface Due {
  readonly organizationId: string
  readonly id: string
}

/** @returns whether the mail server is away: then nothing else is tried for now */
const remindOne = (parts: Parts, due: Due): Promise<'away' | undefined | null> =>
  tryPart(parts, 'reminders of readers', `${due.organizationId} ${due.id}`, () => remind(parts, due))

async function remind(parts: Parts, { organizationId, id }: Due): Promise<'away' | undefined> {
  const mail = await transaction(parts.database.tenant, organizationId, (tx) => claim(parts, tx, id))
  if (!mail) return undefined
  const sent = await parts.mail!.deliver(mail.message)
  await transaction(parts.database.tenant, organizationId, (tx) => finish(tx, id, mail, sent))
  return sent.outcome === 'away' && !sent.isOfAddress ? 'away' : undefined
}

/** Writes what came of a mail, and tells whoever asked by it where it came back for good. */
async function finish(tx: Transaction, id: string, mail: Claimed, sent: Delivered): Promise<void> {
  const { organizationId } = tx
  const { mailId, faults, message, policyId, askedBy, owner } = mail
  const isAway = sent.outcome === 'away' && !sent.isOfAddress
  // While the server is away a mail waits for it as long as its claim lasts.
  const restMinutes = isAway ? LEASE_MINUTES : faults < FAULTS_AT_MOST ? 10 * 2 ** faults : null
  const isNews = await finishGuestMail(tx, { id: mailId, address: message.to, restMinutes }, sent)
  if (!isAway) tx.write(AFTER[sent.outcome](organizationId, id))
  if (!isNews) return
  const record = { kind: 'policy', id: policyId }
  tell(
    tx,
    serviceCaller(organizationId, CLOCK),
    [...new Set([askedBy, owner].filter((who) => who !== null))].map((who) => ({
      ...{ kind: 'not_reached' as const, who, record, facts: { tab: 'round' } },
      // An admin is told of the address.
      roles: ['viewer', 'editor'],
    })),
  )
}

/** A mail that is about to be sent. */
interface Claimed extends Pick<Open, 'faults' | 'policyId' | 'askedBy'> {
  readonly mailId: string
  readonly message: Message
  /** Whoever answers for the policy. */
  readonly owner: string | null
}

/** Tells who signs in, and claims the mail of who does not. @returns the mail, where there is one to send */
async function claim(parts: Parts, tx: Transaction, id: string): Promise<Claimed | null> {
  const [one] = await tx.read<Open>(lockDue(tx.organizationId, id))
  if (!one) return null
  const { userId, passId, title, version, organization, dueDate, owner, address, isReachable } = one
  const { faults, policyId, askedBy, ownerId, replaces, changed } = one
  // Nobody is told, so nothing is counted: the round gives them another way, or their organization comes back.
  if (!isReachable) {
    tx.write(putOff(tx.organizationId, id))
    return null
  }
  if (passId === null) {
    const clock = serviceCaller(tx.organizationId, CLOCK)
    tell(tx, clock, [{ kind: 'asked_to_acknowledge', who: userId!, facts: factsOf(clock, id, one, userId!) }])
    tx.write(next(tx.organizationId, id, TIMES_AT_MOST))
    return null
  }
  if (!parts.mail) {
    tx.write(giveUp(tx.organizationId, id))
    return null
  }
  tx.write(lease(tx.organizationId, id))
  const link = makeGuestLink(parts, tx, passId, address)
  const mailId = await beginGuestMail(tx, { passId, about: 'guest_link', address })
  const message = attestationMail(address, {
    ...{ organization, title, version, dueDate, owner, replaces, changed },
    address: link,
  })
  return { mailId, message, faults, policyId, askedBy, owner: ownerId }
}

interface Open extends ToTell {
  readonly userId: string | null
  readonly passId: string | null
  readonly version: string
  readonly organization: string
  readonly policyId: string
  /** The user who made the pass; null for a program, or the clock. */
  readonly askedBy: string | null
  /** How often the mailbox took nothing for now. */
  readonly faults: number
  readonly address: string
  /** Whether what they would be told leads them to the text. */
  readonly isReachable: boolean
}

/** Of every policy that asks anybody: who joined is asked, and of who left nothing is asked any more. */
export const settleRounds = (parts: Parts): Promise<void> => settle(parts, null)

/**
 * The same of those that were changed a moment ago, and of those whose people were: whom they are for by now need not
 * wait, and of a leaver nothing stays open.
 */
export const settleChanged = (parts: Parts): Promise<void> => settle(parts, CHANGED_WITHIN_MINUTES)

/** Each by itself: what one of them fails on keeps no other waiting. */
async function settle(parts: Parts, minutes: number | null): Promise<void> {
  const { rows } = await parts.database.gate.query<Pick<Due, 'organizationId'>>(findOrganizations())
  for (const { organizationId } of rows)
    for (const id of await apart(parts, organizationId, null, () => asking(parts, organizationId, minutes)))
      await apart(parts, organizationId, id, () => settleOne(parts, organizationId, id))
}

const asking = (parts: Parts, organizationId: string, minutes: number | null): Promise<string[]> =>
  transaction(parts.database.tenant, organizationId, async (tx) =>
    (await tx.read<Pick<Due, 'id'>>(findAsking(organizationId, minutes))).map(({ id }) => id),
  )

const settleOne = (parts: Parts, organizationId: string, id: string): Promise<never[]> =>
  again(
    () =>
      transaction(parts.database.tenant, organizationId, async (tx) => {
        await settleRound({ tx, caller: serviceCaller(organizationId, CLOCK) }, id)
        return []
      }),
    isDeadlock,
  )

async function apart(
  { log }: Parts,
  organizationId: string,
  policyId: string | null,
  work: () => Promise<string[]>,
): Promise<string[]> {
  try {
    return await work()
  } catch (error) {
    if (isAway(error)) throw error
    log.error({ err: error, organizationId, policyId }, 'whom a policy asks could not be settled')
    return []
  }
}

/** The clock runs each minute. */
const CHANGED_WITHIN_MINUTES = 3

const findDue = statement(`
  select organization_id as "organizationId", id from attestations where told_at <= clock_now()
   order by row_number() over (partition by organization_id order by told_at), told_at limit $1::int`)

const findOrganizations = statement('select distinct organization_id as "organizationId" from policies')

/** Whether something of the policy `p` is open of the person `d`, or is done. */
const has = (isDone: string): string => `exists (
  select from attestations a
    left join policy_versions v on v.organization_id = p.organization_id and v.id = p.current_version_id
   where a.organization_id = p.organization_id and a.policy_id = p.id and a.personnel_id = d.id
     and (a.status in ('requested', 'viewed') or ${isDone}))`

/**
 * Those that ask, and those of which something is still open though they ask no more. Parameters: organization, changed
 * within so many minutes, or null.
 */
const findAsking = statement(`
  select p.id from policies p
   where p.organization_id = $1
     and ($2::int is null or p.updated_at > clock_now() - $2::int * interval '1 minute' or exists (
       select from personnel d
        where d.organization_id = $1 and d.updated_at > clock_now() - $2::int * interval '1 minute'
          and case when ${IS_ASKED} then not ${has(`(a.round = v.major and a.status in ('acknowledged', 'exempt'))`)}
                   else ${has('false')} end))
     and ((p.requires_attestation and p.current_version_id is not null)
       or exists (select from attestations a
                   where a.organization_id = p.organization_id and a.policy_id = p.id
                     and a.status in ('requested', 'viewed')))
   order by p.id`)

const lockDue = statement(`
  select m.user_id as "userId", a.pass_id as "passId", v.title, o.name as organization, a.due_date::text as "dueDate",
         d.work_email as address, ${OWNER}, ${CHANGED}, ${REPLACES},
         v.label as version, a.policy_id as "policyId", a.faults,
         case when g.created_by ->> 'type' = 'user' then g.created_by ->> 'id' end as "askedBy",
         o.status = 'active' and case when a.pass_id is null then m.user_id is not null
           else g.revoked_at is null and g.expires_at > clock_now() end as "isReachable"
    from attestations a
    join organizations o on o.id = a.organization_id
    join personnel d on d.organization_id = a.organization_id and d.id = a.personnel_id
    join policy_versions v on v.organization_id = a.organization_id and v.id = a.version_id
    join policies p on p.organization_id = a.organization_id and p.id = a.policy_id
    left join members m on m.organization_id = d.organization_id and m.user_id = d.user_id and m.status = 'active'
    left join guest_passes g on g.organization_id = a.organization_id and g.id = a.pass_id
   where a.organization_id = $1 and a.id = $2 and a.told_at <= clock_now() and a.status in ('requested', 'viewed')
     for no key update of a skip locked`)

const lease = statement(`
  update attestations set told_at = clock_now() + interval '${LEASE_MINUTES} minutes' where organization_id = $1 and id = $2`)

const putOff = statement(`
  update attestations set told_at = clock_now() + interval '1 hour' where organization_id = $1 and id = $2`)

const giveUp = statement('update attestations set told_at = null where organization_id = $1 and id = $2')

const later = statement(`
  update attestations
     set told_at = case when faults < ${FAULTS_AT_MOST} then clock_now() + interval '10 minutes' * power(2, faults) end,
         faults = faults + 1
   where organization_id = $1 and id = $2 and status in ('requested', 'viewed')`)

/** Who was exempted or said it while their mail left is told no more. Parameters: organization, attestation, how often at most. */
const next = statement(`
  update attestations a
     set reminders = reminders + 1, faults = 0, last_told_at = clock_now(),
         told_at = case when reminders + 1 < $3::int then (
           select min(at) from unnest(array[
             (a.due_date - 3)::timestamptz, (a.due_date + 1)::timestamptz,
             greatest((a.due_date + 1)::timestamptz, clock_now()) + interval '7 days']) at
            where at > clock_now()) end
   where organization_id = $1 and id = $2 and status in ('requested', 'viewed')`)

/** What is written after a mail, by what came of it. */
const AFTER = {
  sent: (organizationId: string, id: string) => next(organizationId, id, TIMES_AT_MOST),
  away: later,
  refused: giveUp,
} as const
