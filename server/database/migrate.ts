import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { allowBackups } from './backup-policy.ts'
import { withClient } from './connect.ts'
import { endInheritance, inspectLogin, ROLES, takeRightToCreate, withoutInheritance } from './login.ts'
import { refuseLostSettings, refuseSharedSessions } from './own-session.ts'
import { missingProtection, sentenceOf } from './row-security.ts'
import { DatabaseUnfit } from './unfit.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
/** Held by each process that changes the schema, so that one does and the others wait. */
export const MIGRATION_LOCK = "select pg_advisory_lock(hashtext('plumbline.migrate'))"

/** The oldest server whose row security is free of the known leaks (CVE-2025-8713 among them). */
const OLDEST_SERVER = 150014
const FEATURE_NOT_SUPPORTED = '0A000'

/**
 * Brings the schema to what this program expects: hand-written files, forward only, each in a
 * transaction of its own. Any number of processes may start at once; one migrates, the others wait.
 *
 * @param options.url of a login that may create tables (and the three roles, unless they are there)
 * @returns the names of the files that were run, in order
 * @throws {DatabaseUnfit} where the schema is newer than this program, or the login may not migrate
 */
export async function migrate(options: { url: string }): Promise<string[]> {
  // The lock would stay for ever on a session that others get next.
  await refuseSharedSessions(options.url)
  return withClient(options.url, 'plumbline migrate', async (client) => {
    await client.query("set timezone to 'UTC'")
    await client.query(MIGRATION_LOCK)
    const done = await applied(client)
    const known = await files()
    refuseNewer(done, known)
    const waiting = known.filter((file) => !done.includes(file))
    if (waiting.length > 0) {
      await takeRightToCreate(client)
      await refuseUnable(client)
    }
    for (const file of waiting) await run(client, file)
    await renewCollation(client)
    await allowBackups(client)
    await endInheritance(client)
    return waiting
  })
}

/**
 * @throws {DatabaseUnfit} unless the schema is the one of this program with all its protection, the server is recent
 *   enough, the login cannot step over row security, and its sessions are its own
 */
export async function refuseUnfit(url: string): Promise<void> {
  await withClient(url, 'plumbline start', async (client) => {
    const done = await applied(client)
    const known = await files()
    refuseNewer(done, known)
    if (done.length < known.length)
      throw new DatabaseUnfit(
        'The database has not been migrated yet: run `npm run --silent plumbline -- migrate`.',
      )
    if (await isOutdated(client))
      throw new DatabaseUnfit(
        'ICU of the database server was upgraded, and texts may have another order: run `npm run --silent plumbline -- migrate`.',
      )
    const missing = await missingProtection(client)
    if (missing) throw new DatabaseUnfit(sentenceOf(missing))
    await refuseStrong(client)
  })
  await refuseLostSettings(url)
  await refuseSharedSessions(url)
}

/** The files that the database has had, and those of this program. */
export async function schemaOf(client: pg.Client): Promise<{ applied: string[]; known: string[] }> {
  return { applied: await applied(client), known: await files() }
}

async function applied(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query("select to_regclass('migrations') is not null as there")
  if (!rows[0].there) return []
  return (await client.query('select name from migrations order by name')).rows.map((row) => row.name)
}

async function files(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
}

function refuseNewer(done: string[], known: string[]): void {
  const unknown = done.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new DatabaseUnfit(
      `The database was migrated by a newer Plumbline (${unknown.join(', ')}): start that version, or a later one.`,
    )
}

/** @throws {DatabaseUnfit} where the login may not make what the schema needs */
export async function refuseUnable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_user as login, rolsuper or rolcreaterole as may_create,
       has_schema_privilege('public', 'create') as may_write,
       array(select name from unnest($1::text[]) name
              where not exists (select from pg_roles r where r.rolname = name)) as missing
     from pg_roles where rolname = current_user`,
    [ROLES],
  )
  const { login, may_create, may_write, missing } = rows[0]
  if (!may_write)
    throw new DatabaseUnfit(
      `The login ${login} may not create tables: set DATABASE_OWNER_URL to one that may, for \`migrate\`.`,
    )
  if (missing.length > 0 && !may_create)
    throw new DatabaseUnfit(
      `The login ${login} may not create roles: create ${missing.join(', ')} (NOLOGIN) and grant them to the service's login, or give this one CREATEROLE.`,
    )
}

async function refuseStrong(client: pg.Client): Promise<void> {
  const login = await inspectLogin(client)
  if (login.serverVersionNumber < OLDEST_SERVER)
    throw new DatabaseUnfit(
      `PostgreSQL ${login.serverVersion} is too old: 15.14, 16.10, 17.6 or any 18 is needed.`,
    )
  if (login.superuser || login.bypassesRowSecurity)
    throw new DatabaseUnfit(
      `The login ${login.name} is a superuser or has BYPASSRLS, which would step over the wall between organizations: use one without.`,
    )
  if (login.missingRoles.length > 0)
    throw new DatabaseUnfit(
      `The login ${login.name} is not a member of ${login.missingRoles.join(', ')}: grant them to it.`,
    )
  if (login.inheritedRoles.length > 0)
    throw new DatabaseUnfit(
      `The login ${login.name} has the rights of ${login.inheritedRoles.join(', ')} without becoming them: run \`${withoutInheritance(login)}\` as whoever granted them.`,
    )
}

/**
 * After an upgrade of ICU a character may have another place in the order. So the indexes of the collation are built
 * again, and PostgreSQL no longer warns at each use.
 */
async function renewCollation(client: pg.Client): Promise<void> {
  if (!(await isOutdated(client))) return
  const { rows } = await client.query(
    `select indexrelid::regclass::text as name from pg_index
      where to_regcollation('natural_order') = any(indcollation) order by name`,
  )
  for (const { name } of rows) await client.query(`reindex index ${name}`)
  await client.query('alter collation natural_order refresh version')
}

/** Whether PostgreSQL has another version of ICU than the one that the indexes of the collation were built with. */
async function isOutdated(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_collation
      where oid = to_regcollation('natural_order') and collversion is distinct from pg_collation_actual_version(oid)`,
  )
  return rows.length > 0
}

async function run(client: pg.Client, file: string): Promise<void> {
  await client.query('begin')
  try {
    await applyMigration(client, file)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if ((error as { code?: string }).code === FEATURE_NOT_SUPPORTED && /ICU/.test((error as Error).message))
      throw new DatabaseUnfit(
        'This PostgreSQL was built without ICU, by which Plumbline sorts names: use a build with it, as the packages of Debian, Red Hat and postgresql.org are.',
      )
    throw error
  }
}

/** Runs one file in the transaction that the caller has begun. */
export async function applyMigration(client: pg.Client, file: string): Promise<void> {
  const text = await readFile(new URL(file, FOLDER), 'utf8')
  await client.query("set local lock_timeout = '10s'")
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null)',
  )
  // The service's login may be another than the owner's, and has to see whether all is there.
  await client.query('grant select on migrations to public')
  await client.query('insert into migrations values ($1, clock_timestamp())', [file])
  await client.query(text)
}
