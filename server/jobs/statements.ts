import { statement } from '../database/connect.ts'
import { SUSPECT_AFTER } from '../queue/queue.ts'
import { ERRORS_KEPT } from './job-kind.ts'

/*
 * What is written of a job's life, all in one place: who holds the claim moves it, and nobody else does.
 *
 * In a lane the due moment of whatever waits is that of its making, also after a turn that ended before the job did:
 * so jobs of an organization are worked in the order in which they were started.
 */

/** How long a claim is its claimer's; each piece that comes late in it makes it longer. */
export const LEASE_MS = 60_000

/** Lost so often in a row, it is worked no more. */
const LOSSES_AT_MOST = 10

/** When it is due again: as one that was made then, and at once also where the clock was put back meanwhile. */
const AGAIN = 'due_at = least(created_at, clock_now())'

const LEASE = `interval '${LEASE_MS} milliseconds'`

/** What ends it, by whoever: nothing is due any more, and what was sealed is gone. */
const OVER = `due_at = null, claim_id = null, sealed_input = null, ended_at = clock_now(),
         kept_until = clock_now() + kept_days * interval '1 day'`

/**
 * Parameters: id, organization, kind, input, sealed input, started by, claim or null, how many may wait or null, days that
 * it is kept, how many of one person may wait or null. No row where too many wait.
 */
export const insertJob = statement(`
  insert into jobs (id, organization_id, kind, input, sealed_input, started_by, claim_id, state, due_at, begun_at, created_at, kept_days)
  select $1, $2::text, $3::text, $4::jsonb, $5::bytea, $6::jsonb, $7::uuid,
         case when $7::uuid is null then 'waiting' else 'running' end,
         case when $7::uuid is null then now else now + ${LEASE} end, case when $7::uuid is not null then now end, now, $9::int
    from (select clock_now() as now) clock
   where ($8::int is null or $8::int > (
     select count(*) from (
       select from jobs where lane = coalesce($2::text, '') || ':' || $3::text and due_at is not null limit $8::int
     ) waiting))
     and ($10::int is null or $10::int > (
       select count(*) from jobs
        where lane = coalesce($2::text, '') || ':' || $3::text and due_at is not null
          and started_by ->> 'userId' = $6::jsonb ->> 'userId'))
  returning id`)

/**
 * Of the claims on a lane one is made at a time, so that each sees what those before it took. A claim does not wait for
 * the disk: where a crash of PostgreSQL forgets it, the piece that it was for finds it gone.
 */
export const lockLanes = statement(`
  select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(hashtextextended('jobs of ' || lane, 0))
    from (select lane from unnest($1::text[]) as w (lane) order by lane offset 0) lanes`)

const CLAIMED = `
  returning j.id, j.organization_id as "organizationId", j.kind, j.lane, j.input, j.sealed_input as "sealedInput",
    j.started_by as "startedBy", j.place, j.claim_id as "claimId", j.faults,
    (select features from organizations o where o.id = j.organization_id) as features,
    (extract(epoch from clock_now()) * 1000)::float8 as now`
const TAKE = `update jobs j set state = 'running', due_at = clock_now() + ${LEASE}, begun_at = coalesce(j.begun_at, clock_now())`

/** Parameters: lanes, the room that each has, what each may have claimed at one time, claim id. */
export const claimJobs = statement(`
  with now as materialized (select clock_now() as now),
  due as materialized (
    select d.id from unnest($1::text[], $2::int[], $3::int[]) as w (lane, room, cap) cross join lateral (
      select id from jobs
       where lane = w.lane and due_at <= (select now from now) and claim_id is null and losses < ${SUSPECT_AFTER}
       order by due_at
       limit greatest(0, least(w.room,
         w.cap - (select count(*) from jobs c where c.lane = w.lane and c.claim_id is not null)))
         for update skip locked) d
  )
  ${TAKE}, claim_id = $4::uuid from due where j.id = due.id ${CLAIMED}`)

/** One that may end the process that works it. Parameter: claim id. */
export const claimSuspectJob = statement(`
  with due as materialized (
    select id from jobs
     where losses >= ${SUSPECT_AFTER} and due_at <= clock_now() and claim_id is null
     order by due_at limit 1 for update skip locked
  )
  ${TAKE}, claim_id = $1::uuid from due where j.id = due.id ${CLAIMED}`)

const LOST = `
  with lost as materialized (
    select id, losses + 1 >= ${LOSSES_AT_MOST} as is_over from jobs where claim_id is not null and %
       for update skip locked
  ),
  ended as (
    update jobs set state = 'failed', losses = losses + 1, ${OVER},
           failure = 'The process that worked on it ended each time: it was given up.'
      from lost where jobs.id = lost.id and is_over
    returning jobs.id, jobs.kind, losses
  ),
  due as (
    update jobs set losses = losses + 1, claim_id = null, ${AGAIN}
      from lost where jobs.id = lost.id and not is_over
    returning jobs.id, jobs.kind, losses
  )
  select * from ended union all select * from due`

/** Takes back what was lost with its worker; what was lost too often in a row is over. */
export const takeBackLost = statement(LOST.replace('%', 'due_at <= clock_now()'))
/** The same where the worker is known to be gone. Parameter: what the claims of those that live begin with. */
export const takeBackOfGone = statement(LOST.replace('%', 'left(claim_id::text, 8) <> all($1::text[])'))
/** Lets go of a claim whose answer was lost; nothing of it was worked. */
export const releaseClaim = statement(`update jobs set claim_id = null, ${AGAIN} where claim_id = $1::uuid`)

