import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Position } from '../records/paging.ts'
import { STEPS, type stepsSchema } from '../records/steps.ts'

/*
 * What is due, as rows of `deadlines`, which has those dates alone that count, and with each whose it is. So a page is
 * found there: the first rows of each owner that is asked for, or of each kind, where none is, by an index that has them
 * by date. What else is shown is read of the rows of the page alone.
 */

export interface Wanted {
  readonly organization: string
  readonly kinds: readonly string[]
  /** Null of those: nobody. All, where absent. */
  readonly owners?: readonly (string | null)[] | undefined
  /** Whether a row `d` is one of those; all, where absent. */
  readonly isWanted?: RawBuilder<unknown> | undefined
}

/** How near a date is. */
export const BUCKETS = ['late', 'this_week', 'this_month', 'later'] as const
export type Bucket = (typeof BUCKETS)[number]

/** Each count reads so many rows and no more. */
export const COUNTED_AT_MOST = 1_000

/** Ends of spans of time, where the organization is. */
export interface Ends {
  readonly now: string
  readonly week: string
  readonly month: string
  readonly from: string | null
  readonly to: string | null
}

export const endsOf = (organization: string, from: string | undefined, to: string | undefined) => sql`
  select now, (date_trunc('week', now at time zone zone) + interval '7 days') at time zone zone as week,
         greatest((date_trunc('week', now at time zone zone) + interval '7 days') at time zone zone,
           (date_trunc('month', now at time zone zone) + interval '1 month') at time zone zone) as month,
         ${from ?? null}::date::timestamp at time zone zone as from,
         (${to ?? null}::date + 1)::timestamp at time zone zone as to
    from (select clock_now() as now, deadline_zone(${organization}) as zone offset 0) here`

/** The ids by which records name a user: their own, and that of their entry in the directory. */
export const selvesOf = (organization: string, user: string | null) => sql`
  select ${user}::text as id where ${user}::text is not null
  union all
  select id from personnel where organization_id = ${organization} and user_id = ${user}`

export interface DeadlineRow {
  readonly record_id: string
  readonly name: string
  readonly ends_at: string
  readonly type: string
  readonly reference: string | null
  readonly title: string
  readonly state: string | null
  readonly level: string | null
  readonly date: string
  readonly bucket: Bucket
  readonly steps: z.output<typeof stepsSchema> | null
  readonly owner: { type: 'user' | 'personnel'; refId: string; displayName: string; active: boolean } | null
}

/** The cursor has the end of the last row, and which it was. */
export const placeOf = ({ ends_at, record_id, name }: DeadlineRow): Position => ({
  value: ends_at,
  id: `${record_id} ${name}`,
})

/** Rows in order of their ends, from behind a place; or, of the first page alone, the latest first. */
export function rowsOf(
  wanted: Wanted,
  ends: Ends,
  buckets: readonly Bucket[],
  place: Position | null,
  limit: number,
  isLatestFirst = false,
): RawBuilder<unknown> {
  const [recordId = '', name = ''] = place?.id.split(' ') ?? []
  const isBehind = place
    ? sql`and (d.ends_at, d.record_id, d.name) > (${place.value}::timestamptz, ${recordId}::text collate "C", ${name}::text collate "C")`
    : sql``
  const inBuckets = sql.join(
    buckets.map((bucket) => within(spanOf(bucket, ends))),
    sql` or `,
  )
  const way = isLatestFirst ? sql`desc` : sql`asc`
  const sorted = sql`order by ends_at ${way}, record_id ${way}, name ${way}`
  const order = sql`${sorted} limit ${limit}`
  const parts = partsOf(wanted).map(
    (part) => sql`(select d.* from deadlines d where ${part} and ${within(givenSpan(ends))} and (${inBuckets})
      ${isBehind} ${order})`,
  )
  return sql`
    select d.record_id, d.name, d.ends_at, d.kind as type, k.reference, k.called as title, k.state, k.level,
           coalesce(d.day::text, to_char(d.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as date,
           case ${sql.join(
             BUCKETS.map((bucket) => sql`when ${within(spanOf(bucket, ends))} then ${sql.lit(bucket)}`),
             sql` `,
           )} end as bucket, ${STEPS} as steps,
           coalesce(
             (select json_build_object('type', 'user', 'refId', m.user_id, 'displayName', m.name, 'active', m.status = 'active')
                from members m where m.organization_id = d.organization_id and m.user_id = d.owner_id),
             (select json_build_object('type', 'personnel', 'refId', p.id, 'displayName', p.full_name,
                       'active', p.status <> 'former')
                from personnel p where p.organization_id = d.organization_id and p.id = d.owner_id)) as owner
      from (select * from (${sql.join(parts, sql` union all `)}) found ${order}) d
      join known_records k on k.organization_id = d.organization_id and k.id = d.record_id
     order by d.ends_at ${way}, d.record_id ${way}, d.name ${way}`
}

/** How many there are in each bucket, and of nobody's. */
export function countOf(wanted: Wanted, ends: Ends): RawBuilder<unknown> {
  const counted = (of: Wanted, span: Span) => {
    const parts = partsOf(of).map(
      (
        part,
      ) => sql`(select 1 from deadlines d where ${part} and ${within(givenSpan(ends))} and ${within(span)}
        limit ${COUNTED_AT_MOST})`,
    )
    return sql`(select least(count(*), ${COUNTED_AT_MOST})::int from (${sql.join(parts, sql` union all `)}) counted)`
  }
  const nobodys = { ...wanted, owners: [null] }
  return sql`
    select ${counted(wanted, spanOf('late', ends))} as late,
           ${counted(wanted, spanOf('this_week', ends))} as "thisWeek",
           ${counted(wanted, spanOf('this_month', ends))} as "thisMonth",
           ${counted(wanted, spanOf('later', ends))} as later,
           ${counted(nobodys, [null, null])} as ownerless`
}

/** What one index has in the order of its ends: an owner’s, or a kind’s. */
function partsOf({ organization, kinds, owners, isWanted }: Wanted): RawBuilder<unknown>[] {
  const here = sql`d.organization_id = ${organization} and ${isWanted ?? sql`true`}`
  if (kinds.length === 0 || owners?.length === 0) return [sql`false`]
  if (owners)
    return owners.map((owner) =>
      owner === null
        ? sql`${here} and d.owner_id is null and d.kind = any(${kinds})`
        : sql`${here} and d.owner_id = ${owner} and d.kind = any(${kinds})`,
    )
  return kinds.map((kind) => sql`${here} and d.kind = ${kind}`)
}

/** After the first and up to the last; open at an end that is none. */
type Span = readonly [string | null, string | null]

const spanOf = (bucket: Bucket, { now, week, month }: Ends): Span =>
  ({
    late: [null, now] as const,
    this_week: [now, week] as const,
    this_month: [week, month] as const,
    later: [month, null] as const,
  })[bucket]

const givenSpan = ({ from, to }: Ends): Span => [from, to]

function within([after, last]: Span): RawBuilder<unknown> {
  const ends = [
    ...(after === null ? [] : [sql`d.ends_at > ${after}::timestamptz`]),
    ...(last === null ? [] : [sql`d.ends_at <= ${last}::timestamptz`]),
  ]
  return ends.length === 0 ? sql`true` : sql`(${sql.join(ends, sql` and `)})`
}
