import { hash } from 'node:crypto'
import type { NoticeFacts, NoticeName } from '../../model/notice-kinds.ts'
import { actingUserOf, actorOf, type Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import type { Transaction } from '../database/transaction.ts'

/*
 * Notices: who is to know of what happened. They are written in the transaction of that, so nobody is told of what did
 * not happen; the notices room shows and mails them. Nobody is told of what they did themselves, in the app or by an
 * app that acts for them; a key is no person, and what it does, its maker is told as everybody is.
 *
 * What one call or one job raises for somebody, of one kind and with the same facts, is one notice that counts: 300
 * risks that an import gives to a person are told once, however many pieces it is worked in.
 */

/** Somebody is to know. */
export interface NewNotice {
  readonly kind: NoticeName
  /** A user or an entry in the directory; `admins` are all that the organization has. */
  readonly who: string
  readonly record?: { readonly kind: string; readonly id: string } | undefined
  readonly facts: NoticeFacts
  /** Of those alone who have one of these roles; anybody, where absent. */
  readonly roles?: readonly string[]
}

/** What was told of a record and needs nobody any more. */
export interface Answered {
  readonly kind: NoticeName
  readonly recordId: string
  /** That of these which is about this field; all, where absent. */
  readonly field?: string
  /** That of these which calls it so; all, where absent. */
  readonly as?: string
  /** Whom it was told, a user or an entry in the directory: what was told them of several records is found by that. */
  readonly who?: string
}

/**
 * Marks as read what was answered: it is mailed to nobody then. What was told of several records tells of those that are
 * left. To be called before what is told instead.
 */
export function answer(tx: Transaction, answered: readonly Answered[]): void {
  if (answered.length === 0) return
  const all = JSON.stringify(
    answered.map(({ as, recordId, ...one }) => ({ ...one, as, record_id: recordId })),
  )
  tx.write(read(tx.organizationId, all))
  if (answered.some(({ who }) => who !== undefined)) tx.write(leaveOut(tx.organizationId, all))
}

const ANSWERED = 'json_to_recordset($2::json) a (kind text, record_id text, field text, "as" text, who text)'

const IS_ANSWERED = `n.organization_id = $1 and n.kind = a.kind and n.read_at is null
     and (a.field is null or n.facts ->> 'field' = a.field) and (a."as" is null or n.facts ->> 'as' = a."as")`

/** Parameters: organization, what was answered. */
const read = statement(`
  update notices n set read_at = clock_now()
    from ${ANSWERED} where n.record_id = a.record_id and ${IS_ANSWERED}`)

/** Of what is about more records than it has the ids of, it is told until none of these is left. Parameters: the same. */
const leaveOut = statement(`
  with answered as (
    select a.kind, a.field, a."as", coalesce(p.user_id, a.who) as user_id, array_agg(a.record_id) as gone
      from ${ANSWERED} left join personnel p on p.organization_id = $1 and p.id = a.who
     where a.who is not null group by 1, 2, 3, 4)
  update notices n
     set (read_at, record_ids, count) = (
           select case when l.ids = '{}' then clock_now() end, case when l.ids = '{}' then n.record_ids else l.ids end,
                  case when l.ids = '{}' then n.count else n.count - cardinality(n.record_ids) + cardinality(l.ids) end
             from (select array(select one from unnest(n.record_ids) one where one <> all(a.gone)) as ids) l)
    from answered a
   where n.user_id = a.user_id and n.record_id is null and n.record_ids && a.gone and ${IS_ANSWERED}`)

/** The same of what is about no record but a page of the app. @param userId whose; null for all */
export const answerAt = (tx: Transaction, page: string, userId: string | null): void =>
  tx.write(readAt(tx.organizationId, page, userId))

const readAt = statement(`
  update notices set read_at = clock_now()
   where organization_id = $1 and record_id is null and facts ->> 'page' = $2 and read_at is null
     and ($3::text is null or user_id = $3)`)

/** The same of what some users were asked one by one, by what it is about. */
export const answerAbout = (
  tx: Transaction,
  kind: NoticeName,
  asked: readonly { readonly userId: string | null; readonly about: string }[],
): void => {
  const told = asked.filter(({ userId }) => userId !== null)
  if (told.length === 0) return
  tx.write(
    readAbout(
      tx.organizationId,
      kind,
      told.map(({ userId }) => userId),
      told.map(({ about }) => about),
    ),
  )
}

const readAbout = statement(`
  update notices n set read_at = clock_now()
    from unnest($3::text[], $4::text[]) as a (user_id, about)
   where n.organization_id = $1 and n.kind = $2 and n.user_id = a.user_id and n.facts ->> 'about' = a.about
     and n.read_at is null`)

export const ADMINS = 'admins'

/** The service calls under one name for ever. */
const isService = ({ channel }: Caller): boolean => channel === 'scheduler'

/** Who did it, for the words of a notice; what the service did by itself nobody did. */
export function doneBy(caller: Caller): Pick<NoticeFacts, 'by' | 'byProgram'> {
  if (isService(caller)) return {}
  const { type, displayName: by } = actorOf(caller)
  return PROGRAMS[type] ? { by, byProgram: PROGRAMS[type] } : { by }
}

/** What is no person is told by what it is: its name may be anything. */
const PROGRAMS: Readonly<Record<string, string>> = { api_key: 'API key', oauth_client: 'connected app' }

/** Writes notices with the transaction of what they tell of; those of one call count together. */
export function tell(tx: Transaction, caller: Caller, notices: readonly NewNotice[]): void {
  const isKey = caller.credential.type === 'api_key'
  const doer = isKey ? null : actingUserOf(caller)
  // What somebody does with what is theirs costs no statement.
  const others = notices.filter(({ who }) => who !== doer)
  if (others.length === 0) return
  const by = isService(caller) ? newId('ntc') : caller.requestId
  tx.write(insertOf(tx.organizationId, others, doer, by))
}

/** @param by what they count together by, of each kind and with the same facts */
function insertOf(organizationId: string, notices: readonly NewNotice[], doer: string | null, by: string) {
  const [first] = notices
  if (notices.length === 1 && first!.who !== ADMINS && !first!.roles) {
    const { kind, who, record, facts } = first!
    const about = [record?.kind, record?.id, JSON.stringify(facts)]
    return insertOne(organizationId, newId('ntc'), who, doer, kind, ...about, `${by}:${togetherOf(first!)}`)
  }
  const rows = notices.map((notice) => ({
    id: newId('ntc'),
    kind: notice.kind,
    who: notice.who,
    record_kind: notice.record?.kind,
    record_id: notice.record?.id,
    facts: notice.facts,
    roles: notice.roles,
    together: togetherOf(notice),
  }))
  return insert(organizationId, JSON.stringify(rows), doer, by)
}

const togetherOf = ({ kind, record, facts }: NewNotice): string =>
  hash('sha256', JSON.stringify([kind, record?.kind, facts]), 'base64url')

/** What goes to all admins is a row for each of them. */
const ID = `case when bool_or(t.who = '${ADMINS}')
    then left(min(t.id), 14) || left(md5(min(t.id) || m.user_id), 16) else min(t.id) end`

/** A notice about more records leads to all that are the person's. */
export const NAMED_AT_MOST = 200

const INSERT = `
  insert into notices as n (organization_id, id, user_id, kind, record_kind, record_id, record_ids, facts, count, gathered_by,
    created_at, mail_at)`

/** Where there is one already by which they count together. @param recordIds about which records that is then */
const gathered = (recordIds: string) => `
      on conflict (organization_id, user_id, gathered_by) do update
     set count = case when n.record_id = excluded.record_id then n.count else n.count + excluded.count end,
         record_id = case when n.record_id = excluded.record_id then n.record_id end,
         record_ids = ${recordIds},
         created_at = excluded.created_at, read_at = null, archived_at = null, snoozed_until = null,
         mail_at = coalesce(n.mail_at, excluded.mail_at), is_daily = n.is_daily and n.mail_at is not null`

/**
 * One for one person, as most writes tell: what the next statement says, for less of PostgreSQL’s time.
 * Parameters: organization, its id, who is to know, who did it, kind, kind of record, record, facts, by what it is
 * gathered.
 */
const insertOne = statement(`
  ${INSERT}
  select $1, $2, m.user_id, $5, $6, $7, case when $7::text is null then '{}' else array[$7] end, $8::jsonb, 1, $9,
         clock_now(), clock_now() + interval '1 minute'
    from members m
   where m.organization_id = $1 and m.status = 'active'
     and m.user_id = coalesce((select p.user_id from personnel p where p.organization_id = $1 and p.id = $3), $3)
     and m.user_id is distinct from $4::text
  ${gathered(`case when excluded.record_ids <@ n.record_ids then n.record_ids
                   else (n.record_ids || excluded.record_ids)[:${NAMED_AT_MOST}] end`)}`)

/** Parameters: organization, notices, who did it, by what they count together. */
const insert = statement(`
  ${INSERT}
  select $1, ${ID}, m.user_id, t.kind, t.record_kind,
         case when count(distinct t.record_id) = 1 then min(t.record_id) end,
         coalesce((array_agg(distinct t.record_id) filter (where t.record_id is not null))[:${NAMED_AT_MOST}], '{}'),
         (array_agg(t.facts))[1],
         greatest(count(distinct t.record_id), 1), $4 || ':' || t.together, clock_now(), clock_now() + interval '1 minute'
    from jsonb_to_recordset($2::jsonb) t
         (id text, kind text, who text, record_kind text, record_id text, facts jsonb, roles jsonb, together text)
    left join personnel p on p.organization_id = $1 and p.id = t.who
    join members m on m.organization_id = $1 and m.status = 'active'
     and (m.user_id = coalesce(p.user_id, t.who) or (t.who = '${ADMINS}' and m.role = 'admin'))
   where m.user_id is distinct from $3::text and (t.roles is null or t.roles ? m.role)
   group by m.user_id, t.kind, t.record_kind, t.together
  ${gathered(`array(select distinct one from unnest(n.record_ids || excluded.record_ids) one limit ${NAMED_AT_MOST})`)}`)
