import { z } from 'zod'
import { choice } from '../../model/fields.ts'
import { LEVELS } from '../../model/scales.ts'
import { statement } from '../database/connect.ts'
import { operation, person } from '../operation.ts'

const MONTHS = 12

const counts = z
  .array(z.object({ level: choice('Level', LEVELS).nullable(), count: z.int() }))
  .describe('By the level that they have now; null where it was not assessed')

export const getRiskTrend = operation({
  name: 'getRiskTrend',
  method: 'GET',
  path: '/v1/risks/trend',
  needs: person('read:risks'),
  writes: false,
  isLarge: true,
  title: 'Count the risks opened and closed in each month of a year',
  description:
    'The last twelve months of the organization’s time zone, the present one last. A risk that was reopened counts as open, and one that is archived as closed by then.',
  input: z.strictObject({}),
  output: z.object({
    months: z.array(
      z.object({
        from: z.string().describe('Its first moment'),
        to: z.string().describe('Its last moment'),
        opened: counts,
        closed: counts,
      }),
    ),
  }),
  run: async ({ tx }) => {
    const rows = await tx.read<CountedRow>(read(tx.organizationId))
    const months = [...Map.groupBy(rows, ({ from }) => from)]
    return {
      months: months.map(([from, all]) => ({
        from,
        to: all[0]!.to,
        opened: countsOf(all, 'opened'),
        closed: countsOf(all, 'closed'),
      })),
    }
  },
})

interface CountedRow {
  from: string
  to: string
  what: 'opened' | 'closed' | null
  level: (typeof LEVELS)[number] | null
  count: number
}

const countsOf = (rows: readonly CountedRow[], wanted: CountedRow['what']) =>
  rows.flatMap(({ what, level, count }) => (what === wanted ? [{ level, count }] : []))

const read = statement(`
  with zone as materialized (
    select timezone as name from organizations where id = $1
  ), months as (
    select m as from_day, m + interval '1 month' as next_day
      from generate_series(
        date_trunc('month', clock_now() at time zone (select name from zone)) - interval '${MONTHS - 1} months',
        date_trunc('month', clock_now() at time zone (select name from zone)),
        interval '1 month') m
  ), first as (
    select min(from_day) at time zone (select name from zone) as day from months
  ), counted as (
    select 'opened' as what, date_trunc('month', created_at at time zone (select name from zone)) as month, risk_level, count(*)
      from risks where organization_id = $1 and created_at >= (select day from first) group by 2, 3
    union all
    select 'closed', date_trunc('month', closed_at at time zone (select name from zone)), risk_level, count(*)
      from risks where organization_id = $1 and closed_at >= (select day from first) group by 2, 3
    union all
    select 'closed', date_trunc('month', archived_at at time zone (select name from zone)), risk_level, count(*)
      from risks where organization_id = $1 and closed_at is null and archived_at >= (select day from first) group by 2, 3
  )
  select from_day at time zone (select name from zone) as "from", next_day at time zone (select name from zone) - interval '1 millisecond' as "to",
         c.what, c.risk_level as level, coalesce(c.count, 0)::int as count
    from months left join counted c on c.month = from_day
   order by from_day`)
