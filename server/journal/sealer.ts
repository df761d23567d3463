import type pg from 'pg'
import { type Row, statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { inUnit } from '../unit-of-work.ts'
import { writeDueCheckpoints } from './checkpoints.ts'
import { genesisHash, sealHash } from './seal.ts'

/**
 * The sealer chains what has been committed to the audit log.
 *
 * A chain inside the transactions that write would make the writers of an organization queue, so an entry is
 * written with the hash of its own bytes and no more; a moment later it gets a *seal*: the next number of its
 * organization, and a hash over its own hash and the seal before. The order of seals is the order of sealing. An
 * entry whose transaction took long is sealed when it is seen, behind entries that are younger.
 *
 * One seals at a time, whatever the number of processes: it holds the lock of the one row of `audit_sealing`, and
 * reads the heads of the chains only after it has it. Should that ever fail, the primary key (organization, seq)
 * refuses a fork. Seals are written in whole batches, so a process that dies between two leaves a chain without a gap.
 *
 * What is new is found by transaction numbers. When a snapshot is taken, everything below its xmin is decided. Once
 * a pass has sealed all that it saw, that xmin is written down as `before`, and the next pass looks no further back.
 * Numbers mean nothing in another cluster: after a restore from a dump, and at the very first, one pass walks over
 * all entries instead (see the migration).
 */
const BATCH = 1_000
const EVERY_MS = 1_000
const CHECKPOINTS_EVERY = 60
/** Transactions after which `before` is moved even where nothing was sealed, so that a pass stays short. */
const FAR = 1_000

export interface Sealer {
  /** Finishes the batch that is under way. */
  stop(): Promise<void>
}

/** Seals each second what is new, and writes checkpoints that are due. */
export function startSealer(parts: Pick<Parts, 'config' | 'database' | 'keyring' | 'log'>): Sealer {
  const { database, log } = parts
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let idle = true
  let ticks = 0
  let waits = false
  const tick = async (): Promise<void> => {
    const checkpoints = ticks++ % CHECKPOINTS_EVERY === 0
    try {
      const { rows } = await database.engine.query(isDue())
      // Left to another once, and no longer: exports seal their own organization alone, and would keep it from the
      // rest.
      if (rows[0]?.due) waits = (await passOver(database.engine, null, stopping.signal, waits)).isElsewhere
      if (checkpoints && !stopping.signal.aborted) await writeDueCheckpoints(parts)
    } catch (err) {
      log.warn({ err }, 'the audit log could not be sealed; trying on')
    }
  }
  const timer = setInterval(() => {
    if (!idle) return
    idle = false
    running = inUnit('task', 'seal the audit log', tick)
      .catch(() => {})
      .finally(() => {
        idle = true
      })
  }, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/**
 * Seals everything that is committed and has no seal, in every organization; where another process is at it, leaves
 * it to that one.
 * @returns how many seals were written
 */
export const sealAll = async (engine: pg.Pool): Promise<number> =>
  (await passOver(engine, null, undefined, false)).sealed

/**
 * Seals everything of one organization that is committed when it is called; waits for others that seal. Those of one
 * process stand in line for it, so that a crowd of exports takes one connection from the deliveries, and one place in
 * front of the sealer.
 */
export function sealOrganization(engine: pg.Pool, organizationId: string): Promise<number> {
  const seal = async () => (await passOver(engine, organizationId, undefined, true)).sealed
  const sealed = (inLine.get(engine) ?? Promise.resolve()).then(seal)
  inLine.set(
    engine,
    sealed.catch(() => {}),
  )
  return sealed
}

const inLine = new WeakMap<pg.Pool, Promise<unknown>>()

async function passOver(
  engine: pg.Pool,
  organizationId: string | null,
  stopping: AbortSignal | undefined,
  waits: boolean,
): Promise<Pass> {
  const pass: Pass = { organizationId, waits, place: null, settled: null, sealed: 0, isElsewhere: false }
  while (!stopping?.aborted && (await sealBatch(engine, pass)));
  return pass
}

/** One look at everything that may be new, over several batches. */
interface Pass {
  readonly organizationId: string | null
  /** For others that seal, rather than leave it to them. */
  readonly waits: boolean
  /** Behind what was looked at so far. */
  place: Place | null
  /** What the first snapshot of the pass knew to be decided. */
  settled: string | null
  sealed: number
  /** Whether another was at it, and this pass came to nothing. */
  isElsewhere: boolean
}

/** In the order of transactions, or of keys where all entries are walked over. */
type Place =
  | { readonly xact: string; readonly id: string }
  | { readonly organizationId: string; readonly id: string }

/** @returns whether there may be more */
async function sealBatch(engine: pg.Pool, pass: Pass): Promise<boolean> {
  const client = await engine.connect()
  let failed = true
  try {
    await client.query('begin')
    const { rows: states } = await client.query(pass.waits ? waitForLock() : takeLock())
    const [state] = states as State[]
    pass.isElsewhere = state === undefined
    const more = state !== undefined && (await sealUnderLock(client, pass, state))
    await client.query('commit')
    failed = false
    return more
  } finally {
    // A connection in an unknown state is not given back; closing it ends its transaction.
    client.release(failed)
  }
}

async function sealUnderLock(client: pg.PoolClient, pass: Pass, state: State): Promise<boolean> {
  pass.settled ??= state.settled
  pass.place ??= state.here
    ? { xact: state.before, id: '' }
    : { organizationId: pass.organizationId ?? '', id: '' }
  const { rows } = await client.query(
    'xact' in pass.place
      ? unsealedSince(pass.place.xact, pass.organizationId, pass.place.id)
      : unsealedBehind(pass.place.organizationId, pass.place.id, pass.organizationId),
  )
  const entries = rows as Unsealed[]
  if (entries.length > 0) await append(client, entries, state.now)
  pass.sealed += entries.length
  const last = entries.at(-1)
  if (last && entries.length === BATCH) {
    pass.place =
      'xact' in pass.place
        ? { xact: last.xact, id: last.id }
        : { organizationId: last.organization_id, id: last.id }
    return true
  }
  if (pass.organizationId === null && (pass.sealed > 0 || !state.here || state.far))
    await client.query(setBefore(pass.settled))
  return false
}

/** Continues the chain of each organization with its entries, in their order. */
async function append(client: pg.PoolClient, entries: readonly Unsealed[], sealedAt: string): Promise<void> {
  const { rows } = await client.query(headsOf([...new Set(entries.map((entry) => entry.organization_id))]))
  const heads = new Map((rows as Head[]).map(({ id, seq, hash }) => [id, { seq, hash }]))
  const seals = entries.map(({ organization_id: organizationId, id: entryId, hash: entryHash }) => {
    const { seq, hash: prevHash } = heads.get(organizationId)!
    const seal = {
      organizationId,
      seq: (seq ?? 0) + 1,
      entryId,
      entryHash,
      sealedAt,
      prevHash: prevHash ?? genesisHash(organizationId),
    }
    const sealed = { ...seal, hash: sealHash(seal) }
    heads.set(organizationId, sealed)
    return sealed
  })
  await client.query(
    insertSeals(
      seals.map(({ organizationId }) => organizationId),
      seals.map(({ seq }) => seq),
      seals.map(({ entryId }) => entryId),
      seals.map(({ prevHash }) => prevHash),
      seals.map(({ hash }) => hash),
      sealedAt,
    ),
  )
}

/**
 * Entries of one organization that have no seal, oldest first: those too young for it, and what was put into the table
 * behind the sealer, which looks no further back than it has sealed.
 */
export async function unsealedOf(engine: pg.Pool, organizationId: string): Promise<string[]> {
  const { rows } = await engine.query(unsealedNow(organizationId))
  return (rows as Row[]).map(({ id }) => id as string)
}

/** For how long the oldest entry has been waiting for its seal; 0 where none is. */
export async function unsealedSeconds(engine: pg.Pool): Promise<number> {
  const { rows } = await engine.query(oldest())
  return Math.max(0, Number(rows[0]?.seconds ?? 0))
}

interface State {
  readonly before: string
  readonly here: boolean
  readonly far: boolean
  readonly settled: string
  readonly now: string
}

interface Unsealed {
  readonly organization_id: string
  readonly id: string
  readonly hash: Buffer
  readonly xact: string
}

interface Head {
  readonly id: string
  readonly seq: number | null
  readonly hash: Buffer | null
}

/** Whether the row was written in this cluster: PostgreSQL keeps the lower half of the number that wrote it. */
const HERE = 'l.xmin::text::bigint = l.written_by::text::bigint & 4294967295'
const IS_FAR = `pg_snapshot_xmin(pg_current_snapshot())::text::bigint - l.before::text::bigint > ${FAR}`
const SINCE = 'e.xact >= $1::xid8 and e.xact < pg_snapshot_xmax(pg_current_snapshot())'
const UNSEALED = `
  not exists (select from audit_seals s where s.organization_id = e.organization_id and s.entry_id = e.id)`

const lock = (waiting: string) =>
  statement(`
  select l.before::text as before, ${HERE} as here, ${IS_FAR} as far, clock_now() as now,
         pg_snapshot_xmin(pg_current_snapshot())::text as settled
    from audit_sealing l for update ${waiting}`)
const takeLock = lock('skip locked')
const waitForLock = lock('')

/** Takes no lock and writes nothing, so that a service at rest stays at rest. */
const isDue = statement(`
  select not (${HERE}) or ${IS_FAR} or exists (
           select from audit_entries e
            where e.xact >= l.before and e.xact < pg_snapshot_xmax(pg_current_snapshot()) and ${UNSEALED}) as due
    from audit_sealing l`)

const unsealedSince = statement(`
  select e.organization_id, e.id, e.hash, e.xact::text as xact from audit_entries e
   where ${SINCE} and (e.xact > $1::xid8 or e.id > $3)
     and ($2::text is null or e.organization_id = $2) and ${UNSEALED}
   order by e.xact, e.id limit ${BATCH}`)

const unsealedBehind = statement(`
  select e.organization_id, e.id, e.hash, e.xact::text as xact from audit_entries e
   where (e.organization_id, e.id) > ($1, $2) and ($3::text is null or e.organization_id = $3) and ${UNSEALED}
   order by e.organization_id, e.id limit ${BATCH}`)

const unsealedNow = statement(`
  select e.id from audit_entries e
   where e.organization_id = $1 and e.xact < pg_snapshot_xmax(pg_current_snapshot()) and ${UNSEALED}
   order by e.id limit ${BATCH}`)

const oldest = statement(`
  select extract(epoch from clock_now() - min(e.time))::float8 as seconds from audit_sealing l, audit_entries e
   where e.xact >= l.before and e.xact < pg_snapshot_xmax(pg_current_snapshot()) and ${UNSEALED}`)

const headsOf = statement(`
  select o.id, h.seq, h.hash from unnest($1::text[]) as o (id)
    left join lateral (
      select s.seq, s.hash from audit_seals s where s.organization_id = o.id order by s.seq desc limit 1) h on true`)

const insertSeals = statement(`
  insert into audit_seals (organization_id, seq, entry_id, prev_hash, hash, sealed_at)
  select s.organization_id, s.seq, s.entry_id, s.prev_hash, s.hash, $6::timestamptz
    from unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bytea[])
      as s (organization_id, seq, entry_id, prev_hash, hash)`)

const setBefore = statement('update audit_sealing set before = $1::xid8, written_by = pg_current_xact_id()')
