import pg from 'pg'
import { type PoolRole, poolConnection } from './connect.ts'
import { DatabaseUnfit } from './unfit.ts'

/*
 * The service keeps things on its sessions: what it sets as it connects (the role above all), prepared statements, the
 * lock that shows that a process lives, and LISTEN. A connection pooler may keep none of them, and what comes of it
 * shows late and far away: so it is looked for at the start.
 */

const POOLERS_CANNOT =
  'let DATABASE_URL (and DATABASE_OWNER_URL) lead to PostgreSQL itself, or to a pooler in session mode that passes `options` on'

/** A pooler knows no `options` (PgBouncer, unless it is told to ignore them). */
const UNSUPPORTED_PARAMETER = '08P01'

const ROUNDS = 3

/** @throws {DatabaseUnfit} where a pooler stands in between that drops what a connection is opened with */
export async function refuseLostSettings(url: string): Promise<void> {
  for (const role of ['gate', 'tenant', 'engine'] as const) await refuseLostSettingsOf(url, role)
}

/** @throws {DatabaseUnfit} where a pooler stands in between that shares sessions */
export async function refuseSharedSessions(url: string): Promise<void> {
  await withSession(url, 'tenant', async (one) => {
    if ((await backendOf(one)) === (one as unknown as { processID: number }).processID) return
    // Whom the connection was opened with is not whom it talks to: a pooler, in whichever mode.
    await withSession(url, 'tenant', async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await backendOf(one)
        await other.query('begin')
        const meanwhile = await backendOf(other)
        const after = await backendOf(one)
        await other.query('commit')
        if (before === meanwhile || before !== after)
          throw new DatabaseUnfit(
            `The database is reached through a connection pooler that shares sessions among its clients (transaction mode), and Plumbline needs sessions of its own for prepared statements, locks and LISTEN: ${POOLERS_CANNOT}.`,
          )
      }
    })
  })
}

async function refuseLostSettingsOf(url: string, role: PoolRole): Promise<void> {
  const expected = [...poolConnection(url, role).options!.matchAll(/-c (\w+)=(\S+)/g)]
  const lost = await withSession(url, role, async (client) => {
    // `role` is in no list of settings.
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest($1::text[], $2::text[]) as wanted (name, value)
        where coalesce((select setting from pg_settings s where lower(s.name) = wanted.name), current_setting(name))
              <> value`,
      [expected.map(([, name]) => name), expected.map(([, , value]) => value)],
    )
    return rows.map(({ name }) => name)
  })
  if (lost.length > 0)
    throw new DatabaseUnfit(
      `What Plumbline sets as it connects (${lost.join(', ')}) is not in force: a connection pooler before PostgreSQL drops it; ${POOLERS_CANNOT}.`,
    )
}

const backendOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid

async function withSession<T>(
  url: string,
  role: PoolRole,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(poolConnection(url, role))
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    if (code !== UNSUPPORTED_PARAMETER) throw error
    throw new DatabaseUnfit(
      `What Plumbline sets as it connects is refused (${message}) by a connection pooler before PostgreSQL: ${POOLERS_CANNOT}.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}
