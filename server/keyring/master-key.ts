import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Keyring, MasterKeyRefused, newMasterKey, openKeyring } from './keyring.ts'

/** The master keys of a process, before they are held against its database (master-key-proof.ts). */
export interface MasterKeys {
  /** The ring, `id:base64` entries. */
  readonly entries: string
  readonly keyring: Keyring
  /** Where they come from, for whoever has to mend them: a setting, or a file. */
  readonly source: string
}

/** Where the key of an embedded database is kept, and expected. */
export const masterKeyFile = (dataDir: string): string => join(dataDir, 'master-key')

/**
 * The keys that the settings give, or that were made beside the embedded database.
 * @returns null where neither has any: then one may be made, if nothing needs an earlier one
 * @throws {MasterKeyRefused} where they are of no use as they stand
 */
export function givenMasterKeys(config: Config): MasterKeys | null {
  const path = masterKeyFile(config.dataDir)
  const entries = config.masterKeys ?? read(path)
  if (entries === null) return null
  const source = config.masterKeysFrom ?? path
  return { entries, source, keyring: openKeyring(entries, source) }
}

/**
 * Makes the master key of a service with the embedded database and keeps it beside the data, for nobody but its
 * user. Whoever loses the file loses every secret sealed with it: it belongs in a backup, and apart from that of
 * the database. Of two that make one at once, both get the same.
 */
export function makeMasterKey(dataDir: string): MasterKeys {
  const path = masterKeyFile(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // Written whole under another name and then linked, so that nobody reads half a key.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${newMasterKey()}\n`, { mode: 0o600, flush: true, flag: 'wx' })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  const entries = read(path)!
  return { entries, source: path, keyring: openKeyring(entries, path) }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new MasterKeyRefused(
      `The master key ${path} cannot be read (${code}): let the user of this service read it.`,
    )
  }
}
