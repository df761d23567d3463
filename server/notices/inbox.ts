import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { flag, idOf, instant } from '../../model/fields.ts'
import type { Caller } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { operation, own, type TransactionContext } from '../operation.ts'
import { behind, orderBy, PAGE, page, pageOf as pageSchema, readCursor } from '../records/paging.ts'
import { invalid, notFound } from '../refusal.ts'
import { COLUMNS, type NoticeRow, notice, noticeOf, shownTo } from './notice-record.ts'

/*
 * The inbox of a person. It is theirs alone, so no program reads it, and what they do in it stands in no log. What
 * they may not read any more is not in it, as it is in no search.
 */

const PATH = '/v1/notices'
/** Snoozed for so long at most. */
const SNOOZED_AT_MOST_DAYS = 366
const COUNTED_AT_MOST = 100

type Alias = RawBuilder<unknown>
const N = sql.ref('n')
const OTHER = sql.ref('o')

/** The places that a notice may be at: what is unread or read is in the inbox. */
const AT = {
  inbox: (n: Alias) => sql`${n}.archived_at is null and coalesce(${n}.snoozed_until <= clock_now(), true)`,
  snoozed: (n: Alias) => sql`${n}.archived_at is null and ${n}.snoozed_until > clock_now()`,
  archived: (n: Alias) => sql`${n}.archived_at is not null`,
} as const

const SHOWN = {
  ...AT,
  unread: (n: Alias) => sql`${n}.read_at is null and ${AT.inbox(n)}`,
  read: (n: Alias) => sql`${n}.read_at is not null and ${AT.inbox(n)}`,
} as const

/** What stands at the same place about the same record. */
const beside = (caller: Caller, show: keyof typeof SHOWN) => sql`
  ${shownTo(caller, OTHER)} and o.record_id = n.record_id and o.id <> n.id
    and ${SHOWN[show === 'unread' || show === 'read' ? 'inbox' : show](OTHER)}`

/** Of all about one record the latest stands for the others, and one that is new for all that were read. */
const isFirst = (caller: Caller, show: keyof typeof SHOWN) => sql`
  (n.record_id is null or not exists (
    select from notices o where ${beside(caller, show)}
       and (o.read_at is null, o.created_at, o.id) > (n.read_at is null, n.created_at, n.id)))`

const ORDER = {
  sort: '-createdAt',
  column: sql.ref('n.created_at'),
  id: sql.ref('n.id'),
  descending: true,
} as const

