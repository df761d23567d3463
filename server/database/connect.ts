import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { once } from '../../model/once.ts'
import { writeOnceATurn } from './writes-of-a-turn.ts'

/**
 * What the service says to PostgreSQL with: three pools, each in a role of its own.
 *
 * What costs is round trips, not row security: so connections pipeline, statements that never change
 * are prepared under a name, and a transaction is two bursts (see transaction.ts).
 *
 * - `gate`: what precedes an organization (keys, counts, reference numbers). Its commits do not wait
 *   for the disk: a crash of PostgreSQL may forget the last moment of counts. Whatever must not be
 *   forgotten is never written here.
 * - `tenant`: the rows of one organization at a time.
 * - `engine`: deliveries of all organizations.
 *
 * The planner settings of gate and engine are not taste. Both ask for rows by key, so one plan serves every
 * value. But PostgreSQL takes `= any($1)` for ten rows: with hundreds of organizations it reads whole tables
 * for them, and with thousands it plans such a statement anew at each call, which costs ten times as much as
 * running it. And `claim_id = $n` has no statistics: one sequential scan there is the difference between
 * 15,000 and 300 rows a second.
 */
export interface Database {
  readonly gate: pg.Pool
  readonly tenant: pg.Pool
  readonly engine: pg.Pool
  /** A connection of its own for LISTEN; the caller ends it. */
  listener(): pg.Client
  /** One of the login that may change tables, where the service knows it; the caller ends it. */
  owner(): pg.Client
  close(): Promise<void>
}

export interface Query {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

export type Row = Record<string, unknown>

/** A statement whose text never changes: prepared once per connection, under a name made of its text. */
export function statement(text: string): (...values: unknown[]) => Query {
  const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`
  return (...values) => ({ name, text, values })
}

/** The statement of a text that was put together, of which there are few. */
export const prepared = once(statement)

/** A statement for each of some things, a kind or a side of a relation, made when it is first asked for. */
export const statementOf = <Of>(text: (of: Of) => string) => once((of: Of) => statement(text(of)))

const SETTINGS = '-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000'
const PLANS_BY_KEY =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'

/**
 * PostgreSQL ends a statement after half as long. What is not answered by then will not be: the server is gone without
 * a word, as its machine or the network may go, and the connection is given up.
 */
const SILENT_MS = 60_000

const OPTIONS = {
  gate: `-c role=plumbline_gate -c synchronous_commit=off ${SETTINGS} ${PLANS_BY_KEY}`,
  tenant: `${SETTINGS} -c jit=off`,
  engine: `-c role=plumbline_engine ${SETTINGS} ${PLANS_BY_KEY}`,
}

export type PoolRole = keyof typeof OPTIONS

/** What every connection of a pool is opened with. */
export const poolConnection = (url: string, role: PoolRole): pg.ClientConfig => ({
  ...address(url),
  options: OPTIONS[role],
  application_name: `plumbline ${role}`,
  connectionTimeoutMillis: 5_000,
  query_timeout: SILENT_MS,
  keepAlive: true,
})

/**
 * @param url of the service's login, a member of the three roles
 * @param sizes connections per pool; the defaults suit one process of two cores
 * @param ownerUrl of the login that owns the tables, where that is another
 */
export function connect(
  url: string,
  sizes: { gate?: number; tenant?: number; engine?: number } = {},
  ownerUrl = url,
): Database {
  const gate = open(url, 'gate', sizes.gate ?? 6)
  const tenant = open(url, 'tenant', sizes.tenant ?? 16)
  const engine = open(url, 'engine', sizes.engine ?? 6)
  return {
    gate,
    tenant,
    engine,
    listener: () => connection(url, 'plumbline listener'),
    owner: () => connection(ownerUrl, 'plumbline upkeep'),
    close: async () => {
      await Promise.all([gate.end(), tenant.end(), engine.end()])
    },
  }
}

/** One connection beside the pools, in no role yet: for what comes before the service, or looks at its database. */
export async function withClient<T>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5_000,
  })
  // Whoever waits on it is told by their statement; without a listener a lost connection would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const connection = (url: string, name: string): pg.Client =>
  new pg.Client({
    ...address(url),
    options: SETTINGS,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })

function open(url: string, role: PoolRole, max: number): pg.Pool {
  const pool = new pg.Pool({
    ...poolConnection(url, role),
    max,
    pipeline: true,
    idleTimeoutMillis: 60_000,
    types,
  } as pg.PoolConfig)
  // A connection that breaks is replaced by the pool, and whoever waits on it is told by their statement. It
  // tells its listeners as well, idle or at work, and one without any would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    writeOnceATurn((client as unknown as { connection: { stream: Writable } }).connection.stream)
  })
  return pool
}

/** A URL whose host is a directory (a Unix socket) is given as `?host=`, which pg reads by itself. */
function address(url: string): pg.ClientConfig {
  return { connectionString: url }
}

const instant = (text: string) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds(text)}Z`
/** Of `2026-01-31 12:00:00.123456+00`, where zeros at the end of the fraction are left out, and the point with all. */
const milliseconds = (text: string) =>
  text[19] === '.' ? text.slice(20, Math.min(23, text.length - UTC.length)).padEnd(3, '0') : '000'
const UTC = '+00'

/** Timestamps come as ISO 8601 UTC text with milliseconds, dates as YYYY-MM-DD, bigint as number. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === pg.types.builtins.TIMESTAMPTZ) return instant
      if (oid === pg.types.builtins.DATE) return (text: string) => text
      if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number
    }
    return pg.types.getTypeParser(oid, format as 'text')
  },
}
