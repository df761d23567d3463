import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedDatabaseFault } from './fault.ts'

/*
 * What an earlier run may have left on a cluster. We hold the data directory, so nobody else's server belongs
 * there: what still runs is told to end, at first politely. Three remains are known:
 *
 * - a server on its way out, or one whose supervisor was killed;
 * - its children after a `kill -9` of the server itself: they keep its memory until their statement ends, and
 *   PostgreSQL rightly refuses to start beside them;
 * - the number in postmaster.pid when it names a process that is no PostgreSQL: a zombie nobody collects, or a
 *   stranger who got the number. PostgreSQL would take it for a living server. It leaves its own grandparent
 *   out of account, so the number is handed to it under that name (`ignore`).
 */

const PATIENCE = [
  { signal: 'SIGINT', seconds: 15 },
  { signal: 'SIGQUIT', seconds: 5 },
  { signal: 'SIGKILL', seconds: 5 },
] as const

/** Ends what still runs on the cluster. Answers the pid that postmaster.pid names wrongly, if it does. */
export async function clearLeftovers(cluster: string): Promise<{ ignore: number | null }> {
  let left = serversOf(cluster)
  for (const { signal, seconds } of PATIENCE) {
    for (const pid of left) send(pid, signal)
    const until = Date.now() + seconds * 1000
    while (left.length > 0 && Date.now() < until) {
      await sleep(50)
      left = serversOf(cluster)
    }
  }
  if (left.length > 0) {
    throw new EmbeddedDatabaseFault(
      `Processes of an earlier PostgreSQL still use ${cluster} and cannot be ended: ${left.join(', ')}.`,
    )
  }
  const pid = postmasterPid(cluster)
  return { ignore: pid !== null && isThere(pid) ? pid : null }
}

/** The first line of postmaster.pid. */
export function postmasterPid(cluster: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10) || null
  } catch {
    return null
  }
}

/** Every PostgreSQL process that works in this cluster: each makes it its working directory. */
function serversOf(cluster: string): number[] {
  if (!existsSync('/proc/self/cwd')) {
    const pid = postmasterPid(cluster)
    return pid !== null && isThere(pid) && nameByPs(pid).includes('postgres') ? [pid] : []
  }
  const directory = realpathSync(cluster)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => worksIn(pid, directory))
    .map(Number)
}

function worksIn(pid: string, directory: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== directory) return false
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
  } catch {
    return false // gone, a zombie, or somebody else's
  }
}

function nameByPs(pid: number): string {
  return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone meanwhile.
  }
}
