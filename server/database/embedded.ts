import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount } from './embedded/account.ts'
import { ADMINISTRATOR, ensureCluster, LOGIN } from './embedded/cluster.ts'
import { EmbeddedDatabaseFault } from './embedded/fault.ts'
import { type Hold, holderOf, tryHold } from './embedded/hold.ts'
import { type Passwords, readPasswords } from './embedded/passwords.ts'
import { findPrograms } from './embedded/programs.ts'
import { startServer } from './embedded/server.ts'
import { choosePlace } from './embedded/socket.ts'
import { supervise } from './embedded/supervisor.ts'
import { upgradeCluster } from './embedded/upgrade.ts'
import { urlOf } from './embedded/url.ts'

export { EmbeddedDatabaseFault }

/*
 * PostgreSQL for who has none: the real server, from npm, as a child of ours. It keeps every promise a database
 * server of one's own would keep, because it is one; what is ours is the life around it:
 *
 *   hold       one process at a time has the data directory
 *   account    who runs it, since it refuses root
 *   socket     where it listens, for nobody but us
 *   cluster    its files, made once, and its passwords
 *   upgrade    from the files of an older PostgreSQL to those of this one
 *   leftovers  what an earlier run left behind
 *   server     one run of it, tied to our life by a pipe
 *   supervisor the next run, when one ends unasked
 *
 * Everything lies in DATA_DIR/postgres.
 */

export interface EmbeddedDatabase {
  /** For the service: role and database `plumbline`. */
  readonly url: string
  /** The superuser, for tests and set-up only. */
  readonly administratorUrl: string
  /**
   * Settles when the server is gone for good: with the error, or with null after `stop()`. Short losses are mended and
   * do not show here.
   */
  readonly exited: Promise<Error | null>
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDir: string
  /** Gets a line for each thing worth knowing. PostgreSQL's own words are in DATA_DIR/postgres/server.log. */
  readonly log?: (line: string) => void
  /** Of a service, where people reach it: told to whoever joins. */
  readonly publicUrl?: string
  /** `loopback` keeps to TCP, as on a machine without Unix sockets. */
  readonly listen?: 'socket' | 'loopback'
  /** For a server of tests: its data need not outlive a loss of power, and nothing waits for the disk. */
  readonly isThrownAway?: boolean
}

// How long a command waits for a service that is starting, and either for a command to finish.
const PATIENCE = 30_000

/**
 * Starts the server of a data directory and holds the directory until `stop()`. Refuses at once where another
 * service holds it, and waits for a command that does.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const home = homeIn(options.dataDir)
  const until = Date.now() + PATIENCE
  for (;;) {
    const hold = tryHold(home, 'service')
    if (hold) return await startHeld(home, hold, options)
    const holder = await holderOf(home)
    if (holder?.purpose === 'service' || Date.now() > until) throw taken(options.dataDir, holder?.pid)
    await sleep(50)
  }
}

/**
 * For the command line: the server that a service runs on this data directory, or one started for the moment
 * and held alone. `release()` ends what was started, and leaves the service's server running.
 */
export async function joinEmbedded(
  options: EmbeddedOptions,
): Promise<{ url: string; publicUrl?: string | undefined; release(): Promise<void> }> {
  const home = homeIn(options.dataDir)
  const until = Date.now() + PATIENCE
  for (;;) {
    const hold = tryHold(home, 'command')
    if (hold) {
      const database = await startHeld(home, hold, options)
      return { url: database.url, release: database.stop }
    }
    // Another command's server would end under our hands, so only a service's is joined.
    const holder = await holderOf(home)
    const passwords = readPasswords(home)
    if (holder?.purpose === 'service' && holder.host && holder.port && passwords) {
      const url = urlOf(holder.host, holder.port, LOGIN, passwords.login)
      if (await answers(url)) return { url, publicUrl: holder.publicUrl, release: async () => {} }
    }
    if (Date.now() > until) throw taken(options.dataDir, holder?.pid)
    await sleep(50)
  }
}

async function startHeld(home: string, hold: Hold, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const programs = findPrograms()
    const account = chooseAccount(home, programs)
    await upgradeCluster({ home, account, programs, listen: options.listen, log: options.log ?? (() => {}) })
    const { directory, passwords } = await ensureCluster(home, account, programs)
    const place = await choosePlace(home, account.own, options.listen)
    const settings = {
      ...place.settings,
      ...(options.isThrownAway ? { fsync: 'off', full_page_writes: 'off' } : {}),
    }
    const run = { home, cluster: directory, account, postgres: programs.postgres, settings }
    const server = await supervise(() => startServer(run), options.log ?? (() => {}))
    hold.announce({ host: place.host, port: place.port, publicUrl: options.publicUrl })
    return {
      ...urlsOf(place, passwords),
      exited: server.exited,
      stop: async () => {
        await server.stop()
        place.remove()
        hold.release()
      },
    }
  } catch (error) {
    hold.release()
    throw error
  }
}

/** Our folder in the data directory, by its real name: the lock must be one however the path was written. */
function homeIn(dataDir: string): string {
  try {
    // Under root, another user may have to pass through (embedded/account.ts); nobody may list it.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    mkdirSync(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 })
    return realpathSync(join(dataDir, 'postgres'))
  } catch (error) {
    throw new EmbeddedDatabaseFault(
      `The data directory ${dataDir} cannot be used (${(error as Error).message}). Set DATA_DIR to a directory that this user can write.`,
    )
  }
}

function urlsOf(place: { host: string; port: number }, passwords: Passwords) {
  return {
    url: urlOf(place.host, place.port, LOGIN, passwords.login),
    administratorUrl: urlOf(place.host, place.port, ADMINISTRATOR, passwords.administrator),
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function taken(dataDir: string, pid: number | undefined): EmbeddedDatabaseFault {
  const holder = pid ? `process ${pid}` : 'another process'
  return new EmbeddedDatabaseFault(
    `The data directory ${dataDir} is in use by ${holder}. Stop that one first, or set DATA_DIR to another directory.`,
  )
}
