import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { columnOf } from '../../model/column-names.ts'
import { explained, storageOf } from '../../model/fields.ts'
import type { Kind, Waiting } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { principalColumns } from '../../model/roles.ts'
import { mayChangeIt, mayTakeUp } from '../../model/waiting.ts'
import { actingUserOf, type Caller } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { operation, scope } from '../operation.ts'
import { timestamp } from '../output.ts'
import { isNobodys } from './list/filters.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from './paging.ts'
import { readableKinds } from './readable.ts'
import { ownDate } from './waiting-dates.ts'

/*
 * What waits for somebody, of every kind that says so (`waits`): what they are to decide, and what they are to hand in.
 * It is read off the records themselves, so nothing has to be kept in step with them.
 */

const KINDS = everyKind.filter(({ waits }) => waits.length > 0)
const ACTS = ['decide', 'hand_in'] as const
/** Of one kind and act no more are looked at: whoever has as many waiting begins with some. */
const COUNTED_AT_MOST = 1_000

const waiting = z
  .object({
    act: z.enum(ACTS).describe('What it waits for'),
    type: z.string().describe('Its kind'),
    id: z.string(),
    reference: z.string().nullable(),
    title: z.string(),
    state: z.string().nullable(),
    level: z.string().nullable(),
    under: z
      .object({ id: z.string(), reference: z.string().nullable(), title: z.string() })
      .nullable()
      .describe('What it is under'),
    asked: z
      .object({
        by: z.string(),
        through: z.string().nullable().describe('The key or app that asked'),
        at: timestamp,
      })
      .nullable()
      .describe('Who asked for it, where somebody did'),
    deadline: z.string().nullable().describe('The first of its dates to come'),
    date: z.string().nullable().describe('A day or an instant, also where it is nobody’s duty yet'),
  })
  .meta({ id: 'WaitingRecord' })

type Row = z.output<typeof waiting> & { readonly endsAt: string | null }

const ORDER: Order = {
  sort: 'date',
  column: sql.ref('w.ends_at'),
  id: sql.ref('w.id'),
  descending: false,
  nullable: true,
}

export const listWaiting = operation({
  name: 'listWaiting',
  method: 'GET',
  path: '/v1/waiting',
  needs: scope(...new Set(KINDS.flatMap((kind) => needsToRead(kind).anyOf))),
  writes: false,
  isAside: true,
  title: 'List what waits for you',
  description: `Records that you are to decide on, or to hand in, of the kinds that you may read; what is due first comes first. Counts are of the same kinds; ${COUNTED_AT_MOST} stands for as many or more.`,
  input: z.strictObject({
    ...PAGE,
    type: z
      .array(z.enum(KINDS.map(({ name }) => name) as [string, ...string[]]))
      .min(1)
      .max(50)
      .optional()
      .meta({ title: 'Type' })
      .describe('The kinds of the records'),
    whose: explained('Whose', {
      mine: 'What waits for you',
      nobody: 'What names nobody who is to see to it',
    })
      .default('mine')
      .describe('mine: what names you; nobody: what names nobody who is to see to it'),
  }),
  output: pageOf(waiting)
    .extend({
      counts: z.array(z.object({ type: z.string(), act: z.enum(ACTS), count: z.int() })),
    })
    .meta({ id: 'WaitingPage' }),
  refusals: ['malformed_request'],
  example: { type: ['evidence'] },
  run: async ({ tx, caller }, { limit, cursor, type, whose }) => {
    const place = readCursor(cursor, ORDER.sort)
    const { organizationId } = tx
    const readable = readableKinds(caller)
    const readableNames = readable.map(({ name }) => name)
    const kinds = readable.filter(({ name }) => type === undefined || type.includes(name))
    const parts = kinds.flatMap((kind) =>
      kind.waits
        .filter((one) => (whose === 'mine' ? isAskedOf(caller, kind, one) : mayChangeIt(kind, caller.role)))
        .map((one) => partOf(kind, one, organizationId, whose === 'mine' ? actingUserOf(caller) : NOBODY)),
    )
    if (parts.length === 0) return { data: [], nextCursor: null, counts: [] }
    const [rows, counts] = await Promise.all([
      tx.read<Row>(build(rowsOf(parts, readableNames, place ? behind(ORDER, place) : sql`true`, limit + 1))),
      tx.read<never>(build(countOf(parts))),
    ])
    const item = ({ endsAt: _, ...row }: Row) => row
    return { ...page(rows, limit, ORDER.sort, item, ({ endsAt, id }) => ({ value: endsAt, id })), counts }
  },
})

