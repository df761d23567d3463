import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/*
 * A run makes and removes files by the hundred thousand: a copy of all tables for each test file, data directories,
 * profiles of browsers. On a disk that alone is a twelfth of its processor time (ext4 looks at every inode that was
 * freed a moment ago before it gives out another). So where there is plenty of memory, they lie there.
 */

const MEMORY = '/dev/shm'
const PLENTY = 8 * 1024 ** 3
const NAME = 'plumbline-tests-'

/** Makes a folder in memory for what a run throws away, gone with this process; null where there is no room for it. */
export function temporaryFolder(): string | null {
  if (!existsSync(MEMORY)) return null
  const { bavail, bsize } = statfsSync(MEMORY)
  if (Math.min(bavail * bsize, freemem()) < PLENTY) return null
  removeLeftBehind()
  const folder = join(MEMORY, NAME + process.pid)
  mkdirSync(folder, { recursive: true })
  // As that of the machine: tests run programs as another user, too.
  chmodSync(folder, 0o1777)
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // PostgreSQL still ends in there after a run that was stopped: the next run removes it.
    }
  })
  return folder
}

/** By runs that were killed. */
function removeLeftBehind(): void {
  for (const name of readdirSync(MEMORY))
    if (name.startsWith(NAME) && !isRunning(Number(name.slice(NAME.length))))
      rmSync(join(MEMORY, name), { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
