import type pg from 'pg'
import { type Database, statement } from '../../database/connect.ts'
import { dropWeeks, ensureWeeks } from './weeks.ts'

const AT_ONCE = 1_000

/** Endpoints deleted a while ago: by then every transaction that may still have seen them is over. */
const findDeleted = statement(`
  select organization_id, id from webhook_endpoints
   where deleted_at is not null and deleted_at < (select clock_now()) - interval '2 minutes'`)

const purgeSome = statement(`
  with gone as materialized (
    select organization_id, id, created_at, epoch, status = 'waiting_for_retry' as is_retry from deliveries
     where organization_id = $1 and endpoint_id = $2 limit ${AT_ONCE}
  ),
  unqueued as (
    delete from delivery_queue q using gone g
     where q.organization_id = g.organization_id and q.endpoint_id = $2 and q.epoch = g.epoch
       and q.is_retry = g.is_retry and q.created_at = g.created_at and q.delivery_id = g.id
  ),
  attempted as (
    delete from attempts a using gone g
     where a.organization_id = g.organization_id and a.delivery_id = g.id and a.created_at = g.created_at
  )
  delete from deliveries d using gone g
   where d.id = g.id and d.created_at = g.created_at`)

const purgeEndpoint = statement('delete from webhook_endpoints where organization_id = $1 and id = $2')

/** What time alone does to the log: new weeks, old weeks, and the rows of endpoints that were deleted. */
export async function keepUp(database: Database, retentionDays: number): Promise<void> {
  const pool = database.engine
  await ensureWeeks(pool)
  await dropWeeks(database, retentionDays)
  await purgeDeleted(pool)
}

async function purgeDeleted(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(findDeleted())
  for (const { organization_id: organizationId, id } of rows) {
    while (((await pool.query(purgeSome(organizationId, id))).rowCount ?? 0) === AT_ONCE);
    await pool.query(purgeEndpoint(organizationId, id))
  }
}