/**
 * Whether whoever calls is told that this waits for them, where it names them. Nobody is told to decide what their role
 * keeps from them. Who is asked to hand something in is told so whoever they are: somebody else may bring it for them.
 */
export const isAskedOf = ({ role, limitedView }: Caller, kind: Kind, one: Waiting): boolean =>
  limitedView === 'auditor' ? mayChangeIt(kind, role) : one.act === 'hand_in' || mayTakeUp(kind, one, role)

const NOBODY = Symbol('nobody')
const NONE = sql`null`

/** Of one way in which records of a kind wait, those that wait for a user, as that or as their entry in the directory. */
function partOf(
  kind: Kind,
  waiting: Waiting,
  organizationId: string,
  userId: string | null | typeof NOBODY,
): RawBuilder<unknown> {
  const {
    act,
    while: { field, values },
    whom,
  } = waiting
  const { user, personnel } = principalColumns(whom)
  const own = ownDate(kind, waiting)
  // A record that is asked for is made as it is asked for.
  const asker = waiting.askedBy?.find(
    (name) => kind.derived[name] && storageOf(kind.derived[name]) === 'jsonb',
  )
  const asked = asker
    ? sql`json_build_object('by', ${sql.ref(`r.${columnOf(asker)}`)} ->> 'displayName',
        'through', case when r.created_by ->> 'type' in ('api_key', 'oauth_client') then r.created_by ->> 'displayName' end,
        'at', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`
    : sql`null::json`
  const above = kind.under ? sql.ref(`r.${columnOf(kind.under.field)}`) : sql`null::text`
  const isTheirs =
    userId === NOBODY
      ? isNobodys(whom)
      : sql`(${sql.ref(`r.${user}`)} = ${userId} or ${sql.ref(`r.${personnel}`)} in (
         select p.id from personnel p where p.organization_id = ${organizationId} and p.user_id = ${userId}))`
  return sql`(
    select ${act}::text as act, ${kind.name}::text as type, r.organization_id, r.id, ${above} as above, ${asked} as asked,
           ${own?.name ?? NONE}::text as own_name, ${own?.day ?? NONE}::date as own_day, ${own?.at ?? NONE}::timestamptz as own_at
      from ${sql.table(kind.table)} r
     where r.organization_id = ${organizationId} and r.archived_at is null
       and ${sql.ref(`r.${columnOf(field)}`)} = any(${values})
       and ${isTheirs} limit ${COUNTED_AT_MOST})`
}

/** @param readable the kinds that may be read: of no other it tells what a record is under */
const rowsOf = (
  parts: RawBuilder<unknown>[],
  readable: readonly string[],
  isBehind: RawBuilder<unknown>,
  limit: number,
) => sql`
  select w.act, w.type, w.id, k.reference, k.called as title, k.state, k.level,
         case when p.id is not null then
           json_build_object('id', p.id, 'reference', p.reference, 'title', p.called) end as under, w.asked, w.name as deadline, w.date, w.ends_at as "endsAt"
    from (
      select one.*, d.name, d.ends_at,
             coalesce(d.day::text, to_char(d.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as date
        from (${sql.join(parts, sql` union all `)}) one
        left join lateral (
          (select 1 as place, name, day, ends_at from deadlines d
            where d.organization_id = one.organization_id and d.record_id = one.id order by ends_at limit 1)
          union all
          select 2, one.own_name, one.own_day, coalesce(one.own_at,
                   (one.own_day + 1)::timestamp at time zone deadline_zone(one.organization_id))
           where one.own_day is not null or one.own_at is not null
          order by place limit 1) d on true) w
    join known_records k on k.organization_id = w.organization_id and k.id = w.id
    left join known_records p on p.organization_id = w.organization_id and p.id = w.above
     and p.kind = any(${readable})
   where ${isBehind} ${orderBy(ORDER)} limit ${limit}`

const countOf = (parts: RawBuilder<unknown>[]) => sql`
  select type, act, count(*)::int as count from (${sql.join(parts, sql` union all `)}) one
   group by type, act order by type, act`
