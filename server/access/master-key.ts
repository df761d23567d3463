import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newMasterKey } from './keyring.ts'

/**
 * The master key of a service with the embedded database, made on its first start and kept beside the data,
 * for nobody but its user. Whoever loses the file loses every secret sealed with it: it belongs in a backup,
 * and apart from that of the database.
 *
 * @returns the ring, `id:base64` entries
 */
export function keptMasterKey(dataDir: string): string {
  const path = join(dataDir, 'master-key')
  return read(path) ?? make(dataDir, path)
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Written whole under another name and then linked, so that two first starts end up with one key. */
function make(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${newMasterKey()}\n`, { mode: 0o600, flush: true, flag: 'wx' })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}
