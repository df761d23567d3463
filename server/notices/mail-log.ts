import { sql } from 'kysely'
import { z } from 'zod'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { capability, operation, type Parts } from '../operation.ts'
import { timestamp } from '../output.ts'
import { behind, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'

/*
 * What was mailed about notices, and to guests, to whom, and what came of it. What a mail said, its link or its code, is
 * kept nowhere.
 */

const STATES = ['waiting', 'sent', 'refused', 'given_up', 'dropped'] as const

const mail = z
  .object({
    id: z.string(),
    about: z
      .enum(['notices', 'guest_link', 'guest_code'])
      .describe('Notices, to a member; a link or a code, to somebody who does not sign in'),
    userId: z.string().nullable().describe('Null for who is no member'),
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
  .meta({ id: 'LoggedMail', title: 'Mail of the log' })

type Row = z.output<typeof mail>

const orderOf = (table: string) =>
  ({
    ...{ sort: '-createdAt', descending: true },
    ...{ column: sql.ref(`${table}.created_at`), id: sql.ref(`${table}.id`) },
  }) as const

const ORDER = orderOf('n')

export const listMails = operation({
  name: 'listMails',
  method: 'GET',
  path: '/v1/mails',
  needs: capability('settings.manage'),
  writes: false,
  title: 'List the mails about notices and to guests',
  description: 'The latest first; what they say is not kept.',
  input: z.strictObject({
    state: z.array(z.enum(STATES)).max(STATES.length).optional().meta({ title: 'State' }),
    ...PAGE,
  }),
  output: pageOf(mail),
  run: async ({ tx }, { state, limit, cursor }) => {
    const place = readCursor(cursor, ORDER.sort)
    const of = (table: 'n' | 'g') => sql`
      ${sql.ref(table)}.organization_id = ${tx.organizationId}
      ${state ? sql`and ${sql.ref(`${table}.state`)} = any(${state})` : sql``}
      ${place ? sql`and ${behind(orderOf(table), place)}` : sql``}
      ${orderBy(orderOf(table))} limit ${limit + 1}`
    // Each log is read as far as a page goes, along its index.
    const rows = await tx.read<Row>(
      build(sql`
        select * from (
          (select n.id, 'notices' as about, n.user_id as "userId", m.name, n.address, n.state, n.failure,
                  n.notice_count as "noticeCount", n.attempts, n.due_at as "dueAt", n.created_at as "createdAt",
                  n.ended_at as "endedAt"
             from notice_mails n join members m on m.organization_id = n.organization_id and m.user_id = n.user_id
            where ${of('n')})
          union all
          (select g.id, g.about, null, coalesce(d.full_name, p.name, g.address), g.address, g.state, g.failure, 0,
                  g.attempts, g.due_at, g.created_at, g.ended_at
             from guest_mails g join guest_passes p on p.organization_id = g.organization_id and p.id = g.pass_id
             left join personnel d on d.organization_id = p.organization_id and d.id = p.person_id
            where ${of('g')})) mails
         order by "createdAt" desc, id desc limit ${limit + 1}`),
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
