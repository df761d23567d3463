import { sql } from 'kysely'
import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { day, idOf } from '../../model/fields.ts'
import { NONE } from '../../model/filter-names.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind, kinds } from '../../model/kinds/index.ts'
import { actingUserOf } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { operation, scope } from '../operation.ts'
import { calledOf } from '../records/notices.ts'
import { CURSOR_VALUES, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { readableKinds } from '../records/readable.ts'
import { principalShown } from '../records/schemas.ts'
import { stepsSchema } from '../records/steps.ts'
import { invalid } from '../refusal.ts'
import { isAboutFrameworks } from './about-frameworks.ts'
import {
  BUCKETS,
  COUNTED_AT_MOST,
  countOf,
  type DeadlineRow,
  type Ends,
  endsOf,
  placeOf,
  rowsOf,
  selvesOf,
  type Wanted,
} from './deadline-rows.ts'
import { isNotAwaited } from './not-awaited.ts'

/** Those that have deadlines. */
const KINDS = everyKind.filter(({ deadlines }) => Object.keys(deadlines).length > 0)
const NAMES = KINDS.map(({ name }) => name)
const REQUIREMENT = kinds.requirement as unknown as Kind
const SORT = 'date'

const shown = z
  .object({
    type: z.string().describe('The kind of the record'),
    id: z.string().describe('Of the record'),
    reference: z.string().nullable(),
    title: z.string(),
    state: z.string().nullable(),
    level: z.string().nullable(),
    deadline: z.string().describe('What is due, as the kind calls it: due, review, expiry …'),
    called: z.string().describe('The same in words: Due, Review date, Ends'),
    field: z.string().describe('The field of the record that has the date'),
    date: z.string().describe('As the record has it: a day, or an instant'),
    bucket: z.enum(BUCKETS).describe('How near it is'),
    lapsesTo: z.string().nullable().describe('The state that the record comes to once the date is over'),
    owner: principalShown.nullable().describe('Who is to see to it'),
    steps: stepsSchema.nullable().describe('How many of its steps are ticked; null where it has none'),
  })
  .meta({ id: 'DeadlineOfRecord' })

const count = z.int().min(0).max(COUNTED_AT_MOST)
const repeated = <Of extends z.ZodType>(one: Of, most = 50) => z.array(one).min(1).max(most).optional()

export const listDeadlines = operation({
  name: 'listDeadlines',
  method: 'GET',
  path: '/v1/deadlines',
  needs: scope(...new Set(KINDS.flatMap((kind) => needsToRead(kind).anyOf))),
  writes: false,
  isAside: true,
  title: 'List what is due',
  description: `The dates of what is not done, of the kinds that you may read, the earliest first. Counts are of the same filters without the bucket, ownerless without the owner as well; ${COUNTED_AT_MOST} stands for as many or more.`,
  input: z.strictObject({
    ...PAGE,
    type: repeated(z.enum(NAMES as [string, ...string[]])).describe('The kinds of the records'),
    ownerId: repeated(z.union([z.literal('me'), idOf('usr', 'per')])).describe(
      `A user or a personnel record; me: yourself, as either; ${NONE}: nobody`,
    ),
    frameworkId: repeated(idOf('fwk')).describe(
      'Of the frameworks, or linked with them, with their requirements or with controls that meet these; needs read:frameworks',
    ),
    bucket: repeated(z.enum(BUCKETS), BUCKETS.length).describe(
      'late: over; by the week, which begins on Monday, and the month of the organization',
    ),
    awaited: z
      .boolean()
      .optional()
      .describe('false: without the dates by which others wait for it, which listWaiting gives'),
    from: day('From').optional().describe('Not before this day'),
    to: day('To').optional().describe('Not after this day'),
  }),
  output: pageOf(shown)
    .extend({
      counts: z.object({ late: count, thisWeek: count, thisMonth: count, later: count, ownerless: count }),
    })
    .meta({ id: 'DeadlinePage' }),
  refusals: ['malformed_request'],
  example: { ownerId: ['me'], bucket: ['late', 'this_week'] },
  needsFor: ({ frameworkId }) => (frameworkId === undefined ? [] : [needsToRead(REQUIREMENT)]),
  run: async (
    { tx, caller },
    { limit, cursor, type, ownerId, frameworkId, bucket = BUCKETS, awaited = true, from, to },
  ) => {
    if (from !== undefined && to !== undefined && from > to)
      throw invalid({ path: 'to', message: `is before ${from}, from which it is asked: give a later day` })
    const place = readCursor(cursor, SORT, CURSOR_VALUES.timestamptz.unwrap())
    const organization = tx.organizationId
    const [[ends], mine] = await Promise.all([
      tx.read<Ends>(build(endsOf(organization, from, to))),
      ownerId?.includes('me')
        ? tx.read<{ id: string }>(build(selvesOf(organization, actingUserOf(caller))))
        : [],
    ])
    const named = ownerId?.flatMap((one) => (one === 'me' ? mine.map(({ id }) => id) : [one]))
    const wanted: Wanted = {
      organization,
      kinds: readableKinds(caller).flatMap(({ name }) => (type && !type.includes(name) ? [] : [name])),
      owners: named && [...new Set(named.map((one) => (one === NONE ? null : one)))],
      isWanted: sql.join(
        [
          ...(frameworkId ? [isAboutFrameworks(organization, frameworkId)] : []),
          ...(awaited ? [] : [isNotAwaited(caller)]),
          sql`true`,
        ],
        sql` and `,
      ),
    }
    const [rows, [counts]] = await Promise.all([
      tx.read<DeadlineRow>(build(rowsOf(wanted, ends!, bucket, place, limit + 1))),
      tx.read<never>(build(countOf(wanted, ends!))),
    ])
    return { ...page(rows, limit, SORT, shownAs, placeOf), counts: counts! }
  },
})

function shownAs({ name, record_id, ends_at: _, ...row }: DeadlineRow) {
  const kind = KINDS.find((one) => one.name === row.type)!
  const { field, lapses = null } = kind.deadlines[name]!
  return { ...row, id: record_id, deadline: name, called: calledOf(kind, name), field, lapsesTo: lapses }
}
