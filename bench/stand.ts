import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../server/config.ts'
import { type EmbeddedDatabase, startEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import type { AnyJobKind } from '../server/jobs/job-kind.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { buildService, type Service } from '../server/service.ts'
import { type Child, startChild } from './child.ts'
import { freePort, readiness } from './http.ts'
import { type Identity, makeIdentity } from './identity.ts'
import { parentOf, processorTimeOfFamily } from './processor-time.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/**
 * What rows are measured on: a PostgreSQL of its own in a directory that is thrown away, databases on it, the
 * service and the receiver as processes of their own. Whatever was started ends with the stand.
 */
export interface Stand {
  readonly directory: string
  readonly rounds: number
  readonly masterKey: string
  readonly identity: Identity
  /** A migrated database that nothing else uses. */
  database(): Promise<StandDatabase>
  /** Starts the service as operators do and waits until it is ready. */
  service(database: StandDatabase, environment?: Record<string, string>): Promise<RunningService>
  /** The service built in this process, for its parts: it listens nowhere and sends nothing. */
  parts(database: StandDatabase, furtherJobKinds?: readonly AnyJobKind[]): Service
  receiver(): Promise<Receiver>
  /** Of PostgreSQL, all of its processes, so far; ms. */
  postgresTime(): number
  /** Ends with the stand. */
  atEnd(stop: () => Promise<void> | void): void
  say(line: string): void
}

export interface StandDatabase {
  /** The service's login. */
  readonly url: string
  /** A superuser's connection, to fill tables with and to look past every rule. */
  readonly administrator: pg.Client
  readonly administratorUrl: string
}

export interface RunningService extends Child {
  readonly port: number
}

export interface StandOptions {
  readonly rounds: number
  /** Where the service leaves a CPU profile when it stops; null for none. */
  readonly profileDirectory: string | null
  readonly say: (line: string) => void
}

/** What the rows change nothing about: limits that a load would run into, and what is asked of the machine. */
const SETTINGS = {
  METRICS_PORT: '0',
  RATE_LIMIT: '999999999/10m',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
}

/** As bin/run starts it. */
const NODE_OPTIONS = readFileSync(join(import.meta.dirname, '../bin/node-options'), 'utf8')
  .trim()
  .split(/\s+/)

const stops: (() => Promise<void> | void)[] = []
let opening: Promise<unknown> = Promise.resolve()

/** Ends everything that was started, the last first. May be called at any time, more than once. */
export async function clear(): Promise<void> {
  // What is just being started can only be ended once it stands.
  await opening.catch(() => {})
  for (let stop = stops.pop(); stop; stop = stops.pop())
    try {
      await stop()
    } catch (error) {
      console.error(`bench: ${(error as Error).message}`)
    }
}

export function openStand(options: StandOptions): Promise<Stand> {
  const stand = open(options)
  opening = stand
  return stand
}

async function open({ rounds, profileDirectory, say }: StandOptions): Promise<Stand> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  stops.push(() => rmSync(directory, { recursive: true, force: true }))
  const identity = await makeIdentity(directory)
  const server = await startEmbedded({ dataDir: directory, log: say })
  stops.push(() => server.stop())
  await migrate({ url: server.url })
  const postmaster = await postmasterOf(server)
  const masterKey = newMasterKey()
  const settings = { ...SETTINGS, MASTER_KEY: masterKey, WEBHOOK_CA_FILE: identity.authorityFile }
  return {
    directory,
    rounds,
    masterKey,
    identity,
    database: () => copyDatabase(server),
    service: async ({ url }, environment = {}) => {
      const port = await freePort()
      const child = startChild('server/main.ts', {
        log: join(directory, `service-${port}.log`),
        nodeOptions: [
          ...NODE_OPTIONS,
          ...(profileDirectory ? ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`] : []),
        ],
        environment: { ...settings, DATABASE_URL: url, PORT: String(port), ...environment },
      })
      stops.push(child.stop)
      await readiness(port, child)
      return { ...child, port }
    },
    parts: ({ url }, furtherJobKinds = []) => {
      const config = readConfig({ ...settings, LOG_LEVEL: 'silent' })
      const service = buildService(config, url, masterKey, undefined, furtherJobKinds)
      let closing: Promise<void> | null = null
      const close = () => (closing ??= service.close())
      stops.push(close)
      return { ...service, close }
    },
    receiver: async () => {
      const receiver = await startReceiver(identity, join(directory, 'receiver.log'))
      stops.push(receiver.stop)
      return receiver
    },
    postgresTime: () => processorTimeOfFamily(postmaster),
    atEnd: (stop) => stops.push(stop),
    say,
  }
}

async function copyDatabase(server: EmbeddedDatabase): Promise<StandDatabase> {
  const name = `bench_${randomBytes(4).toString('hex')}`
  const maintenance = new pg.Client({ connectionString: named(server.administratorUrl, 'postgres') })
  await maintenance.connect()
  await maintenance.query(`create database ${name} template plumbline owner plumbline`)
  await maintenance.end()
  const administratorUrl = named(server.administratorUrl, name)
  const administrator = new pg.Client({ connectionString: administratorUrl })
  // Whoever waits on it is told by their statement; without a listener the end of the server would hide why.
  administrator.on('error', () => {})
  await administrator.connect()
  stops.push(() => administrator.end())
  return { url: named(server.url, name), administrator, administratorUrl }
}

/** The first process of PostgreSQL: the parent of the one that serves a connection. */
async function postmasterOf(server: EmbeddedDatabase): Promise<number> {
  const client = new pg.Client({ connectionString: named(server.administratorUrl, 'postgres') })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const pid = parentOf(rows[0].pid)
  await client.end()
  return pid
}

const named = (url: string, database: string): string =>
  url.replace(/^([^/]+\/\/[^/]*)\/[^?]*/, `$1/${database}`)
