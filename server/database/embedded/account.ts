import { spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedDatabaseFault } from './fault.ts'
import type { Programs } from './programs.ts'

/*
 * PostgreSQL refuses to run as root. An ordinary user runs it as themselves; root has two ways:
 *
 * - a user namespace in which root wears another name. For the file system it stays root, so everything may lie
 *   under a home that others cannot read, and the files stay root's. Containers often forbid it.
 * - a plain change of user. The programs and the data directory must then be within that user's reach.
 *
 * Files that belong to an ordinary user already (who ran this without root) keep that user, so that they can go
 * on without root. No way is trusted before it has been walked: each one has to write a file where the data
 * will be and run the program.
 */

export interface Account {
  /** How to run a program: what to spawn, and as whom. */
  command(program: string, args: readonly string[]): Command
  /** Gives a file or folder, and everything in it, to who runs PostgreSQL. */
  own(path: string): void
}

export interface Command {
  readonly file: string
  readonly args: string[]
  readonly as: { uid?: number; gid?: number }
}

interface User {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Who runs PostgreSQL here. `home` is our folder in the data directory. Refuses where root has no way. */
export function chooseAccount(home: string, programs: Programs): Account {
  if (process.getuid?.() !== 0) return asOurselves
  const ways = waysOfRoot(home)
  const way = ways.find((account) => isWalkable(account, home, programs))
  if (way) return way
  throw new EmbeddedDatabaseFault(
    'PostgreSQL does not run as root, and no other user can run it from here. Start Plumbline as an ordinary user, or set DATABASE_URL to use a PostgreSQL of yours.',
  )
}

const asOurselves: Account = {
  command: (file, args) => ({ file, args: [...args], as: {} }),
  own: () => {},
}

function waysOfRoot(home: string): Account[] {
  const users = knownUsers()
  const owner = users.find((user) => user.uid === ownerOf(join(home, 'cluster')) && user.uid !== 0)
  const nobody = users.find((user) => user.name === 'nobody')
  const named = ['plumbline', 'postgres', 'nobody'].flatMap(
    (name) => users.find((user) => user.name === name && user.uid !== 0) ?? [],
  )
  return [
    ...(owner ? [asUser(owner, home)] : []),
    ...(nobody && process.platform === 'linux' ? [inNamespace(nobody)] : []),
    ...named.map((user) => asUser(user, home)),
  ]
}

function inNamespace({ uid, gid }: User): Account {
  const unshare = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  return {
    command: (file, args) => ({ file: 'unshare', args: [...unshare, file, ...args], as: {} }),
    own: (path) => giveTo(path, 0, 0),
  }
}

function asUser({ uid, gid }: User, home: string): Account {
  return {
    command: (file, args) => ({ file, args: [...args], as: { uid, gid } }),
    own: (path) => {
      // That user may pass through our folder; what lies in it keeps its own mode. The folders above are not ours.
      chmodSync(home, lstatSync(home).mode | 0o011)
      giveTo(path, uid, gid)
    },
  }
}

function isWalkable(account: Account, home: string, programs: Programs): boolean {
  const place = join(home, 'trial')
  mkdirSync(place, { recursive: true, mode: 0o700 })
  account.own(place)
  const trial = `[ "$(id -u)" != 0 ] && id -un && : > "$1/written" && rm "$1/written" && "$2" --version`
  const { file, args, as } = account.command('/bin/sh', ['-c', trial, 'sh', place, programs.postgres])
  const walked = spawnSync(file, args, { ...as, cwd: '/', stdio: 'ignore' }).status === 0
  rmSync(place, { recursive: true, force: true })
  return walked
}

function giveTo(path: string, uid: number, gid: number): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  // An earlier PostgreSQL may still be ending, and takes its files away meanwhile.
  if (!there) return
  if (there.uid !== uid || there.gid !== gid) lchownSync(path, uid, gid)
  if (!there.isDirectory()) return
  // A folder that belongs to them and whose files do not: each is looked at, since a change may have been cut short.
  for (const name of readdirSync(path)) giveTo(join(path, name), uid, gid)
}

function ownerOf(path: string): number | null {
  try {
    return lstatSync(path).uid
  } catch {
    return null
  }
}

function knownUsers(): User[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
