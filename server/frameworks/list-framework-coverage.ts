import { z } from 'zod'
import { day, whole } from '../../model/fields.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { operation } from '../operation.ts'
import { ID } from '../records/schemas.ts'
import { notFound } from '../refusal.ts'
import { KEPT_YEARS } from './coverage-days.ts'

const count = (title: string) => whole(title, 0, 1_000_000)

export const listFrameworkCoverage = operation({
  name: 'listFrameworkCoverage',
  method: 'GET',
  path: '/v1/frameworks/{id}/coverage-days',
  needs: kinds.framework.access.read,
  writes: false,
  isLarge: true,
  isAside: true,
  title: 'List how far a framework was, day by day',
  description: `The figures of its progress as each day began, the oldest first: since it was activated, for ${KEPT_YEARS} years.`,
  input: z.strictObject({
    id: ID,
    from: day('From').optional().describe('The first day; a year ago, where it is left out'),
    to: day('To').optional().describe('The last day'),
  }),
  output: z
    .object({
      data: z.array(
        z
          .object({
            day: day('Day'),
            requirementsInScope: count('In scope'),
            met: count('Compliant'),
            partiallyMet: count('Partially compliant'),
            notMet: count('Non compliant'),
            notAssessed: count('Not assessed'),
          })
          .meta({ id: 'CoverageDay' }),
      ),
    })
    .meta({ id: 'CoverageDayList' }),
  run: async ({ tx }, { id, from, to }) => {
    const [[there], data] = await Promise.all([
      tx.read(findThere(tx.organizationId, id)),
      tx.read(list(tx.organizationId, id, from ?? null, to ?? null)),
    ])
    if (!there) throw notFound()
    return { data } as never
  },
})

const findThere = statement(`select from frameworks where organization_id = $1 and id = $2`)

const list = statement(`
  select day::text, in_scope as "requirementsInScope", met, partially_met as "partiallyMet", not_met as "notMet",
         not_assessed as "notAssessed"
    from coverage_days
   where organization_id = $1 and framework_id = $2
     and day >= coalesce($3::date, (clock_now() - interval '1 year')::date) and ($4::date is null or day <= $4::date)
   order by day`)
