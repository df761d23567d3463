import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../server/database/embedded.ts'

/*
 * One PostgreSQL for a whole test run: the embedded one in a directory that is thrown away afterwards, or the
 * server of TEST_DATABASE_URL (a superuser's URL; one run at a time). On it stands a migrated database that
 * nobody connects to, and every test file copies it (`freshDatabase`), which takes a fraction of migrating.
 */

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser of the run's server. */
    administratorUrl: string
    /** The service's login there, on a database that tests leave alone. */
    url: string
    /** A directory that goes with the run, for what several files use. */
    scratch: string
  }
}

export const TEMPLATE = 'plumbline_template'
const LOGIN = 'plumbline'

let stopServer: () => Promise<void> = async () => {}
let scratch = ''

export async function setup(project: TestProject): Promise<void> {
  const server = process.env.TEST_DATABASE_URL
    ? await prepareGiven(process.env.TEST_DATABASE_URL)
    : await startOwn()
  try {
    await makeTemplate(server)
  } catch (error) {
    await stopServer()
    throw error
  }
  project.provide('administratorUrl', server.administratorUrl)
  project.provide('url', server.url)
  scratch = mkdtempSync(join(tmpdir(), 'plumbline-run-'))
  project.provide('scratch', scratch)
}

export async function teardown(): Promise<void> {
  rmSync(scratch, { recursive: true, force: true })
  await stopServer()
}

interface Server {
  readonly administratorUrl: string
  readonly url: string
}

async function startOwn(): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startEmbedded({ dataDir, isThrownAway: true, log: (line) => console.error(line) })
    stopServer = async () => {
      await server.stop()
      remove()
    }
    return server
  } catch (error) {
    remove()
    throw error
  }
}

async function prepareGiven(administratorUrl: string): Promise<Server> {
  const password = 'plumbline-tests'
  await asAdministrator(administratorUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [LOGIN])
    if (rowCount === 0) await client.query(`create role ${LOGIN}`)
    await client.query(`alter role ${LOGIN} login nosuperuser nobypassrls createrole password '${password}'`)
    // A role can be handed a database only by its members; superusers are, others have to become one.
    await client.query(`grant ${LOGIN} to current_user`)
  })
  return { administratorUrl, url: withLogin(administratorUrl, LOGIN, password) }
}

async function makeTemplate({ administratorUrl, url }: Server): Promise<void> {
  await asAdministrator(administratorUrl, async (client) => {
    await client.query(`update pg_database set datistemplate = false where datname = '${TEMPLATE}'`)
    await client.query(`drop database if exists ${TEMPLATE} with (force)`)
    await client.query(`create database ${TEMPLATE} owner ${LOGIN}`)
    await migrateTemplate(withDatabase(url, TEMPLATE))
    await client.query(`alter database ${TEMPLATE} with is_template true allow_connections false`)
  })
}

/** What every fresh database holds before a test touches it. */
async function migrateTemplate(url: string): Promise<void> {
  const migrations = new URL('../../server/database/migrate.ts', import.meta.url)
  if (!existsSync(fileURLToPath(migrations))) return
  const { migrate }: { migrate(options: { url: string }): Promise<unknown> } = await import(migrations.href)
  await migrate({ url })
}

export async function asAdministrator<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The same server and login, another database. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^([^/]+\/\/[^/]*)\/[^?]*/, `$1/${database}`)
}

function withLogin(url: string, user: string, password: string): string {
  return url.replace(/^([^/]+\/\/)(?:[^@/]*@)?/, `$1${user}:${password}@`)
}
