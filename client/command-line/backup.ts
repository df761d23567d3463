import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type BackupRead, readBackup, takeNothing } from '../../server/backup/read-backup.ts'
import { type Restored, restoreBackup } from '../../server/backup/restore.ts'
import { type BackupMade, writeBackup } from '../../server/backup/write-backup.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { openFileStore } from '../../server/files/open-store.ts'
import { openKeyring } from '../../server/keyring/keyring.ts'
import { givenMasterKeys, masterKeyFile } from '../../server/keyring/master-key.ts'
import { readHeldSending, releaseSending } from '../../server/webhooks/held-sending.ts'
import { type Command, Misused } from './command.ts'
import { withDatabase, withOwnDatabase, withService } from './service.ts'
import { version } from './version.ts'

const backup: Command = {
  name: 'backup',
  summary: 'Backs up all records and files into one new file, while the service runs or not',
  takes: 'FILE',
  flags: {
    'with-keys': { value: null, about: 'put the master keys into the file as well' },
  },
  notes:
    'Uses DATABASE_OWNER_URL where it is set: the backup is made by the login that owns the tables. Keep the master\nkey in another place than the backups. docs/backup.md has the whole story.',
  run: async (given) => {
    const path = given.word
    refuseExisting(path, backup)
    const config = readConfig(process.env)
    const keys = givenMasterKeys(config)
    const withKeys = 'with-keys' in given.flags
    if (withKeys && keys === null)
      throw new Misused('there is no master key yet that could be backed up: leave --with-keys out', backup)
    const made = await withDatabase(config, given, (url) =>
      writeBackup({
        path,
        ownerUrl: config.databaseOwnerUrl ?? url,
        files: openFileStore(config.files),
        version,
        masterKeys: withKeys ? keys : null,
      }),
    )
    const { damaged } = made.manifest.files
    return {
      json: { file: path, bytes: made.bytes, ...outline(made) },
      text: wordsOfBackup(path, made),
      exitCode: damaged.length === 0 ? 0 : 1,
    }
  },
}

const verify: Command = {
  name: 'backup verify',
  summary: 'Checks that a backup is whole: every row count and every SHA-256, from nothing but the file',
  takes: 'FILE',
  flags: {},
  notes:
    'It needs no database and no settings. It ends with 0 where all is well, and with 1 where it is not.',
  run: async ({ word }) => {
    const read = await readBackup(word, takeNothing)
    const { damaged } = read.manifest.files
    return {
      json: { ok: damaged.length === 0, ...outline(read) },
      text: [
        `Whole and unchanged: ${contentsOf(read)}, made ${madeAt(read)} by Plumbline ${read.header.plumbline}.`,
        ...keysNote(read),
        ...damagedNote(damaged),
      ].join('\n'),
      exitCode: damaged.length === 0 ? 0 : 1,
    }
  },
}

const restore: Command = {
  name: 'restore',
  summary: 'Restores a backup into an empty database',
  takes: 'FILE',
  flags: {
    'send-webhooks': {
      value: null,
      about: 'send what waits; without it, webhooks wait until `sending resume`',
    },
  },
  notes:
    'Stop the service first. An older backup is brought to this version; a newer one is refused. All or nothing: cut\nshort, the database is as empty as before, and the same command may be run again.',
  run: async (given) => {
    const path = given.word
    const config = readConfig(process.env)
    const keys = givenMasterKeys(config)
    const holdsSending = !('send-webhooks' in given.flags)
    const restored = await withOwnDatabase(config, given, (url) =>
      restoreBackup({
        path,
        ownerUrl: config.databaseOwnerUrl ?? url,
        files: openFileStore(config.files),
        masterKeys: keys,
        openKeys: (entries) => ({ entries, source: path, keyring: openKeyring(entries, path) }),
        holdsSending,
      }),
    )
    const keyFile = restored.broughtKeys && keepKeys(config, restored.broughtKeys.entries)
    return {
      json: {
        ...outline(restored),
        waitingDeliveries: restored.waitingDeliveries,
        sending: holdsSending ? 'held' : 'on',
        masterKeyFile: keyFile,
      },
      text: wordsOfRestore(restored, holdsSending, keyFile),
    }
  },
}

