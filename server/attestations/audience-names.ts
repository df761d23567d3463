import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { operation, scope } from '../operation.ts'
import { IS_IN_SCOPE } from './round.ts'

/** A directory has fewer; of more than these, none is said to be nobody's. */
const NAMES_AT_MOST = 500

const name = z.object({
  name: z.string().describe('As audienceIds of a policy have it'),
  people: z.int().describe('Who are in it, of those whom policies ask'),
})

/** By what policies say whom they are for: a name that is mistyped there is nobody's, and asks nobody. */
export const listAudienceNames = operation({
  name: 'listAudienceNames',
  method: 'GET',
  path: '/v1/audience-names',
  needs: scope('read:personnel'),
  writes: false,
  isLarge: true,
  isAside: true,
  title: 'List departments or labels of people',
  description:
    'What the audience of a policy can name: the departments of the directory, or the labels of its people (groups), with how many people each has.',
  input: z.strictObject({
    by: z
      .enum(['departments', 'groups'])
      .meta({ title: 'By', example: 'departments' })
      .describe('As audience of a policy'),
  }),
  output: z
    .object({
      data: z.array(name),
      hasMore: z.boolean().describe(`Whether there are more than ${NAMES_AT_MOST}`),
    })
    .meta({ id: 'AudienceNames' }),
  run: async ({ tx }, { by }) => {
    const rows = await tx.read<z.output<typeof name>>(LISTS[by](tx.organizationId, NAMES_AT_MOST + 1))
    return { data: rows.slice(0, NAMES_AT_MOST), hasMore: rows.length > NAMES_AT_MOST }
  },
})

const listOf = (names: string) =>
  statement(`
  select n.name, count(*)::int as people
    from personnel d cross join lateral ${names} n (name)
   where d.organization_id = $1 and ${IS_IN_SCOPE} and n.name is not null
   group by n.name order by count(*) desc, n.name ${NATURALLY} limit $2::int`)

const LISTS = { departments: listOf('(values (d.department))'), groups: listOf('unnest(d.labels)') }
