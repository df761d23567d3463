import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { startEmbedded } from '../../server/database/embedded.ts'
import { until } from './until.ts'

export interface HolderProcess {
  readonly child: ChildProcess
  readonly pid: number
  readonly url: string
  readonly administratorUrl: string
  /** The line it refused with, or null. */
  readonly refused: string | null
  /** What it has logged so far. */
  readonly log: readonly string[]
  /** Ends it with a signal and waits until it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

interface HolderOptions {
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
}

/** Runs a process that starts or joins the embedded server of a directory, and waits for what it says first. */
export async function runHolder(
  as: 'start' | 'join',
  dataDir: string,
  { args = [], env, uid, gid }: HolderOptions = {},
): Promise<HolderProcess> {
  const program = fileURLToPath(new URL('embedded-holder.ts', import.meta.url))
  const child = spawn(process.execPath, [program, as, dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  const log: string[] = []
  const first = await new Promise<{ ready?: { url: string; administratorUrl: string }; refused?: string }>(
    (resolve) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        const said = JSON.parse(line)
        if (said.log === undefined) resolve(said)
        else log.push(said.log)
      })
      void gone.then(() => resolve({ refused: 'it ended without a word' }))
    },
  )
  return {
    child,
    pid: child.pid!,
    url: first.ready?.url ?? '',
    administratorUrl: first.ready?.administratorUrl ?? '',
    refused: first.refused ?? null,
    log,
    end: async (signal) => {
      child.kill(signal)
      await gone
    },
  }
}

/** A data directory for one test; its name has a space in it. Removed once no server uses it. */
export async function dataDirectory(parent = tmpdir()): Promise<string> {
  const dataDir = await realpath(await mkdtemp(join(parent, 'plumbline data ')))
  onTestFinished(async () => {
    await until(() => serversOf(dataDir).length === 0)
    await rm(dataDir, { recursive: true, force: true })
  })
  return dataDir
}

/** The same, with a server in it that has run before: for tests that are not about the first start. */
export async function usedDirectory(): Promise<string> {
  used ??= makeUsed()
  const dataDir = await dataDirectory()
  await cp(await used, dataDir, { recursive: true })
  await chmod(join(dataDir, 'postgres'), 0o700)
  return dataDir
}

let used: Promise<string> | null = null

async function makeUsed(): Promise<string> {
  const dataDir = await mkdtemp(join(inject('scratch'), 'used-'))
  await (await startEmbedded({ dataDir })).stop()
  await rm(join(dataDir, 'postgres/holder.json'))
  return dataDir
}

/** The PostgreSQL processes that work in a data directory. */
export function serversOf(dataDir: string): number[] {
  const cluster = join(dataDir, 'postgres', 'cluster')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cluster
      } catch {
        return false
      }
    })
    .map(Number)
}

/** PostgreSQL's first process there, by its own file. */
export function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the server may be killed under it
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
