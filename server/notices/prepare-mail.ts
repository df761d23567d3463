import { sql } from 'kysely'
import { NOTICE_NAMES, noticeKinds } from '../../model/notice-kinds.ts'
import { ROLE_SCOPES, type Role } from '../../model/scopes.ts'
import type { Caller } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Message } from '../mail/mail.ts'
import { type MailedNotice, noticesMail } from '../mail/notices-mail.ts'
import type { Parts } from '../operation.ts'
import { WAITING_DAY } from '../records/waiting-dates.ts'
import { COLUMNS, factsNow, type NoticeRow, nounOf, pageOf, shownTo } from './notice-record.ts'
import { unsubscribeAddress } from './unsubscribe.ts'

/** A mail that is about to be sent, and the try by which what comes of it is known. */
export interface Prepared {
  readonly id: string
  readonly userId: string
  readonly attempt: number
  readonly message: Message
}

/** How long one try may take. */
const LEASE_MINUTES = 10
/** What could not be mailed by then is old news: it stands in the inbox. */
const OLD_HOURS = 36
/** So many stand in a mail; of the rest it says how many. */
const SHOWN_AT_MOST = 25
/** For so long nothing is sent to an address that bounced. */
const BOUNCED_FOR_DAYS = 7

/**
 * Takes what is to be mailed to a person.
 * @returns null where nothing is to be sent now, or somebody else is at it
 */
export async function prepareMail(parts: Parts, tx: Transaction, userId: string): Promise<Prepared | null> {
  const { organizationId } = tx
  const [[hold], [person], [state]] = await Promise.all([
    tx.read<{ isMine: boolean }>(holdPerson(organizationId, userId)),
    tx.readAsGate<Standing>(findPerson(organizationId, userId)),
    tx.read<State>(findState(organizationId, userId)),
  ])
  if (!hold?.isMine || !person || !state || state.isResting) return null
  const why = whyNot(person, state)
  if (why !== null) {
    tx.write(leave(organizationId, userId))
    tx.write(endMail(organizationId, userId, why))
    return null
  }
  const id = state.mailId ?? newId('ntm')
  await tx.read(take(organizationId, userId, choicesOf(state), id))
  const rows = await readable(tx, person, userId, id)
  if (rows.length === 0) {
    tx.write(endMail(organizationId, userId, 'All of it was read meanwhile, or may not be read any more.'))
    return null
  }
  tx.write(keep(organizationId, id, userId, person.email, rows.length, state.attempts + 1))
  const message = messageOf(parts, person, rows, unsubscribeAddress(parts, organizationId, id))
  return { id, userId, attempt: state.attempts + 1, message }
}

/** The person as they stand now. */
interface Standing {
  readonly email: string
  readonly organization: string
  readonly role: Role
  readonly limitedView: Caller['limitedView']
  readonly features: Caller['features']
  readonly isActive: boolean
}

interface MailedRow extends NoticeRow {
  /** The first of the record's dates that count, or by when it waits for somebody: a day where the organization is. */
  readonly dueOn: string | null
  /** Whether that day is over. */
  readonly isOver: boolean
}

const DUE_ON = sql`coalesce(
  (select min(coalesce(d.day, (d.ends_at at time zone deadline_zone(d.organization_id))::date))
     from deadlines d where d.organization_id = n.organization_id and d.record_id = n.record_id),
  ${WAITING_DAY})`

/** What they have chosen, and the mail that waits for them. */
interface State {
  readonly mails: Readonly<Record<string, string>> | null
  readonly mailId: string | null
  readonly attempts: number
  readonly isResting: boolean
  readonly bouncedAddress: string | null
}

function whyNot({ isActive, email }: Standing, { bouncedAddress }: State): string | null {
  if (!isActive) return 'They are no active member any more.'
  return bouncedAddress === email ? 'The mail server took no mail for this address lately.' : null
}

/** When each kind of notice is mailed. */
const choicesOf = ({ mails }: State): string =>
  JSON.stringify(
    Object.fromEntries(NOTICE_NAMES.map((name) => [name, mails?.[name] ?? noticeKinds[name].mail])),
  )

/** What the mail has taken and the person may still read, the newest first. */
async function readable(
  tx: Transaction,
  { role, limitedView, features }: Standing,
  userId: string,
  id: string,
): Promise<MailedRow[]> {
  const person = {
    ...{ organizationId: tx.organizationId, userId, accountId: userId, role, limitedView, features },
    ...{ granted: ROLE_SCOPES[role], channel: 'ui', requestId: id },
    credential: { type: 'session', id, name: '' },
  } as const satisfies Caller
  return tx.read<MailedRow>(
    build(sql`
      select mailed.*, due::text as "dueOn",
             coalesce(due < (clock_now() at time zone deadline_zone(${tx.organizationId}))::date, false) as "isOver"
        from (select ${COLUMNS}, ${DUE_ON} as due from notices n
               where ${shownTo(person)} and n.mail_id = ${id} and n.read_at is null and n.archived_at is null) mailed
       order by "createdAt" desc, id desc`),
  )
}

