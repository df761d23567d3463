import type pg from 'pg'
import { statement } from '../database/connect.ts'

/**
 * Whether this database may send. A restored copy must not send a second time what the original has sent, or send as
 * well as it: so webhooks wait, and everything else works, until a person releases them.
 */
export interface HeldSending {
  readonly heldAt: string
  readonly because: string
}

/** @param client of the owner, in a transaction */
export async function holdSending(client: pg.Client, because: string): Promise<void> {
  // The owner has no policy to write, and the one row of this table belongs to no organization.
  await client.query('alter table held_sending no force row level security')
  await client.query(
    `insert into held_sending (held_at, because) values (clock_now(), $1)
     on conflict (one) do update set held_at = excluded.held_at, because = excluded.because`,
    [because],
  )
  await client.query('alter table held_sending force row level security')
}

/** @returns null where nothing is held */
export async function readHeldSending(engine: pg.Pool): Promise<HeldSending | null> {
  const { rows } = await engine.query(read())
  return (rows[0] as HeldSending | undefined) ?? null
}

/** @returns whether anything was held */
export async function releaseSending(engine: pg.Pool): Promise<boolean> {
  const { rowCount } = await engine.query(release())
  return (rowCount ?? 0) > 0
}

const read = statement('select held_at as "heldAt", because from held_sending')
const release = statement('delete from held_sending')