/** Which lanes have something that waits: a loose index scan, one probe each. */
export const findWaiting = statement(`
  with recursive waiting as (
    (select lane, due_at from jobs where due_at is not null order by lane, due_at limit 1)
    union all
    select next.* from waiting w cross join lateral (
      select lane, due_at from jobs where due_at is not null and lane > w.lane order by lane, due_at limit 1) next
  )
  select lane, (extract(epoch from due_at - clock_now()) * 1000)::float8 as "dueInMs",
         exists (select from jobs where losses >= ${SUSPECT_AFTER} and due_at is not null and due_at <= clock_now()
                    and claim_id is null) as alone
    from waiting`)

/** Whether somebody who started it has waited for long by now. */
const IS_LONG = `created_at <= clock_now() - interval '1 minute' as "isLong"`

/**
 * Who wants to hold the row of a job queues for it first. The lock of a row alone goes to whoever asks first once its
 * holder is gone: on a busy machine that is the next piece, again and again, and not who waits to cancel it.
 * Parameters: organization or null, id.
 */
export const queueForJob = statement(`
  select pg_advisory_xact_lock(hashtextextended('job ' || $2::text || ' of ' || coalesce($1::text, ''), 0))`)

/** At the beginning of a piece: it holds the row, so nobody else moves it meanwhile. Parameters: id, claim id. */
export const holdJob = statement(`
  select place, cancel_asked_at is not null as "isCancelled", ${IS_LONG},
         (select features from organizations o where o.id = organization_id) as features
    from jobs
   where id = $1 and claim_id = $2::uuid for no key update`)

/** What a piece leaves; errors beyond the first hundred are only counted. */
const COUNTED = 'set done = coalesce($2::int, done), total = coalesce($3::int, total), losses = 0, faults = 0'
const MOVED = `${COUNTED}, place = $4::jsonb`
const ERRORS = `, error_count = error_count + jsonb_array_length($7::jsonb),
  errors = case when jsonb_array_length(errors) >= ${ERRORS_KEPT} then errors
    else jsonb_path_query_array(errors || $7::jsonb, '$[0 to ${ERRORS_KEPT - 1}]') end,
  result_name = coalesce($8, result_name), result_type = coalesce($9, result_type),
  result_bytes = coalesce(result_bytes + $10::bigint, $10::bigint, result_bytes)`
const RENEWED = `, due_at = case when due_at < clock_now() + ${LEASE} / 2 then clock_now() + ${LEASE} else due_at end`
const ENDED = `, state = 'succeeded', place = $4::jsonb, ${OVER}`

/**
 * The last statement of a piece: where the claim is gone, a cancel is asked, or the features are not those that the piece
 * went by, it ends the transaction instead (0112-fenced-pieces.sql).
 */
const fenced = (set: string) =>
  statement(`
  with moved as (
    update jobs ${set}
     where id = $1 and claim_id = $5::uuid and cancel_asked_at is null
       and ($6::jsonb is null or $6::jsonb = (select features from organizations o where o.id = organization_id))
    returning id)
  select case when not exists (select from moved) then refuse_piece() end`)

/** Behind a piece. Parameters: id, done, total, place, claim id, features or null. */
export const moveJob = fenced(MOVED + RENEWED)
/** The same with errors, and of a file its name, its type and how many bytes are added to it. */
export const moveJobFurther = fenced(MOVED + ERRORS + RENEWED)
/** Behind the last piece, with what a further one is given; its place is null. */
export const endJob = fenced(COUNTED + ERRORS + ENDED)

/** Whether it is that which ended a transaction. */
export const isPieceRefused = (error: unknown): boolean => (error as { code?: string }).code === 'PJ001'

/** Adds to the file that is the result of a job. Parameters: organization, id, section, bytes. */
export const appendResult = statement(`
  insert into job_result_parts (organization_id, job_id, section, number, bytes)
  select $1, $2, $3::int, coalesce(max(number) + 1, 0), $4::bytea
    from job_result_parts where organization_id = $1 and job_id = $2 and section = $3::int`)

export const countErrors = statement(
  'select error_count as count from jobs where organization_id = $1 and id = $2',
)

/** By the engine, where the claim still stands. Parameters: id, claim id, state, failure. */
export const finishJob = statement(`
  update jobs set state = $3, failure = $4, ${OVER} where id = $1 and claim_id = $2::uuid returning ${IS_LONG}`)

/** Its turn is over, and it is not. Parameters: ids, claim ids. */
export const handBackJobs = statement(`
  update jobs set claim_id = null, ${AGAIN}
    from unnest($1::text[], $2::uuid[]) as h (held, held_by) where id = held and claim_id = held_by`)

/** A fault of ours broke it off. Parameters: id, claim id, when it is tried again, in ms. */
export const retryJob = statement(`
  update jobs set claim_id = null, faults = faults + 1, due_at = clock_now() + $3::int * interval '1 millisecond'
   where id = $1 and claim_id = $2::uuid`)

/** Where nobody works on it, it ends with that; else between two pieces, of which none begins while it waits. */
export const cancelJob = statement(`
  update jobs set cancel_asked_at = clock_now() where id = $1 and ended_at is null and cancel_asked_at is null`)
export const endCancelled = statement(`
  update jobs set state = 'cancelled', ${OVER} where id = $1 and ended_at is null and claim_id is null`)

/** What is not over, by kind: as many index entries as there are of that. */
export const countJobs = statement(`
  select kind, count(*) filter (where claim_id is null)::int as waiting,
         count(*) filter (where claim_id is not null)::int as running,
         coalesce(extract(epoch from clock_now() - min(created_at) filter (where begun_at is null)), 0)::float8
           as "oldestSeconds"
    from jobs where due_at is not null group by kind`)

export const removeOld = statement(`
  delete from jobs where id in (select id from jobs where kept_until <= clock_now() order by kept_until limit 1000)`)
