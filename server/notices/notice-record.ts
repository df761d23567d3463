import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import {
  NOTICE_NAMES,
  type NoticeFacts,
  type NoticeName,
  noticeKinds,
  noticeWords,
} from '../../model/notice-kinds.ts'
import type { Noun } from '../../model/noun.ts'
import { deadlineOf, ownerOf, principalId } from '../../model/roles.ts'
import { type Caller, isCapable } from '../caller/caller.ts'
import { timestamp } from '../output.ts'
import { ownConditions } from '../records/own-records.ts'
import { readableKinds } from '../records/readable.ts'

/* A notice as whoever it is for sees it, as long as they may read what it tells of. */

export const notice = z
  .object({
    id: z.string(),
    kind: z.enum(NOTICE_NAMES).describe('What it tells'),
    words: z.string().describe('The same, in a sentence that leaves out what the record is called'),
    count: z.int().describe('How many records it is about'),
    earlier: z.int().describe('How many more there are about the same record'),
    record: z
      .object({
        type: z.string().describe('Its kind'),
        id: z.string(),
        reference: z.string().nullable(),
        title: z.string(),
        state: z.string().nullable(),
        reason: z.string().nullable().describe('Why it is in that state, where somebody who decided said so'),
      })
      .nullable()
      .describe('The record that it is about; null where it is about several, or about none'),
    page: z.string().describe('The path in the app where it can be seen'),
    createdAt: timestamp,
    readAt: timestamp.nullable(),
    archivedAt: timestamp.nullable(),
    snoozedUntil: timestamp.nullable(),
  })
  .meta({ id: 'Notice', title: 'Notice' })

export interface NoticeRow {
  readonly id: string
  readonly kind: NoticeName
  readonly recordKind: string | null
  readonly facts: NoticeFacts
  /** How many days of the organization have begun since it came. */
  readonly daysAgo: number
  readonly count: number
  readonly record: z.output<typeof notice>['record']
  /** Of several records the references, where all of them are known. */
  readonly references: readonly string[] | null
  readonly earlier?: number
  /** The person, and who they are in the directory. */
  readonly ids: readonly string[]
  readonly createdAt: string
  readonly readAt: string | null
  readonly archivedAt: string | null
  readonly snoozedUntil: string | null
}

/** What a kind says of why one of its records is in a state that somebody decided on. */
const reasonIn = (kind: Kind): string[] =>
  kind.states.flatMap(({ field, because = {} }) => {
    const states = Object.entries(because).map(
      ([state, reason]) => `when r.${columnOf(field)} = '${state}' then r.${columnOf(reason)}`,
    )
    if (states.length === 0) return []
    return `when '${kind.name}' then (select case ${states.join(' ')} end from ${kind.table} r
      where r.organization_id = n.organization_id and r.id = n.record_id)`
  })

/** Of what is told of a decision, which whoever asked for it goes by. */
const REASON = sql.raw(
  `case when n.kind = 'decided' then case n.record_kind ${everyKind.flatMap(reasonIn).join(' ')} end end`,
)

/** Of `notices n`, with the record as it is called by now. */
export const COLUMNS = sql`n.id, n.kind, n.record_kind as "recordKind", n.facts, n.count,
  (clock_now() at time zone deadline_zone(n.organization_id))::date
    - (n.created_at at time zone deadline_zone(n.organization_id))::date as "daysAgo",
  n.created_at as "createdAt", n.read_at as "readAt", n.archived_at as "archivedAt", n.snoozed_until as "snoozedUntil",
  array(select n.user_id union all select p.id from personnel p
         where p.organization_id = n.organization_id and p.user_id = n.user_id) as ids,
  (select jsonb_build_object('type', k.kind, 'id', k.id, 'reference', k.reference, 'title', k.called, 'state', k.state,
            'reason', ${REASON})
     from known_records k where k.organization_id = n.organization_id and k.id = n.record_id) as record,
  case when n.record_id is null and cardinality(n.record_ids) = n.count then array(
    select k.reference from known_records k
     where k.organization_id = n.organization_id and k.id = any(n.record_ids) and k.reference is not null
     order by k.id) end as references`

