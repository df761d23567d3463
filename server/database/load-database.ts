import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { allowBackups } from './backup-policy.ts'
import { endInheritance, takeRightToCreate } from './login.ts'
import { applyMigration, MIGRATION_LOCK, refuseUnable, schemaOf } from './migrate.ts'
import { refuseSharedSessions } from './own-session.ts'
import { copyInto, readShapes, type SequenceState, setPlainValues, type TableShape } from './table-rows.ts'
import { DatabaseUnfit } from './unfit.ts'

/*
 * Fills an empty database with the rows of another one. Everything happens in one transaction: the schema that the
 * rows were read from, the rows, their indexes and constraints, and the migrations that are newer. Cut short at any
 * moment, the database is as empty as before.
 *
 * Rows are loaded without foreign keys, triggers and indexes, which are made again over all rows at the end. The
 * order of tables then does not matter, a trigger does not note changes that are none, and loading is faster.
 */

export interface LoadedSchema {
  /** The migrations that the rows have been through. */
  readonly migrations: readonly string[]
  readonly tables: readonly TableShape[]
  readonly sequences: readonly SequenceState[]
}

/** Writes rows of one table; returns how many. */
export type Insert = (shape: TableShape, rows: AsyncIterable<Uint8Array>) => Promise<number>

/**
 * @param fill is given the way to insert, and throws where the rows are not whole; then nothing is written
 * @param finish does what follows in the same transaction, once the schema is this program's
 */
export async function loadDatabase(
  client: pg.Client,
  url: string,
  schema: LoadedSchema,
  fill: (insert: Insert) => Promise<void>,
  finish: (client: pg.Client) => Promise<void> = async () => {},
): Promise<void> {
  await refuseSharedSessions(url)
  await setPlainValues(client)
  await client.query(MIGRATION_LOCK)
  await refuseCompany(client)
  await client.query('begin')
  try {
    await refuseRows(client)
    await clear(client)
    await takeRightToCreate(client)
    await refuseUnable(client)
    for (const file of schema.migrations) await applyMigration(client, file)
    await client.query('set local lock_timeout = 0')
    await matchShapes(client, schema.tables)
    const restoreRules = await liftRules(client, schema.tables)
    await fill(async (shape, rows) => {
      const into = copyInto(client, shape)
      await pipeline(rows, into)
      return into.rowCount
    })
    await setSequences(client, schema.sequences)
    await forgetTransactions(client)
    await restoreRules()
    const { applied, known } = await schemaOf(client)
    for (const file of known.filter((name) => !applied.includes(name))) {
      await applyMigration(client, file)
      // A check that waits for the end of the transaction would keep the next file from altering its table.
      await client.query('set constraints all immediate')
    }
    await client.query('set local lock_timeout = 0')
    await allowBackups(client)
    await finish(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  await endInheritance(client)
  await client.query('analyze')
}

/** PostgreSQL shows a connection for a moment after it was closed. */
const CLOSED_WITHIN_MS = 2_000

/** @throws {DatabaseUnfit} where a service or a command of Plumbline works on this database */
async function refuseCompany(client: pg.Client): Promise<void> {
  const until = Date.now() + CLOSED_WITHIN_MS
  for (;;) {
    const { rows } = await client.query(`
      select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'plumbline %'
       limit 1`)
    if (rows.length === 0) return
    if (Date.now() > until) throw new DatabaseUnfit('Plumbline runs on this database: stop it, then restore.')
    await sleep(100)
  }
}

/**
 * Empty is a database without tables, or one that a start of Plumbline has prepared and where there is no organization
 * and no person yet.
 */
async function refuseRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tables: string[]; strange: string[] }>(`
    select array(select relname::text from pg_class where relnamespace = 'public'::regnamespace
              and relkind in ('r', 'p', 'f') order by 1) as tables,
           array(select relname::text from pg_class where relnamespace = 'public'::regnamespace
              and relkind in ('r', 'p', 'f', 'v', 'm') and not pg_has_role(relowner, 'USAGE') order by 1) as strange`)
  const { tables, strange } = rows[0]!
  if (strange.length > 0)
    throw new DatabaseUnfit(
      `The database has tables of another login (${strange.slice(0, 3).join(', ')}): restore as the login that owns it, into an empty database.`,
    )
  if (tables.length === 0) return
  if (!tables.includes('migrations') || !tables.includes('organizations') || !tables.includes('users'))
    throw new DatabaseUnfit(
      `The database is not empty: it has ${tables.slice(0, 3).join(', ')}. Restore into an empty one.`,
    )
  for (const table of ['organizations', 'users']) {
    await client.query(`alter table ${table} no force row level security`)
    const { rows: found } = await client.query(`select from ${table} limit 1`)
    if (found.length > 0)
      throw new DatabaseUnfit(
        'The database is not empty: it has organizations or people of Plumbline. Restore into an empty one; nothing was changed.',
      )
  }
}

