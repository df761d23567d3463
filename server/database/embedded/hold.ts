import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedDatabaseFault } from './fault.ts'

/*
 * One process holds a data directory at a time. A pid written to a file cannot say that well: after a `kill -9`
 * it is stale, and once the pid is used again it names a stranger. The kernel can: a file lock ends with its
 * process, however that ends. Node offers no call for it, but the SQLite inside Node takes such a lock for
 * every exclusive transaction. So the lock is an empty SQLite file with a transaction that never ends. No data
 * is ever in it.
 *
 * Beside it lies a note of who holds the directory and where its server listens. The note is for reading while
 * the lock is taken; without the lock it means nothing.
 */

/** The service holds a directory for its life, a command for its moment. */
export type Purpose = 'service' | 'command'

export interface Holder {
  readonly pid: number
  readonly purpose: Purpose
  /** Where PostgreSQL listens: a socket's directory or 127.0.0.1. Absent until it does. */
  readonly host?: string
  readonly port?: number
  /** Where people reach the service that holds it. */
  readonly publicUrl?: string | undefined
}

export interface Hold {
  /** Tells who waits for the server where it listens. */
  announce(place: Pick<Required<Holder>, 'host' | 'port'> & Pick<Holder, 'publicUrl'>): void
  release(): void
}

// SQLite's own word for "somebody else has the lock".
const BUSY = 5

// A lock that is garbage collected is a lock that is gone.
const held = new Set<DatabaseSync>()

/** Takes the directory, or answers null where another process (or this one) has it. */
export function tryHold(home: string, purpose: Purpose): Hold | null {
  const lock = openLock(home)
  if (!lock) return null
  held.add(lock)
  note(home, { pid: process.pid, purpose })
  return {
    announce: (place) => note(home, { pid: process.pid, purpose, ...place }),
    release: () => {
      if (held.delete(lock)) lock.close()
    },
  }
}

/** Who holds the directory, as far as the note tells. Asked only when `tryHold` answered null. */
export async function holderOf(home: string): Promise<Holder | null> {
  // The lock is taken a moment before the note is written: until then it names the previous holder.
  for (let round = 0; round < 10; round += 1) {
    const holder = readNote(home)
    if (holder && isAlive(holder.pid)) return holder
    await sleep(20)
  }
  return null
}

function openLock(home: string): DatabaseSync | null {
  const file = join(home, 'lock')
  let lock: DatabaseSync | undefined
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(file, { timeout: 0 })
    chmodSync(file, 0o600)
    lock.exec('pragma journal_mode = off; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === BUSY) return null
    throw new EmbeddedDatabaseFault(
      `The data directory cannot be used: ${file} cannot be locked (${(error as Error).message}). Set DATA_DIR to a directory that this user can write.`,
    )
  }
}

function note(home: string, holder: Holder): void {
  const file = join(home, 'holder.json')
  writeFileSync(`${file}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function readNote(home: string): Holder | null {
  try {
    return JSON.parse(readFileSync(join(home, 'holder.json'), 'utf8')) as Holder
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