const resume: Command = {
  name: 'sending resume',
  summary: 'Sends webhooks again, which wait after a restore',
  flags: {},
  notes:
    'A restored database sends no webhooks until then, so that a copy does not send what the original sends. Deliveries\nthat wait are sent as well: to drop them, turn their endpoints off first.',
  run: (given) =>
    withService(given, async ({ database }) => {
      const held = await readHeldSending(database.engine)
      const wasHeld = await releaseSending(database.engine)
      return {
        json: { wasHeld, heldSince: held?.heldAt ?? null },
        text: wasHeld ? 'Webhooks are sent again.' : 'Webhooks were not held: nothing has changed.',
      }
    }),
}

function refuseExisting(path: string, command: Command): void {
  if (existsSync(path)) throw new Misused(`${path} exists already: give the name of a new file`, command)
  if (!existsSync(dirname(path))) throw new Misused(`the folder ${dirname(path)} does not exist`, command)
}

/** Into the place where the embedded database's key is expected. */
function keepKeys(config: Config, entries: string): string {
  const path = masterKeyFile(config.dataDir)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(path, `${entries}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return path
}

const outline = ({ header, manifest }: BackupRead) => ({
  createdAt: header.createdAt,
  plumbline: header.plumbline,
  postgres: header.postgres,
  schema: header.migrations.at(-1) ?? null,
  rows: rowsOf(manifest),
  files: manifest.files.count,
  fileBytes: manifest.files.bytes,
  damagedFiles: manifest.files.damaged,
  includesMasterKeys: header.includesMasterKeys,
  masterKeys: header.masterKeys.needed,
  tables: manifest.tables,
})

const rowsOf = ({ tables }: BackupRead['manifest']) => tables.reduce((sum, { rows }) => sum + rows, 0)

const contentsOf = ({ header, manifest }: BackupRead): string =>
  `${rowsOf(manifest)} rows of ${header.tables.length} tables and ${counted(manifest.files.count, 'file', 'files')}`

const madeAt = ({ header }: BackupRead): string => header.createdAt

function wordsOfBackup(path: string, made: BackupMade): string {
  return [
    `Backed up ${contentsOf(made)} to ${path} (${size(made.bytes)}).`,
    ...keysNote(made),
    ...damagedNote(made.manifest.files.damaged),
  ].join('\n')
}

function keysNote({ header }: BackupRead): string[] {
  if (header.includesMasterKeys)
    return [
      'WARNING: it has the master keys in it. Anyone with this file can read every secret of this service: guard it like the keys themselves.',
    ]
  const { needed } = header.masterKeys
  return needed.length > 0
    ? [
        `It does not have the master key ${needed.join(', ')}, which a restore needs: keep that in another place.`,
      ]
    : []
}

const damagedNote = (damaged: readonly string[]): string[] =>
  damaged.length === 0
    ? []
    : [
        `Files whose bytes were missing or changed in the store when the backup was made: ${damaged.length}. They cannot be restored:`,
        ...damaged.slice(0, 20).map((key) => `  ${key}`),
        ...(damaged.length > 20 ? ['  …'] : []),
      ]

function wordsOfRestore(restored: Restored, holdsSending: boolean, keyFile: string | null): string {
  const { waitingDeliveries } = restored
  return [
    `Restored ${contentsOf(restored)}, backed up ${madeAt(restored)}.`,
    ...(keyFile ? [`The master keys of the backup are in ${keyFile}.`] : []),
    holdsSending
      ? `Webhooks are held, so that a copy sends nothing (${counted(waitingDeliveries, 'pending delivery', 'pending deliveries')}). If this database is the one that sends, run \`sending resume\`.`
      : `Webhooks are sent from the next start (${counted(waitingDeliveries, 'pending delivery', 'pending deliveries')}).`,
    'Mail is not held: to try a copy, start it without SMTP_URL.',
    ...damagedNote(restored.manifest.files.damaged),
  ].join('\n')
}

function size(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** `backup verify` before `backup`, whose name it begins with. */
export const backupCommands: readonly Command[] = [verify, backup, restore, resume]

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
