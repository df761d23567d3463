import { z } from 'zod'
import { everyKind } from '../../model/kinds/index.ts'
import { type Caller, isCapable } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import { operation, person } from '../operation.ts'
import { readableKinds } from './readable.ts'

/*
 * What was done last, for people to read: what one person did to many things in one go is one line, and so is what one
 * call did to them by turns, as an import creates records and links them. Everybody sees what was done to the records
 * that they may read; admins see the rest of the audit log as well.
 */

const LINES = 8
/**
 * Made of so many of the latest entries; of many more, where these are few lines, as after an import: else nobody would
 * see what was done before it.
 */
const ENTRIES_READ = 2_000
const ENTRIES_READ_AT_MOST = 20_000
/** Two entries alike that are further apart than this are no longer one go. */
const PAUSE = '10 minutes'

const line = z.object({
  action: z.string().describe('As in the audit log: risk.update'),
  outcome: z.enum(['success', 'denied', 'failed']),
  reason: z.string().nullable(),
  actor: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
  time: z.string().describe('Of the latest entry'),
  count: z.int().describe('How many things it was done to'),
  isMore: z.boolean().describe('Whether there are more of these: so many entries are read and no more'),
  subject: z
    .object({
      type: z.string(),
      id: z.string(),
      reference: z.string().optional(),
      title: z.string().optional(),
    })
    .describe('The latest of them'),
  state: z.string().nullable().describe('The state that they were brought to'),
  changes: z
    .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
    .nullable()
    .describe('Of the one thing that it was done to; null of many'),
})

export const getRecentActivity = operation({
  name: 'getRecentActivity',
  method: 'GET',
  path: '/v1/recent-activity',
  needs: person(),
  writes: false,
  title: 'Read what was done last',
  description: 'What one person did to many records in one go is one line.',
  input: z.strictObject({}),
  output: z.object({ data: z.array(line) }),
  run: async ({ tx, caller }) => {
    const all = isCapable(caller, 'settings.manage')
    const linesOf = (entries: number) =>
      tx.read<Row>(read(tx.organizationId, readableTypes(caller), all, SECOND_ENDS, entries))
    const lines = await linesOf(ENTRIES_READ)
    const isCutShort = lines.length < LINES && lines.some(({ isMore }) => isMore)
    return { data: (isCutShort ? await linesOf(ENTRIES_READ_AT_MOST) : lines) as never }
  },
})

const readableTypes = (caller: Caller): string[] => readableKinds(caller).map(({ name }) => name)

/** A link is told at both of its records: here only at that of the kind that says the relation. */
const SECOND_ENDS = everyKind.flatMap(({ name, relations }) =>
  relations.length > 0 ? [] : [`${name}.link`, `${name}.unlink`],
)

const STATES = [...new Set(everyKind.flatMap(({ states }) => states.map(({ field }) => field)))]
const stateOf = `coalesce(${STATES.map((field) => `changes->'${field}'->>'to'`).join(', ')})`

/**
 * For the organization $1: successes about the types $2, and everything where $3; without the actions $4; of the latest
 * $5 entries. `leads` says of an entry that none newer belongs to its line: it is the one that is told.
 */
const read = statement(`
  with latest as materialized (
    select a.time, a.id, a.actor, a.action, a.outcome, a.reason, a.subject, a.subject_id, a.changes, a.request_id,
           ${stateOf} as state,
           case when a.action like '%.update'
                then (select string_agg(name, ',' order by name) from json_object_keys(a.changes) name)
           end as fields
      from audit_entries a
     where a.organization_id = $1 and ($3::boolean or (a.outcome = 'success' and a.subject_type = any($2::text[])))
       and a.action <> all($4::text[])
     order by a.time desc, a.id desc limit $5::int
  ), named as (
    select time, id, subject_id, request_id,
           concat_ws(' ', actor->>'id', action, outcome, coalesce(state, fields)) as what from latest
  ), compared as (
    select *, (lag(time) over alike - time < interval '${PAUSE}'
               and (lag(what) over newest = what or lag(request_id) over alike = request_id)) is not true as leads
      from named window newest as (order by time desc, id desc), alike as (partition by what order by time desc, id desc)
  ), numbered as (
    select *, count(*) filter (where leads) over (partition by what order by time desc, id desc) as go from compared
  ), lines as (
    select max(id) filter (where leads) as id, count(distinct subject_id)::int as count, min(time) as since
      from numbered group by what, go order by max(time) desc, max(id) desc limit ${LINES}
  )
  select l.action, l.outcome, json_build_object('type', l.actor->>'type', 'id', l.actor->>'id', 'displayName',
           l.actor->>'displayName') as actor, l.time, lines.count,
         read.entries >= $5::int and lines.since - read.since < interval '${PAUSE}' as "isMore",
         l.subject, l.reason, l.state,
         case when lines.count = 1 and l.action not like '%.delete' then l.changes end as changes
    from lines join latest l using (id)
   cross join (select count(*) as entries, min(time) as since from latest) read
   order by l.time desc, l.id desc`)
