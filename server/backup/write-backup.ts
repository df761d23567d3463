import { createHash } from 'node:crypto'
import type pg from 'pg'
import { allowBackups, readForBackup } from '../database/backup-policy.ts'
import { withClient } from '../database/connect.ts'
import {
  copyOut,
  RowSum,
  readSequences,
  readShapes,
  setPlainValues,
  type TableShape,
} from '../database/table-rows.ts'
import { DatabaseUnfit } from '../database/unfit.ts'
import { keyOfContent, keyOfInfected } from '../files/keys.ts'
import type { FileStore } from '../files/store.ts'
import { holdSweeps } from '../files/sweep.ts'
import type { MasterKeys } from '../keyring/master-key.ts'
import { type ArchiveWriter, writeArchive } from './archive.ts'
import {
  BackupRefused,
  FORMAT_VERSION,
  HEADER,
  type Header,
  KEYS,
  type ListedFile,
  listName,
  MANIFEST,
  type Manifest,
  partName,
} from './format.ts'
import { neededMasterKeys, problemWithKeys } from './master-keys.ts'

export interface BackupOptions {
  readonly path: string
  /** Of the login that owns the tables. */
  readonly ownerUrl: string
  readonly files: FileStore
  readonly version: string
  /** Given where they are to be in the backup. */
  readonly masterKeys: MasterKeys | null
}

export interface BackupMade {
  readonly bytes: number
  readonly header: Header
  readonly manifest: Manifest
}

/** Of one part of a table; each is in memory while it is written. */
const PART_BYTES = 4 * 1024 * 1024
const FILES_IN_LIST = 1_000

/**
 * Writes a backup while the service runs. All rows are those of one moment, by one snapshot. A file that the snapshot
 * knows is not removed before its bytes were copied: the sweep waits.
 */
export const writeBackup = (options: BackupOptions): Promise<BackupMade> =>
  withClient(options.ownerUrl, 'plumbline backup', async (client) => {
    await setPlainValues(client)
    await allowBackups(client)
    await holdSweeps(client)
    await client.query('begin isolation level repeatable read read only')
    await readForBackup(client)
    const header = await headerOf(client, options)
    for (const { name } of header.tables) await client.query(`lock table "${name}" in access share mode`)
    let manifest: Manifest | undefined
    const bytes = await writeArchive(options.path, async (archive) => {
      await archive.add(HEADER, json(header))
      const tables = []
      for (const shape of header.tables) tables.push(await writeTable(client, archive, shape))
      const files = await writeFiles(client, archive, options.files, header.tables)
      if (options.masterKeys) await archive.add(KEYS, `${options.masterKeys.entries}\n`)
      manifest = { tables, files }
      await archive.add(MANIFEST, json(manifest))
    })
    await client.query('commit')
    return { bytes, header, manifest: manifest! }
  })

const json = (value: object): string => `${JSON.stringify(value, null, 1)}\n`

async function headerOf(client: pg.Client, { masterKeys, version }: BackupOptions): Promise<Header> {
  const tables = await readShapes(client)
  if (!tables.some(({ name }) => name === 'migrations'))
    throw new DatabaseUnfit('The database has no tables of Plumbline: there is nothing to back up.')
  const hasColumn = (table: string, column: string) =>
    tables.some(({ name, columns }) => name === table && columns.includes(column))
  const needed = await neededMasterKeys(client, hasColumn)
  const problem = masterKeys && problemWithKeys(needed, masterKeys)
  if (problem) throw new BackupRefused(problem)
  const { rows } = await client.query(`
    select to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
           current_setting('server_version') as postgres,
           array(select name from migrations order by name) as migrations`)
  const { now, postgres, migrations } = rows[0]
  return {
    format: 'plumbline backup',
    formatVersion: FORMAT_VERSION,
    createdAt: now,
    plumbline: version,
    postgres,
    migrations,
    tables,
    sequences: await readSequences(client),
    masterKeys: needed,
    includesMasterKeys: masterKeys !== null,
  }
}

/** In parts, since an archive asks for the size of an entry before its bytes, and no table tells it. */
async function writeTable(
  client: pg.Client,
  archive: ArchiveWriter,
  shape: TableShape,
): Promise<Manifest['tables'][number]> {
  const sum = new RowSum()
  let parts = 0
  let waiting: Buffer[] = []
  let size = 0
  const write = async (end: number) => {
    if (end === 0) return
    const bytes = Buffer.concat(waiting, size)
    const part = bytes.subarray(0, end)
    sum.add(part)
    parts += 1
    await archive.add(partName(shape.name, parts), part)
    waiting = end < size ? [bytes.subarray(end)] : []
    size -= end
  }
  for await (const chunk of copyOut(client, shape) as AsyncIterable<Buffer>) {
    waiting.push(chunk)
    size += chunk.length
    const end = chunk.lastIndexOf(LINE_FEED) + 1
    if (size >= PART_BYTES && end > 0) await write(size - chunk.length + end)
  }
  await write(size)
  return { name: shape.name, ...sum.end() }
}

const LINE_FEED = 10

interface Content {
  readonly organizationId: string
  readonly id: string
  readonly bytes: string
  readonly sha256: string
}

async function writeFiles(
  client: pg.Client,
  archive: ArchiveWriter,
  store: FileStore,
  tables: readonly TableShape[],
): Promise<Manifest['files']> {
  const lists = createHash('sha256')
  const damaged: string[] = []
  let [count, bytes, last] = [0, 0, { organizationId: '', id: '' }]
  if (tables.some(({ name }) => name === 'file_contents'))
    for (let number = 1; ; number += 1) {
      const { rows } = await client.query<Content>(CONTENTS, [last.organizationId, last.id, FILES_IN_LIST])
      if (rows.length === 0) break
      last = rows.at(-1)!
      const files = rows.map(
        ({ organizationId, id, ...row }): ListedFile => ({
          key: keyOfContent(organizationId, id),
          bytes: Number(row.bytes),
          sha256: row.sha256,
        }),
      )
      const list = files.map((file) => `${JSON.stringify(file)}\n`).join('')
      lists.update(list)
      await archive.add(listName(number), list)
      for (const [index, file] of files.entries()) {
        const { organizationId, id } = rows[index]!
        if (!(await writeFile(archive, store, file, keyOfInfected(organizationId, id))))
          damaged.push(file.key)
        count += 1
        bytes += file.bytes
      }
    }
  return { count, bytes, listsSha256: lists.digest('hex'), damaged }
}

/** @returns whether the bytes were there, and those that the database knows */
async function writeFile(
  archive: ArchiveWriter,
  store: FileStore,
  { key, bytes, sha256 }: ListedFile,
  infectedKey: string,
): Promise<boolean> {
  const hash = createHash('sha256')
  const source = async function* () {
    for await (const chunk of openEither(store, key, infectedKey)) {
      hash.update(chunk)
      yield chunk
    }
  }
  const isExact = await archive.addStream(`files/${key}`, bytes, source())
  return isExact && hash.digest('hex') === sha256
}

/** The scanner may have moved a file since the snapshot; it is scanned again after a restore. */
async function* openEither(store: FileStore, key: string, other: string): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  try {
    for await (const chunk of store.open(key)) {
      hasBegun = true
      yield chunk
    }
  } catch (error) {
    if (hasBegun) throw error
    yield* store.open(other)
  }
}

/** Files in which the scanner found something are left out: no call returns them, and a scanner of backups would react. */
const CONTENTS = `
  select organization_id as "organizationId", id, bytes, sha256 from file_contents
   where (organization_id, id) > ($1, $2) and scan <> 'infected' order by organization_id, id limit $3`
