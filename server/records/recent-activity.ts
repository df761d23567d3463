import { z } from 'zod'
import { everyKind } from '../../model/kinds/index.ts'
import { type Caller, isCapable } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { operation, person } from '../operation.ts'
import { readableKinds } from './readable.ts'

/*
 * What was done last, for people to read: what one person did to many things in one go is one line. Everybody sees
 * what was done to the records that they may read; admins see the rest of the audit log as well.
 */

/** So many lines at most, made of so many of the latest entries. */
const LINES = 8
const ENTRIES_READ = 2_000
/** Two entries further apart than this are no longer one go. */
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
    const rows = await tx.read(
      read(tx.organizationId, readableTypes(caller), isCapable(caller, 'settings.manage'), SECOND_ENDS),
    )
    return { data: rows as never }
  },
})

const readableTypes = (caller: Caller): string[] => readableKinds(caller).map(({ name }) => name)

/** A link is told at both of its records: here only at that of the kind that says the relation. */
const SECOND_ENDS = everyKind.flatMap(({ name, relations }) =>
  relations.length > 0 ? [] : [`${name}.link`, `${name}.unlink`],
)

const STATES = [...new Set(everyKind.flatMap(({ states }) => states.map(({ field }) => field)))]
const stateOf = `coalesce(${STATES.map((field) => `changes->'${field}'->>'to'`).join(', ')})`

/** For the organization $1: successes about the types $2, and everything where $3; without the actions $4. */
const read = statement(`
  with latest as materialized (
    select a.time, a.id, a.actor, a.action, a.outcome, a.reason, a.subject, a.subject_id, a.changes,
           ${stateOf} as state,
           case when a.action like '%.update'
                then (select string_agg(name, ',' order by name) from json_object_keys(a.changes) name)
           end as fields
      from audit_entries a
     where a.organization_id = $1 and ($3::boolean or (a.outcome = 'success' and a.subject_type = any($2::text[])))
       and a.action <> all($4::text[])
     order by a.time desc, a.id desc limit ${ENTRIES_READ}
  ), named as (
    select *, concat_ws(' ', actor->>'id', action, outcome, coalesce(state, fields)) as what from latest
  ), compared as (
    select *, what = lag(what) over newest and lag(time) over newest - time < interval '${PAUSE}' as goes_on
      from named window newest as (order by time desc, id desc)
  ), numbered as (
    select *, count(*) filter (where goes_on is not true) over (order by time desc, id desc) as line from compared
  )
  select (array_agg(action))[1] as action, (array_agg(outcome))[1] as outcome,
         json_build_object('type', min(actor->>'type'), 'id', min(actor->>'id'), 'displayName',
           (array_agg(actor->>'displayName' order by time desc, id desc))[1]) as actor,
         max(time) as time, count(distinct subject_id)::int as count,
         line = (select max(line) from numbered) and (select count(*) from latest) >= ${ENTRIES_READ} as "isMore",
         (array_agg(subject order by time desc, id desc))[1] as subject,
         min(reason) as reason, (array_agg(state))[1] as state,
         case when count(distinct subject_id) = 1 and min(action) not like '%.delete'
              then (array_agg(changes order by time desc, id desc))[1] end as changes
    from numbered where line <= ${LINES} group by line order by line`)
