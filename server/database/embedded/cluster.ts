import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedDatabaseFault } from './fault.ts'
import { clearLeftovers } from './leftovers.ts'
import { keepPasswords, makePasswords, type Passwords, readPasswords } from './passwords.ts'
import type { Programs } from './programs.ts'

/*
 * The files of the server, made once. Everything is made under a name of its own and renamed at the end, so that a
 * cut-short attempt leaves nothing that looks finished, and its programs, if they go on, write beside ours. Logins and
 * database are made by PostgreSQL's single-user mode, which takes SQL on standard input before any server listens: no
 * password is ever in an argument list or a file for others, and the server never runs without passwords.
 */

export const ADMINISTRATOR = 'postgres'
export const LOGIN = 'plumbline'
export const DATABASE = 'plumbline'

const UNFINISHED = 'unfinished-'

/** What PostgreSQL's programs get of our environment: nothing that could point them elsewhere. */
export const PLAIN_ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

// Code point order and Unicode case, from PostgreSQL itself: the same on every machine, and searches fold
// "Ä" as well as "A", which the plain C locale does not.
const INITDB = [
  ['--username', ADMINISTRATOR],
  ['--encoding', 'UTF8'],
  ['--locale', 'C'],
  ['--locale-provider', 'builtin'],
  ['--builtin-locale', 'C.UTF-8'],
  ['--auth', 'trust'], // for nobody: ACCESS replaces it before any server listens
]

// Written into postgresql.conf once; whoever runs the service may change them there.
const SETTINGS: Record<string, string> = {
  max_connections: '100',
  shared_buffers: '192MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

const ACCESS = `# Written when this directory was made. Every connection needs a password.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
`

/** Sees that the cluster exists, and answers its directory and passwords. */
export async function ensureCluster(
  home: string,
  account: Account,
  programs: Programs,
): Promise<{ directory: string; passwords: Passwords }> {
  const directory = join(home, 'cluster')
  const kept = readPasswords(home)
  if (existsSync(directory)) {
    account.own(directory)
    return { directory, passwords: kept ?? (await replacePasswords(home, directory, account, programs)) }
  }
  const passwords = kept ?? makePasswords()
  keepPasswords(home, passwords)

  removeUnfinished(home)
  const fresh = mkdtempSync(join(home, UNFINISHED))
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  account.own(fresh)
  await run(account, programs.initdb, ['--pgdata', fresh, ...INITDB.flat(), ...settings], '')
  writeFileSync(join(fresh, 'pg_hba.conf'), ACCESS)
  await tell(fresh, account, programs, [
    `alter role ${ADMINISTRATOR} password '${passwords.administrator}'`,
    `create role ${LOGIN} login nosuperuser nobypassrls createrole password '${passwords.login}'`,
    `create database ${DATABASE} owner ${LOGIN}`,
  ])
  renameSync(fresh, directory)
  makeDurable(home)
  return { directory, passwords }
}

// A program of an attempt that was killed may still be writing: what does not go away now goes the next time.
function removeUnfinished(home: string): void {
  for (const name of readdirSync(home).filter((name) => name.startsWith(UNFINISHED))) {
    try {
      rmSync(join(home, name), { recursive: true, force: true })
    } catch {
      // It has a name of its own and is in nobody's way.
    }
  }
}

/** A renamed folder is sure to keep its new name once the folder around it is written. */
export function makeDurable(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** The passwords were lost (a directory brought back without them): new ones, given to the same logins. */
async function replacePasswords(
  home: string,
  directory: string,
  account: Account,
  programs: Programs,
): Promise<Passwords> {
  const passwords = makePasswords()
  await clearLeftovers(directory)
  await tell(directory, account, programs, [
    `alter role ${ADMINISTRATOR} password '${passwords.administrator}'`,
    `alter role ${LOGIN} password '${passwords.login}'`,
  ])
  keepPasswords(home, passwords)
  return passwords
}

/** Runs statements without a server. Each stands on one line. */
async function tell(
  directory: string,
  account: Account,
  programs: Programs,
  statements: readonly string[],
): Promise<void> {
  const args = ['--single', '-D', directory, '-c', 'log_min_error_statement=panic', 'postgres']
  const said = await run(account, programs.postgres, args, `${statements.join('\n')}\n`)
  // This mode goes on after a failed statement and ends well.
  const failure = said.split('\n').find((line) => /\b(ERROR|FATAL|PANIC):/.test(line))
  if (failure) throw new EmbeddedDatabaseFault(`The embedded PostgreSQL could not be prepared: ${failure}`)
}

/** Runs a program to its end. Answers what it said on standard error; refuses where it failed. */
function run(account: Account, program: string, args: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const command = account.command(program, args)
    const child = spawn(command.file, command.args, {
      ...command.as,
      cwd: '/',
      env: PLAIN_ENVIRONMENT,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.stdin.on('error', () => {}) // it ended before it read: the exit code tells
    child.stdin.end(input)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(said)
      const last = said.trim().split('\n').slice(-3).join(' ')
      reject(
        new EmbeddedDatabaseFault(
          `The embedded PostgreSQL could not be prepared: ${last || (signal ?? code)}`,
        ),
      )
    })
  })
}