/** Those of `notices n`, or of that name, that are somebody's, and tell of what they may read now. */
export function shownTo(caller: Caller, n = sql.ref('n')): RawBuilder<unknown> {
  const isAdmin = isCapable(caller, 'settings.manage')
  const kinds = NOTICE_NAMES.filter((name) => isAdmin || !noticeKinds[name].isForAdmins)
  const records = toldOf(caller).map(({ name }) => name)
  return sql`${n}.organization_id = ${caller.organizationId} and ${n}.user_id = ${caller.userId}
    and ${n}.kind = any(${kinds}) and (${n}.record_kind is null or ${n}.record_kind = any(${records}))
    ${caller.limitedView === 'self_service' ? sql`and ${isOwn(caller, n)}` : sql``}`
}

/** About no record by its name, or about one that names the person as one of its owners now. */
const isOwn = (caller: Caller, n: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${n}.record_id is null ${sql.join(
    toldOf(caller).map(
      (kind) => sql`or (${n}.record_kind = ${kind.name} and exists (
        select from ${sql.table(kind.table)} r
         where r.organization_id = ${n}.organization_id and r.id = ${n}.record_id
           and ${sql.join(ownConditions(kind, caller), sql` and `)}))`,
    ),
    sql` `,
  )})`

/** Who sees what is theirs alone is told of that. */
const toldOf = (caller: Caller): readonly Kind[] =>
  caller.limitedView === 'self_service'
    ? everyKind.filter(({ isShownToOwners }) => isShownToOwners)
    : readableKinds(caller)

export function noticeOf(given: NoticeRow): z.output<typeof notice> {
  const {
    recordKind: _kind,
    facts: _facts,
    daysAgo: _ago,
    ids: _ids,
    references: _references,
    ...row
  } = given
  return {
    earlier: 0,
    ...row,
    words: wordsOf(given),
    page: pageOf(given),
  }
}

export const wordsOf = (
  row: Pick<NoticeRow, 'kind' | 'recordKind' | 'facts' | 'daysAgo' | 'count'>,
): string => noticeWords(row.kind, { ...factsNow(row), noun: nounOf(row), count: row.count })

/** What it told of a date, as near as that is by now. */
export const factsNow = ({ facts, daysAgo }: Pick<NoticeRow, 'facts' | 'daysAgo'>): NoticeFacts =>
  facts.days === undefined ? facts : { ...facts, days: facts.days - daysAgo }

export function nounOf({ recordKind }: Pick<NoticeRow, 'recordKind'>): Noun | null {
  const noun = everyKind.find(({ name }) => name === recordKind)?.noun
  return noun?.about ?? noun ?? null
}

/** Of what is told of a date, those of which one has come, the earliest first. */
function dueFilter(kind: Kind, told: NoticeName): string[][] {
  const due = told === 'overdue' ? ['overdue'] : told === 'due' ? ['soon', 'later'] : []
  return due.length === 0 ? [] : [...due.map((one) => ['due', one]), ...sortedBy(kind)]
}

/** What is due first comes first. */
const sortedBy = (kind: Kind): string[][] => {
  const field = deadlineOf(kind)
  return field === undefined ? [] : [['sort', field]]
}

/** Of one record its page; of several their register with just those, or, of very many, with all that name the person. */
export function pageOf({
  kind: told,
  recordKind,
  record,
  facts,
  references,
  ids,
}: Pick<NoticeRow, 'kind' | 'recordKind' | 'record' | 'facts' | 'references' | 'ids'>): string {
  const kind = everyKind.find(({ name }) => name === recordKind)
  if (!kind) return facts.page ?? '/inbox'
  if (record) return `/${kind.page}/${record.id}${facts.tab ? `?tab=${facts.tab}` : ''}`
  if (references?.length)
    return `/${kind.page}?${new URLSearchParams([...references.map((one) => ['reference', one]), ...sortedBy(kind)])}`
  const field = facts.field ?? ownerOf(kind)
  const of = field ? ids.map((id) => [principalId(field), id]) : []
  return `/${kind.page}?${new URLSearchParams([...of, ...dueFilter(kind, told)])}`
}
