import { setTimeout } from 'node:timers/promises'
import { beginWork, endWork } from '../clock/losses.ts'
import { statement } from '../database/connect.ts'
import { isAway } from '../database/errors.ts'
import { transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { actOn, type Batch } from './act.ts'

/*
 * A turn of the clock over what is due, of all organizations (docs/design/clock.md).
 *
 * It looks for rows of `deadlines` whose moment has come and takes them organization by organization, a batch of each in
 * turn, so that nobody waits for the crowd of another. A batch is one transaction, and holds its organization meanwhile:
 * another process that is at it as well goes on to the next one. Nothing is claimed beyond that, so a process that is
 * killed leaves what it had not committed as it was, and the next turn of any other finds it.
 *
 * Between batches it rests for as long as the last one took. A crowd of 100,000 has minutes and needs one, while the calls
 * of people on the same processors have milliseconds: without the rest their 95th percentile doubles, as it does with
 * batches of 200 (`npm run bench -- clock` shows what others wait meanwhile).
 */

/** Rows of one transaction. */
const BATCH = 50
/** Rows that one look may bring; the first of each organization come before the second of any. */
export const LOOK = 20_000
/** What is due is looked through as far as this, oldest first. */
const CROWD = 1_000_000
/** A process that is told to stop waits for its clock: what is left is for the next minute. */
const TURN_MS = 20_000

const DEADLINES = 'deadlines of an organization'

/** Does what is due until nothing is, or its time is over. @throws what the database is away with */
export async function takeTurn(parts: Parts): Promise<void> {
  const until = performance.now() + TURN_MS
  for (;;) {
    const rows = await parts.database.engine.query(findDue(LOOK, CROWD))
    let done = 0
    let took = 0
    for (const batch of batchesOf(rows.rows as DueRow[])) {
      await setTimeout(took)
      const began = performance.now()
      if (began > until) return
      done += await actOnBatch(parts, batch)
      took = performance.now() - began
    }
    // What others hold is theirs to do.
    if (done === 0) return
  }
}

interface DueRow {
  readonly organizationId: string
  readonly kind: string
  readonly recordId: string
}

export const findDue = statement(`
  select organization_id as "organizationId", kind, record_id as "recordId" from (
    select organization_id, kind, record_id,
           row_number() over (partition by organization_id order by due_at, record_id) as place
      from (select organization_id, kind, record_id, due_at from deadlines
             where due_at <= (select clock_now()) order by due_at limit $2::int) due) placed
   order by place limit $1::int`)

/** One batch of each organization, then the next of each, beginning with any: two processes rarely meet. */
export function batchesOf(rows: readonly DueRow[]): Batch[] {
  const rounds: Batch[][] = []
  const open = new Map<string, { round: number; ids: Set<string> }>()
  for (const { organizationId, kind, recordId } of rows) {
    const key = `${organizationId} ${kind}`
    let batch = open.get(key)
    if (!batch || batch.ids.size >= BATCH) {
      const round = batch ? batch.round + 1 : 0
      batch = { round, ids: new Set() }
      open.set(key, batch)
      rounds[round] = [...(rounds[round] ?? []), { organizationId, kind, ids: batch.ids }]
    }
    batch.ids.add(recordId)
  }
  return rounds.flatMap((round) => {
    const first = Math.floor(Math.random() * round.length)
    return [...round.slice(first), ...round.slice(0, first)]
  })
}

/**
 * Does a batch, or, where that fails or ended a process, each of its records by itself: one that cannot be done keeps no
 * other. A record that ended its process again and again is put off.
 */
async function actOnBatch(parts: Parts, batch: Batch): Promise<number> {
  const [first] = batch.ids
  const isOne = batch.ids.size === 1
  const unit = isOne ? `${batch.organizationId} ${first}` : batch.organizationId
  const { losses, rests } = await beginWork(parts, DEADLINES, unit)
  if (rests && isOne)
    return await putOff(parts, batch, new Error(`it ended its process ${losses} times in a row`))
  try {
    return losses === 0 || isOne ? await actOn(parts, batch) : await actOnEach(parts, batch)
  } catch (err) {
    if (isAway(err)) throw err
    return isOne ? await putOff(parts, batch, err) : await actOnEach(parts, batch)
  } finally {
    await endWork(parts, DEADLINES, unit)
  }
}

async function actOnEach(parts: Parts, batch: Batch): Promise<number> {
  let done = 0
  for (const id of batch.ids) done += await actOnBatch(parts, { ...batch, ids: new Set([id]) })
  return done
}

/** Tries it again later, each time after a longer rest, up to a day. */
async function putOff(parts: Parts, { organizationId, kind, ids }: Batch, err: unknown): Promise<number> {
  parts.log.warn({ err, organizationId, kind, ids: [...ids] }, 'a deadline could not be acted on at its time')
  await transaction(parts.database.tenant, organizationId, async (tx) => {
    tx.write(rest(organizationId, [...ids]))
  })
  return 1
}

const rest = statement(`
  update deadlines
     set failures = least(failures + 1, 100),
         due_at = clock_now() + least(power(2, least(failures, 11)) * interval '1 minute', interval '1 day')
   where organization_id = $1 and record_id = any($2) and due_at <= (select clock_now())`)
