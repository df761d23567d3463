import { sql } from 'kysely'
import { z } from 'zod'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { capability, operation, type Parts } from '../operation.ts'
import { timestamp } from '../output.ts'
import { behind, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'

/* What was mailed about notices, to whom, and what came of it. What a mail said is kept nowhere. */

const STATES = ['waiting', 'sent', 'refused', 'given_up', 'dropped'] as const

const noticeMail = z
  .object({
    id: z.string(),
    userId: z.string(),
    name: z.string().describe('Of whoever it is for'),
    address: z.string().nullable().describe('Where it was last sent to'),
    state: z
      .enum(STATES)
      .describe(
        'waiting: on its way, or tried again later; refused: the mail server takes it never; given_up: after a day of trying; dropped: there was nothing left to send, or nobody to send it to',
      ),
    failure: z.string().nullable().describe('Why it did not leave'),
    noticeCount: z.int().describe('How many notices it tells of'),
    attempts: z.int(),
    dueAt: timestamp.nullable().describe('When it is tried again'),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'NoticeMail', title: 'Mail about notices' })

type Row = z.output<typeof noticeMail>

const ORDER = {
  sort: '-createdAt',
  column: sql.ref('n.created_at'),
  id: sql.ref('n.id'),
  descending: true,
} as const

export const listNoticeMails = operation({
  name: 'listNoticeMails',
  method: 'GET',
  path: '/v1/notice-mails',
  needs: capability('settings.manage'),
  writes: false,
  title: 'List the mails about notices',
  description: 'The latest first; what they say is not kept.',
  input: z.strictObject({
    state: z.array(z.enum(STATES)).max(STATES.length).optional().meta({ title: 'State' }),
    ...PAGE,
  }),
  output: pageOf(noticeMail),
  run: async ({ tx }, { state, limit, cursor }) => {
    const place = readCursor(cursor, ORDER.sort)
    const rows = await tx.read<Row>(
      build(sql`
        select n.id, n.user_id as "userId", m.name, n.address, n.state, n.failure, n.notice_count as "noticeCount",
               n.attempts, n.due_at as "dueAt", n.created_at as "createdAt", n.ended_at as "endedAt"
          from notice_mails n join members m on m.organization_id = n.organization_id and m.user_id = n.user_id
         where n.organization_id = ${tx.organizationId}
           ${state ? sql`and n.state = any(${state})` : sql``} ${place ? sql`and ${behind(ORDER, place)}` : sql``}
         ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(
      rows,
      limit,
      ORDER.sort,
      (row) => row,
      ({ createdAt, id }) => ({ value: createdAt, id }),
    )
  },
})

/** For the metrics: what waits, for how long, and what came to nothing within the day. */
export interface MailCounts {
  readonly waiting: number
  readonly failed: number
}

export async function countMails({ database }: Parts): Promise<MailCounts> {
  const { rows } = await database.engine.query<MailCounts>(count())
  return rows[0]!
}

const count = statement(`
  select (select count(*) from notice_mails where due_at is not null)::int as waiting,
         (select count(*) from notice_mails
           where ended_at > clock_now() - interval '1 day' and state in ('refused', 'given_up'))::int as failed`)