/** Removes what a start has prepared: the schema of the backup may be an older one. Extensions stay. */
async function clear(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    with own as (
      select 1 as place, 'pg_class'::regclass as catalog, oid,
             format('drop table if exists %s cascade', oid::regclass) as statement from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      union all
      select 2, 'pg_class'::regclass, oid, format('drop sequence if exists %s cascade', oid::regclass) from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'S'
      union all
      select 3, 'pg_proc'::regclass, oid,
             format('drop %s if exists %s cascade', case prokind when 'p' then 'procedure' else 'function' end,
                    oid::regprocedure) from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select 4, 'pg_type'::regclass, oid, format('drop type if exists %s cascade', oid::regtype) from pg_type
       where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
      union all
      select 5, 'pg_collation'::regclass, oid, format('drop collation if exists %s cascade', oid::regcollation)
        from pg_collation where collnamespace = 'public'::regnamespace)
    select statement from own
     where not exists (select from pg_depend d where d.classid = catalog and d.objid = own.oid and d.deptype = 'e')
     order by place`)
  for (const { statement } of rows) await client.query(statement)
}

/**
 * Sees that the database has the tables of the rows, and makes the partitions that are missing.
 * @throws {DatabaseUnfit} where a table or a column is not known
 */
async function matchShapes(client: pg.Client, wanted: readonly TableShape[]): Promise<void> {
  const found = new Map((await readShapes(client)).map((shape) => [shape.name, shape]))
  for (const { name, columns, partitions } of wanted) {
    const shape = found.get(name)
    const unknown = columns.find((column) => !shape?.columns.includes(column))
    if (!shape || unknown !== undefined)
      throw new DatabaseUnfit(
        `The backup has ${shape ? `a column ${name}.${unknown}` : `a table ${name}`} that its migrations do not make: it was added by another program, and cannot be restored.`,
      )
    for (const partition of partitions)
      if (!shape.partitions.some((one) => one.name === partition.name))
        await makePartition(client, name, partition)
  }
}

/** As the function ensure_weeks makes one; the parent's indexes come with it. */
async function makePartition(
  client: pg.Client,
  parent: string,
  { name, bound }: TableShape['partitions'][number],
): Promise<void> {
  if (!/^FOR VALUES FROM \('[^']*'\) TO \('[^']*'\)$/.test(bound))
    throw new DatabaseUnfit(`The backup has a partition ${name} of a kind that cannot be restored.`)
  const [table, of] = [pg.escapeIdentifier(name), pg.escapeIdentifier(parent)]
  await client.query(`create table ${table} (like ${of} including all excluding indexes)`)
  await client.query(`alter table ${table} enable row level security, force row level security`)
  await client.query(`alter table ${of} attach partition ${table} ${bound}`)
}

/**
 * Empties the tables and lifts what would slow down or refuse rows.
 * @returns puts everything back
 */
async function liftRules(client: pg.Client, tables: readonly TableShape[]): Promise<() => Promise<void>> {
  const names = tables.map(({ name }) => name)
  const { rows } = await client.query<{ lift: string; restore: string }>(LIFTED, [names])
  for (const { lift } of rows) await client.query(lift)
  await client.query(`truncate ${names.map((name) => pg.escapeIdentifier(name)).join(', ')}`)
  return async () => {
    // Indexes first: foreign keys are checked by means of them.
    for (const { restore } of rows.toReversed()) await client.query(restore)
  }
}

/** Foreign keys, then indexes that are no constraint, triggers, and forced row security: put back in reverse. */
const LIFTED = `
  with tables as (
    select c.oid, c.relname, c.relkind, c.relforcerowsecurity from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and c.relkind in ('r', 'p'))
  select lift, restore from (
    select 1 as place, format('alter table %s no force row level security', oid::regclass) as lift,
           format('alter table %s force row level security', oid::regclass) as restore
      from tables where relforcerowsecurity
    union all
    select 2, format('alter table %s disable trigger user', oid::regclass),
           format('alter table %s enable trigger user', oid::regclass)
      from tables where exists (select from pg_trigger t where t.tgrelid = tables.oid and not t.tgisinternal)
    union all
    select 3, format('alter table %s drop constraint %I', conrelid::regclass, conname),
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join tables on tables.oid = k.conrelid where k.contype = 'f' and k.conparentid = 0
    union all
    select 4, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
      from pg_index i join tables on tables.oid = i.indrelid
     where tables.relkind = 'r'
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)) lifted
  order by place`

async function setSequences(client: pg.Client, sequences: readonly SequenceState[]): Promise<void> {
  for (const { name, lastValue } of sequences)
    if (lastValue !== null)
      await client.query('select setval($1::regclass, $2)', [pg.escapeIdentifier(name), lastValue])
}

/** Numbers of transactions mean nothing in another cluster: the sealer looks at every entry once (journal/sealer.ts). */
async function forgetTransactions(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select to_regclass('audit_sealing') is not null as there")
  if (rows[0].there) await client.query("update audit_sealing set before = '0', written_by = '0'")
}
