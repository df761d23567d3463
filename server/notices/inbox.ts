import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { flag, idOf, instant } from '../../model/fields.ts'
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

const IS_AWAKE = sql`coalesce(n.snoozed_until <= clock_now(), true)`

const SHOWN = {
  unread: sql`n.read_at is null and n.archived_at is null and ${IS_AWAKE}`,
  read: sql`n.read_at is not null and n.archived_at is null and ${IS_AWAKE}`,
  snoozed: sql`n.archived_at is null and n.snoozed_until > clock_now()`,
  archived: sql`n.archived_at is not null`,
} as const

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
      .enum(['unread', 'read', 'snoozed', 'archived'])
      .default('unread')
      .meta({ title: 'Show' })
      .describe('unread and read are the inbox; what is snoozed comes back into it as unread'),
    ...PAGE,
  }),
  output: pageSchema(notice),
  run: async ({ tx, caller }, { show, limit, cursor }) => {
    const place = readCursor(cursor, ORDER.sort)
    const rows = await tx.read<NoticeRow>(
      build(sql`
        select ${COLUMNS} from notices n
         where ${shownTo(caller)} and ${SHOWN[show]} ${place ? sql`and ${behind(ORDER, place)}` : sql``}
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
  description: `Up to ${COUNTED_AT_MOST}, which stands for as many or more.`,
  input: z.strictObject({}),
  output: z.object({ unread: z.int().min(0).max(COUNTED_AT_MOST) }).meta({ id: 'UnreadNotices' }),
  run: async ({ tx, caller }) => {
    const [row] = await tx.read<{ unread: number }>(
      build(sql`
        select count(*)::int as unread from (
          select from notices n where ${shownTo(caller)} and ${SHOWN.unread} limit ${COUNTED_AT_MOST}) found`),
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
    isRead: flag('Read').optional(),
    isArchived: flag('Archived').optional().describe('What is archived is read as well'),
    snoozedUntil: instant('Snoozed until')
      .nullable()
      .optional()
      .describe('It comes back then, as unread; null brings it back at once'),
  }),
  output: notice,
  annotations: { idempotent: true },
  run: async ({ tx, caller }, { id, isRead, isArchived, snoozedUntil }) => {
    const [found] = await tx.read(
      build(sql`select from notices n where ${shownTo(caller)} and n.id = ${id} for no key update`),
    )
    if (!found) throw notFound()
    if (typeof snoozedUntil === 'string') refuseAway(await tx.now, snoozedUntil)
    const isSnoozed = typeof snoozedUntil === 'string'
    const [row] = await tx.read<NoticeRow>(
      build(sql`
        update notices n
           set read_at = case when ${isSnoozed || isRead === false} then null
                 when ${isRead === true || isArchived === true} then coalesce(n.read_at, clock_now()) else n.read_at end,
               archived_at = case when ${isArchived === true} then coalesce(n.archived_at, clock_now())
                 when ${isArchived === false || isSnoozed} then null else n.archived_at end,
               snoozed_until = case when ${snoozedUntil !== undefined} then ${snoozedUntil ?? null}::timestamptz
                 when ${isArchived === true} then null else n.snoozed_until end
         where ${shownTo(caller)} and n.id = ${id}
        returning ${COLUMNS}`),
    )
    return noticeOf(row!)
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
  run: (context, { until }) => markAll(context, 'read_at', SHOWN.unread, until),
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
  run: (context, { until }) => markAll(context, 'archived_at', SHOWN.read, until),
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