function messageOf(
  { config }: Parts,
  { email, organization }: Standing,
  rows: readonly MailedRow[],
  unsubscribe: string,
): Message {
  const addressOf = (page: string) => new URL(page, config.publicUrl).href
  // Of all about one record one stands for the others.
  const groups = [...Map.groupBy(rows, ({ id, record }) => record?.id ?? id).values()].map(newsFirst)
  return noticesMail(email, {
    organization,
    notices: groups.slice(0, SHOWN_AT_MOST).map(([row, ...more]) => mailedOf(row!, more, addressOf)),
    further: Math.max(0, groups.length - SHOWN_AT_MOST),
    inbox: addressOf('/inbox'),
    settings: addressOf('/account/notices'),
    unsubscribe,
  })
}

/** The newest first. What became of a record says more than that it was given to somebody with that. */
function newsFirst(rows: readonly MailedRow[]): readonly MailedRow[] {
  const [newest] = rows
  const news = rows.find(({ kind, createdAt }) => kind !== 'assigned' && isSame(createdAt, newest!.createdAt))
  return news ? [news, ...rows.filter((row) => row !== news)] : rows
}

const isSame = (one: string, other: string): boolean => Date.parse(one) === Date.parse(other)

const mailedOf = (
  row: MailedRow,
  more: readonly MailedRow[],
  addressOf: (page: string) => string,
): MailedNotice => ({
  ...saidOf(row),
  title: row.record?.title ?? null,
  reference: row.record?.reference ?? null,
  reason: row.record?.reason ?? null,
  dueOn: row.dueOn,
  isOver: row.isOver,
  also: more.map(saidOf),
  address: addressOf(pageOf(row)),
})

const saidOf = (row: MailedRow) => ({
  ...{ kind: row.kind, facts: factsNow(row), noun: nounOf(row), count: row.count },
})

/** One process at a time is at the mails of a person. */
const holdPerson = statement(`
  select pg_try_advisory_xact_lock(hashtextextended('notice mail of ' || $1::text || ' ' || $2::text, 0)) as "isMine"`)

const findPerson = statement(`
  select u.email, o.name as organization, m.role, m.limited_view as "limitedView", o.features,
         m.status = 'active' and u.disabled_at is null and o.status = 'active' as "isActive"
    from members m join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and m.user_id = $2`)

const findState = statement(`
  select s.mails, w.id as "mailId", coalesce(w.attempts, 0) as attempts,
         coalesce(w.due_at > clock_now(), false) as "isResting", b.address as "bouncedAddress"
    from (values (1)) one (row)
    left join notice_settings s on s.organization_id = $1 and s.user_id = $2
    left join notice_mails w on w.organization_id = $1 and w.user_id = $2 and w.state = 'waiting'
    left join mail_bounces b on b.organization_id = $1 and b.user_id = $2
      and b.bounced_at > clock_now() - interval '${BOUNCED_FOR_DAYS} days'`)

/** When it is their hour again; parameters 1 and 2: organization, user. */
export const NEXT_HOUR = `
  (select (hour + case when hour <= local then interval '1 day' else interval '0' end) at time zone zone
     from (select coalesce(s.timezone, o.timezone) as zone, clock_now() at time zone coalesce(s.timezone, o.timezone) as local,
                  date_trunc('day', clock_now() at time zone coalesce(s.timezone, o.timezone))
                    + coalesce(s.daily_hour, 8) * interval '1 hour' as hour
             from organizations o
             left join notice_settings s on s.organization_id = o.id and s.user_id = $2
            where o.id = $1) times)`

/**
 * Of what is due the mail takes what is to leave at once, and what waited for this hour; what is to wait for it does so
 * from now on, and the rest is left to the inbox. Parameters: organization, user, choices by kind, mail.
 */
const take = statement(`
  with due as (
    select n.id,
           case when n.read_at is not null or n.archived_at is not null or n.snoozed_until > clock_now()
                  or n.mail_at < clock_now() - interval '${OLD_HOURS} hours' then 'never'
                when $3::jsonb ->> n.kind = 'daily' and not n.is_daily then 'wait'
                else $3::jsonb ->> n.kind end as choice
      from notices n
     where n.organization_id = $1 and n.user_id = $2 and n.mail_at <= clock_now() + interval '1 minute'
  )
  update notices n
     set mail_at = case d.choice when 'wait' then ${NEXT_HOUR} end, is_daily = d.choice = 'wait',
         mail_id = case when d.choice in ('at_once', 'daily') then $4 else n.mail_id end
    from due d where n.organization_id = $1 and n.id = d.id`)

const leave = statement(`
  update notices set mail_at = null
   where organization_id = $1 and user_id = $2 and mail_at <= clock_now() + interval '1 minute'`)

/** Parameters: organization, mail, user, address, how many notices, which try. */
const keep = statement(`
  insert into notice_mails (organization_id, id, user_id, address, notice_count, attempts, due_at, created_at)
  values ($1, $2, $3, $4, $5, $6, clock_now() + interval '${LEASE_MINUTES} minutes', clock_now())
      on conflict (organization_id, id) do update
     set address = excluded.address, notice_count = excluded.notice_count, attempts = excluded.attempts,
         due_at = excluded.due_at`)

const endMail = statement(`
  update notice_mails set state = 'dropped', failure = $3, due_at = null, ended_at = clock_now()
   where organization_id = $1 and user_id = $2 and state = 'waiting'`)
