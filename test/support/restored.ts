import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { commandLine, commandLineAlone, type Shell } from './command-line.ts'
import { asAdministrator, withDatabase } from './postgres.ts'

/** An empty database and an empty folder for files, into which a test restores. */
export interface Target {
  /** Of the database. */
  readonly name: string
  readonly url: string
  readonly administratorUrl: string
  readonly files: string
  /** The command line there. */
  readonly shell: Shell
  /** The same with a process for each command. */
  readonly shellAlone: Shell
  /** Its settings, as the service would have them. */
  readonly settings: Record<string, string>
  drop(): Promise<void>
}

/** @param owner of the database; the service's login, unless another is given */
export async function emptyTarget(
  masterKey: string,
  { owner = 'plumbline', url: given = inject('url'), more = {} as Record<string, string> } = {},
): Promise<Target> {
  const name = `plumbline_restored_${randomBytes(6).toString('hex')}`
  const server = inject('administratorUrl')
  await asAdministrator(server, (client) => client.query(`create database ${name} owner ${owner}`))
  const files = mkdtempSync(join(tmpdir(), 'plumbline-restored-'))
  const url = withDatabase(given, name)
  const settings = {
    DATABASE_URL: url,
    MASTER_KEY: masterKey,
    FILES: files,
    AUDIT_CHECKPOINTS_FILE: join(files, 'checkpoints.jsonl'),
    ...more,
  }
  return {
    name,
    url,
    administratorUrl: withDatabase(server, name),
    files,
    settings,
    shell: commandLine(settings),
    shellAlone: commandLineAlone(settings),
    drop: async () => {
      await asAdministrator(server, (client) => client.query(`drop database if exists ${name} with (force)`))
      rmSync(files, { recursive: true, force: true })
    },
  }
}

/** What each table holds, as a hash of its rows in an order of their own. */
export function contentsOf(administratorUrl: string): Promise<Record<string, string>> {
  return asAdministrator(administratorUrl, async (client) => {
    await client.query("set timezone = 'UTC'")
    const { rows } = await client.query(`
      select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
    const contents: Record<string, string> = {}
    for (const { name } of rows) {
      const sum = await client.query(
        `select count(*) || ' rows ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as sum
           from "${name}" t`,
      )
      contents[name] = sum.rows[0].sum
    }
    return contents
  })
}
