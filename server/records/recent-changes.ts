import { z } from 'zod'
import { type Caller, holds } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { operation, person } from '../operation.ts'
import { CURSOR_VALUES, readCursor, writeCursor } from './paging.ts'
import { readableKinds } from './readable.ts'

/*
 * What changed since one last asked: small and cheap, so that an open page can ask every few seconds and read
 * again only what it shows.
 *
 * It reads the audit log by time, and an entry has the time at which its record was locked: it may be committed
 * a little later than entries with a later time. So a cursor holds how far it was read, and how many entries
 * stood in the minute before that. Where more stand there now, some came late, and that minute is told again.
 *
 * All of it is one statement, since two would not see the same entries.
 */

/** A statement may take 30 seconds, and a transaction that does nothing is ended after 60. */
const LATE_BY = '60 seconds'
/** A page asks for the first time a moment after it read what it shows. */
const BEFORE_FIRST = '5 seconds'
const ENTRIES_READ = 500
const RECORDS_NAMED = 50

const changedRecord = z.object({ id: z.string(), at: z.string().describe('When it last changed') })

export const getRecentChanges = operation({
  name: 'getRecentChanges',
  method: 'GET',
  path: '/v1/recent-changes',
  needs: person(),
  writes: false,
  isLarge: true,
  title: 'Ask what changed since the last time',
  description:
    'For pages that follow what others do. Tells of the kinds that the caller may read; begin without a cursor.',
  input: z.strictObject({
    since: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ title: 'Since' })
      .describe('`cursor` of the last answer'),
  }),
  output: z.object({
    cursor: z.string(),
    changed: z.array(
      z.object({
        type: z.string().describe('The kind, or webhook_endpoint'),
        records: z.array(changedRecord).nullable().describe('Which ones; null where they are many'),
      }),
    ),
  }),
  refusals: ['malformed_request'],
  run: async ({ tx, caller }, { since }) => {
    const place = readCursor(since, CURSOR, CURSOR_VALUES.timestamptz.unwrap())
    const readable = typesFor(caller)
    const seen = place && /^\d{1,9}$/.test(place.id) ? Number(place.id) : null
    const [found] = await tx.read<Found>(
      read(tx.organizationId, place?.value ?? null, seen, readable, ENTRIES_READ + 1),
    )
    const { until, standing, entries } = found!
    const cursor = writeCursor(CURSOR, { value: until, id: String(standing) })
    if (!place) return { cursor, changed: [] }
    if (entries > ENTRIES_READ) return { cursor, changed: readable.map((type) => ({ type, records: null })) }
    return { cursor, changed: byType(found!.changed ?? []) }
  },
})

const CURSOR = 'recent-changes'

interface Found {
  until: string
  standing: number
  entries: number
  changed: { type: string; id: string; at: string }[] | null
}

const typesFor = (caller: Caller): string[] => [
  ...readableKinds(caller).map(({ name }) => name),
  ...(holds(caller, 'read:webhooks') ? ['webhook_endpoint'] : []),
]

function byType(changed: NonNullable<Found['changed']>) {
  return [...Map.groupBy(changed, ({ type }) => type)].map(([type, records]) => ({
    type,
    records: records.length > RECORDS_NAMED ? null : records.map(({ id, at }) => ({ id, at })),
  }))
}

/**
 * For the organization $1, since $2, where $3 entries stood in the minute before; of the types $4; at most $5 entries.
 */
export const read = statement(`
  with bounds as materialized (
    select date_trunc('milliseconds',
      clock_now() - case when $2::timestamptz is null then interval '${BEFORE_FIRST}' else interval '0' end) as until
  ), standing as (
    select count(*)::int as count from audit_entries a
     where a.organization_id = $1 and a.time <= (select until from bounds)
       and a.time > (select until from bounds) - interval '${LATE_BY}'
  ), stood as (
    select count(*)::int as count from audit_entries a
     where a.organization_id = $1 and a.time <= $2 and a.time > $2::timestamptz - interval '${LATE_BY}'
  ), fresh as materialized (
    select a.subject_type as type, a.subject_id as id, a.time, a.outcome from audit_entries a
     where a.organization_id = $1
       and a.time > (select case when s.count > $3::int then $2::timestamptz - interval '${LATE_BY}' else $2 end
                       from stood s)
     order by a.time desc, a.id desc limit $5
  )
  select b.until, s.count as standing, (select count(*)::int from fresh) as entries,
         (select json_agg(json_build_object('type', type, 'id', id, 'at', at))
            from (select type, id, to_char(max(time), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from fresh
                   where outcome = 'success' and type = any($4::text[]) group by type, id) f) as changed
    from bounds b, standing s`)
