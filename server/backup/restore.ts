import type pg from 'pg'
import { withClient } from '../database/connect.ts'
import { type Insert, loadDatabase } from '../database/load-database.ts'
import { schemaOf } from '../database/migrate.ts'
import type { FileStore } from '../files/store.ts'
import type { MasterKeys } from '../keyring/master-key.ts'
import { holdSending } from '../webhooks/held-sending.ts'
import { BackupRefused, type Header } from './format.ts'
import { problemWithKeys } from './master-keys.ts'
import { type BackupRead, type BackupTaker, readBackup } from './read-backup.ts'

export interface RestoreOptions {
  readonly path: string
  /** Of the login that is to own the tables. */
  readonly ownerUrl: string
  readonly files: FileStore
  /** Null where none is given: then the backup has to bring them, or need none. */
  readonly masterKeys: MasterKeys | null
  /** Reads and checks the keys that a backup brings. */
  readonly openKeys: (entries: string) => MasterKeys
  /** Whether webhooks wait until a person releases them. */
  readonly holdsSending: boolean
}

export interface Restored extends BackupRead {
  /** Of a backup that brought them, where none were given. */
  readonly broughtKeys: MasterKeys | null
  readonly waitingDeliveries: number
}

/**
 * Restores a backup into an empty database. It is read twice: first to its end, so that a damaged backup and a wrong
 * master key are found before anything is written, and then into one transaction. Files are stored before that ends;
 * those of a restore that was cut short belong to no row, and are removed after a day.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { header, keys } = await check(options)
  return withClient(options.ownerUrl, 'plumbline restore', async (client) => {
    let waitingDeliveries = 0
    let read: BackupRead | undefined
    await loadDatabase(
      client,
      options.ownerUrl,
      header,
      async (insert) => {
        read = await readBackup(options.path, takerInto(insert, header, options.files))
      },
      async () => {
        waitingDeliveries = await countWaiting(client)
        if (options.holdsSending)
          await holdSending(client, `restored from a backup of ${header.createdAt.slice(0, 16)}Z`)
      },
    )
    return { ...read!, broughtKeys: options.masterKeys ? null : keys, waitingDeliveries }
  })
}

/** Everything that can be known before the first byte is written. */
async function check({ path, ownerUrl, masterKeys, openKeys }: RestoreOptions) {
  let brought: MasterKeys | null = null
  const { header } = await readBackup(path, {
    header: async (header) => {
      await refuseNewer(header, ownerUrl)
      // Keys that the backup brings come at its end.
      if (masterKeys || !header.includesMasterKeys) refuseKeys(header, masterKeys)
    },
    rows: (_table, rows) => drain(rows),
    file: (_file, bytes) => drain(bytes),
    keys: async (entries) => {
      brought = openKeys(entries)
    },
  })
  const keys = masterKeys ?? brought
  refuseKeys(header, keys)
  return { header, keys }
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _chunk of source);
}

function refuseKeys({ masterKeys }: Header, given: MasterKeys | null): void {
  const problem = problemWithKeys(masterKeys, given)
  if (problem !== undefined) throw new BackupRefused(problem)
}

async function refuseNewer({ migrations, plumbline }: Header, ownerUrl: string): Promise<void> {
  const { known } = await withClient(ownerUrl, 'plumbline restore', schemaOf)
  const unknown = migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new BackupRefused(
      `The backup was made by a newer Plumbline (${plumbline}, with ${unknown.at(-1)}), and this version does not know its tables: restore it with that version, or a later one. Nothing was written.`,
    )
}

function takerInto(insert: Insert, header: Header, files: FileStore): BackupTaker {
  return {
    header: async () => {},
    rows: async (table, rows) => {
      await insert(header.tables.find(({ name }) => name === table)!, rows)
    },
    file: async (file, bytes) => {
      // Keys lead to files: nothing but what this program makes is taken.
      if (!KEY.test(file.key))
        throw new BackupRefused(`The backup has a file ${file.key} that no backup has: it was changed.`)
      await files.put(file.key, bytes, file.bytes)
    },
    keys: async () => {},
  }
}

const KEY = /^org_[0-9a-z]{26}\/kept\/[0-9a-z]{2}\/[0-9a-z]{2}\/[0-9a-z_]+$/

async function countWaiting(client: pg.Client): Promise<number> {
  await client.query("set plumbline.backup = 'on'")
  const { rows } = await client.query(
    "select count(*)::int as waiting from deliveries where status in ('pending', 'waiting_for_retry')",
  )
  await client.query('reset plumbline.backup')
  return rows[0].waiting
}
