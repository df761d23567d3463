import { statement } from '../../database/connect.ts'
import type { Parts } from '../../operation.ts'
import type { Limit } from './sign-in-limits.ts'

/*
 * Counts that begin anew when their window is over, kept where all processes see them. A key is a keyed hash: the
 * table tells nothing of whom it counts.
 */

/** What a window has by now, this time included, and when it ends. */
export interface Count {
  readonly count: number
  readonly waitMs: number
}

/**
 * Counts one more under each key, and under the wide one where none of them is past its limit.
 * @returns a count for each key, in their order, and then the wide one's, if there is one
 */
export async function count(
  { database }: Pick<Parts, 'database'>,
  keys: readonly Buffer[],
  limits: readonly Limit[],
  wideKey: Buffer | null,
  wide: Limit | null,
): Promise<Count[]> {
  const { rows } = await database.gate.query<{ key: Buffer; count: number; wait_ms: number }>(
    add(
      keys,
      limits.map(({ minutes }) => minutes),
      limits.map(({ count }) => count),
      wideKey,
      wide?.minutes ?? 0,
    ),
  )
  const of = (key: Buffer): Count => {
    const row = rows.find((one) => one.key.equals(key))
    return { count: row?.count ?? 0, waitMs: row?.wait_ms ?? 0 }
  }
  return [...keys, ...(wideKey ? [wideKey] : [])].map(of)
}

/**
 * $1 the narrow keys with their $2 minutes and $3 limits, $4 the wide key with its $5 minutes. The rows are locked
 * in the order of the keys as they are given, the wide one last, so that two attempts at once never wait for each
 * other in a ring.
 */
const add = statement(`
  with narrow as (
    insert into sign_in_counts as c (key, count, expires_at)
    select key, 1, clock_now() + minutes * interval '1 minute'
      from unnest($1::bytea[], $2::int[]) with ordinality as asked (key, minutes, place) order by place
    on conflict (key) do update
       set count = case when c.expires_at > clock_now() then least(c.count, 1000000) + 1 else 1 end,
           expires_at = case when c.expires_at > clock_now() then c.expires_at else excluded.expires_at end
    returning key, count, expires_at
  ),
  wide as (
    insert into sign_in_counts as c (key, count, expires_at)
    select $4::bytea, 1, clock_now() + $5 * interval '1 minute'
     where $4::bytea is not null and not exists (
       select from narrow join unnest($1::bytea[], $3::int[]) as asked (key, most) using (key)
        where narrow.count > asked.most)
    on conflict (key) do update
       set count = case when c.expires_at > clock_now() then least(c.count, 1000000) + 1 else 1 end,
           expires_at = case when c.expires_at > clock_now() then c.expires_at else excluded.expires_at end
    returning key, count, expires_at
  )
  select key, count, extract(epoch from expires_at - clock_now())::float8 * 1000 as wait_ms
    from (select * from narrow union all select * from wide) counted`)

/** What stands under a key; no row where its window is over. */
export const peek = statement('select count from sign_in_counts where key = $1 and expires_at > clock_now()')

/** One less under each key, in the order in which they are counted. */
export const takeBack = statement(`
  update sign_in_counts set count = greatest(count - 1, 0)
   where key in (select key from sign_in_counts where key = any($1::bytea[])
                  order by array_position($1::bytea[], key) for update)`)

/** The next time is the first. */
export const forget = statement('delete from sign_in_counts where key = $1')