export const listNotices = operation({
  name: 'listNotices',
  method: 'GET',
  path: PATH,
  needs: own(),
  writes: false,
  title: 'List your notices',
  description:
    'What you were told of, the latest first. Of records that you may not read any more there is nothing.',
  input: z.strictObject({
    show: z
      .enum(['unread', 'read', 'inbox', 'snoozed', 'archived'])
      .default('unread')
      .meta({ title: 'Show' })
      .describe('unread and read are the inbox; what is snoozed comes back into it as unread'),
    recordId: idOf()
      .optional()
      .describe(
        'All that is about this record, one by one; else the latest stands for the others about its record',
      ),
    ...PAGE,
  }),
  output: pageSchema(notice),
  run: async ({ tx, caller }, { show, recordId, limit, cursor }) => {
    const place = readCursor(cursor, ORDER.sort)
    const rows = await tx.read<NoticeRow>(
      build(sql`
        select ${COLUMNS}, ${recordId ? sql`0` : sql`(select count(*)::int from notices o where ${beside(caller, show)})`} as earlier
          from notices n
         where ${shownTo(caller)} and ${SHOWN[show](N)} ${place ? sql`and ${behind(ORDER, place)}` : sql``}
           and ${recordId ? sql`n.record_id = ${recordId}` : isFirst(caller, show)}
         ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(rows, limit, ORDER.sort, noticeOf, ({ createdAt, id }) => ({ value: createdAt, id }))
  },
})

export const countUnreadNotices = operation({
  name: 'countUnreadNotices',
  method: 'GET',
  path: `${PATH}/unread`,
  needs: own(),
  writes: false,
  title: 'Count your unread notices',
  description: `What is new about one record counts once. Up to ${COUNTED_AT_MOST}, which stands for as many or more.`,
  input: z.strictObject({}),
  output: z.object({ unread: z.int().min(0).max(COUNTED_AT_MOST) }).meta({ id: 'UnreadNotices' }),
  run: async ({ tx, caller }) => {
    const [row] = await tx.read<{ unread: number }>(
      build(sql`
        select count(*)::int as unread from (
          select distinct coalesce(n.record_id, n.id) from notices n
           where ${shownTo(caller)} and ${SHOWN.unread(N)} limit ${COUNTED_AT_MOST}) found`),
    )
    return row!
  },
})

export const updateNotice = operation({
  name: 'updateNotice',
  method: 'PATCH',
  path: `${PATH}/{id}`,
  needs: own(),
  writes: true,
  title: 'Change a notice',
  description: 'Marks it read or unread, archives it or takes it back, or lets it come again later.',
  input: z.strictObject({
    id: idOf('ntc'),
    andEarlier: flag('And earlier ones')
      .default(false)
      .describe('So is all that stands at the same place about the same record'),
    isRead: flag('Read').optional(),
    isArchived: flag('Archived').optional().describe('What is archived is read as well'),
    snoozedUntil: instant('Snoozed until')
      .nullable()
      .optional()
      .describe('It comes back then, as unread; null brings it back at once'),
  }),
  output: notice,
  annotations: { idempotent: true },
  run: async ({ tx, caller }, { id, andEarlier, isRead, isArchived, snoozedUntil }) => {
    const [found] = await tx.read<{ recordId: string | null; at: keyof typeof AT }>(
      build(sql`
        select n.record_id as "recordId", case when ${AT.inbox(N)} then 'inbox' when ${AT.snoozed(N)} then 'snoozed'
               else 'archived' end as at
          from notices n where ${shownTo(caller)} and n.id = ${id} for no key update`),
    )
    if (!found) throw notFound()
    const { recordId, at } = found
    const others =
      andEarlier && recordId !== null ? sql`or (n.record_id = ${recordId} and ${AT[at](N)})` : sql``
    if (typeof snoozedUntil === 'string') refuseAway(await tx.now, snoozedUntil)
    const isSnoozed = typeof snoozedUntil === 'string'
    const rows = await tx.read<NoticeRow>(
      build(sql`
        update notices n
           set read_at = case when ${isSnoozed || isRead === false} then null
                 when ${isRead === true || isArchived === true} then coalesce(n.read_at, clock_now()) else n.read_at end,
               archived_at = case when ${isArchived === true} then coalesce(n.archived_at, clock_now())
                 when ${isArchived === false || isSnoozed} then null else n.archived_at end,
               snoozed_until = case when ${snoozedUntil !== undefined} then ${snoozedUntil ?? null}::timestamptz
                 when ${isArchived === true} then null else n.snoozed_until end
         where ${shownTo(caller)} and (n.id = ${id} ${others})
        returning ${COLUMNS}`),
    )
    return noticeOf(rows.find((row) => row.id === id)!)
  },
})

function refuseAway(now: string, until: string): void {
  const days = (Date.parse(until) - Date.parse(now)) / 86_400_000
  if (days <= 0 || days > SNOOZED_AT_MOST_DAYS)
    throw invalid({ path: 'snoozedUntil', message: 'give a moment within the coming year' })
}

/** Up to a notice that one has seen, so that none is lost that came meanwhile. */
const UNTIL = {
  until: instant('Until').optional().describe('Leaves alone what came later than that'),
}
const changed = z.object({ count: z.int().describe('How many') })

export const readAllNotices = operation({
  name: 'readAllNotices',
  method: 'POST',
  path: `${PATH}/read`,
  needs: own(),
  writes: true,
  title: 'Mark all notices as read',
  input: z.strictObject(UNTIL),
  output: changed.meta({ id: 'ReadNotices' }),
  example: {},
  annotations: { idempotent: true },
  run: (context, { until }) => markAll(context, 'read_at', SHOWN.unread(N), until),
})

export const archiveReadNotices = operation({
  name: 'archiveReadNotices',
  method: 'POST',
  path: `${PATH}/archive`,
  needs: own(),
  writes: true,
  title: 'Archive all read notices',
  input: z.strictObject(UNTIL),
  output: changed.meta({ id: 'ArchivedNotices' }),
  example: {},
  annotations: { idempotent: true },
  run: (context, { until }) => markAll(context, 'archived_at', SHOWN.read(N), until),
})

const upTo = (until: string | undefined) =>
  sql`n.created_at <= coalesce(${until ?? null}::timestamptz, clock_now())`

async function markAll(
  { tx, caller }: TransactionContext,
  as: 'read_at' | 'archived_at',
  those: RawBuilder<unknown>,
  until: string | undefined,
): Promise<{ count: number }> {
  const marked = await tx.read(
    build(sql`
      update notices n set ${sql.raw(as)} = clock_now()
       where ${shownTo(caller)} and ${those} and ${upTo(until)} returning n.id`),
  )
  return { count: marked.length }
}
