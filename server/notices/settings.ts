import { z } from 'zod'
import { timeZone, whole } from '../../model/fields.ts'
import { MAIL_CHOICES, NOTICE_NAMES, noticeKinds } from '../../model/notice-kinds.ts'
import { isCapable } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { operation, own, type TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { NEXT_HOUR } from './prepare-mail.ts'

/* How somebody is told: of each kind of notice by mail at once, in one mail a day, or in the inbox alone. */

const PATH = '/v1/notice-settings'
const choice = z.enum(MAIL_CHOICES)

const settings = z
  .object({
    sendsMail: z.boolean().describe('Whether the service sends any'),
    email: z.string().describe('Where mails go'),
    bouncedAt: timestamp.nullable().describe('When the mail server last took no mail for it'),
    dailyHour: z.int(),
    timezone: z.string().nullable().describe('Null for that of the organization'),
    organizationTimezone: z.string(),
    kinds: z.array(
      z.object({
        name: z.enum(NOTICE_NAMES),
        title: z.string(),
        who: z.string().describe('Whom it tells, and when'),
        mail: choice,
      }),
    ),
  })
  .meta({ id: 'NoticeSettings', title: 'How you are told' })

export const getNoticeSettings = operation({
  name: 'getNoticeSettings',
  method: 'GET',
  path: PATH,
  needs: own(),
  writes: false,
  title: 'Read how you are told',
  input: z.strictObject({}),
  output: settings,
  run: (context) => read(context),
})

export const updateNoticeSettings = operation({
  name: 'updateNoticeSettings',
  method: 'PATCH',
  path: PATH,
  needs: own(),
  writes: true,
  title: 'Change how you are told',
  input: z.strictObject({
    dailyHour: whole('Hour of the daily mail', 0, 23).optional(),
    timezone: timeZone('Time zone').nullable().optional().describe('Null for that of the organization'),
    mails: z
      .partialRecord(z.enum(NOTICE_NAMES), choice)
      .optional()
      .meta({ title: 'Mails' })
      .describe('By kind of notice; what is left out stays'),
    tryMailAgain: z
      .literal(true)
      .optional()
      .meta({ title: 'Try again' })
      .describe('Mails to an address that bounced'),
  }),
  output: settings,
  example: { dailyHour: 7, mails: { assigned: 'daily' } },
  annotations: { idempotent: true },
  run: async (context, { dailyHour, timezone, mails, tryMailAgain }) => {
    const { tx, caller } = context
    if (tryMailAgain) tx.write(forgetBounce(tx.organizationId, caller.userId))
    await tx.read(
      keep(
        ...[tx.organizationId, caller.userId, JSON.stringify(mails ?? {}), dailyHour ?? null],
        ...[timezone !== undefined, timezone ?? null],
      ),
    )
    if (dailyHour !== undefined || timezone !== undefined)
      tx.write(moveDaily(tx.organizationId, caller.userId))
    return read(context)
  },
})

/** What waits for the hour of before waits for this one. */
const moveDaily = statement(`
  update notices set mail_at = ${NEXT_HOUR}
   where organization_id = $1 and user_id = $2 and is_daily and mail_at is not null`)

interface Row extends Omit<z.output<typeof settings>, 'kinds' | 'sendsMail'> {
  readonly mails: Readonly<Record<string, z.output<typeof choice>>>
}

async function read({ tx, caller, parts }: TransactionContext): Promise<z.output<typeof settings>> {
  const [row] = await tx.read<Row>(find(tx.organizationId, caller.userId, caller.accountId))
  const { mails, ...rest } = row!
  const names = NOTICE_NAMES.filter(
    (name) => !noticeKinds[name].isForAdmins || isCapable(caller, 'settings.manage'),
  )
  const kinds = names.map((name) => {
    const { title, who, mail } = noticeKinds[name]
    return { name, title, who, mail: mails[name] ?? mail }
  })
  return { ...rest, sendsMail: parts.mail !== null, kinds }
}

const find = statement(`
  select coalesce(u.email, '') as email, b.bounced_at as "bouncedAt", coalesce(s.daily_hour, 8) as "dailyHour", s.timezone,
         o.timezone as "organizationTimezone", coalesce(s.mails, '{}') as mails
    from organizations o
    left join users u on u.id = $3
    left join notice_settings s on s.organization_id = o.id and s.user_id = $2
    left join mail_bounces b on b.organization_id = o.id and b.user_id = $2 and b.address = u.email
   where o.id = $1`)

/** Whoever is no member has none: an operator of the command line. */
const keep = statement(`
  insert into notice_settings as s (organization_id, user_id, mails, daily_hour, timezone)
  select organization_id, user_id, $3::jsonb, coalesce($4::int, 8), $6
    from members where organization_id = $1 and user_id = $2
      on conflict (organization_id, user_id) do update
     set mails = s.mails || excluded.mails, daily_hour = coalesce($4::int, s.daily_hour),
         timezone = case when $5::boolean then $6 else s.timezone end`)

const forgetBounce = statement('delete from mail_bounces where organization_id = $1 and user_id = $2')
