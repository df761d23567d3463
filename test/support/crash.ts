import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newKeySecret, prefixOf } from '../../server/caller/api-key-secret.ts'
import { startEmbedded } from '../../server/database/embedded.ts'
import { newId } from '../../server/database/ids.ts'
import { migrate } from '../../server/database/migrate.ts'
import { newMasterKey, openKeyring } from '../../server/keyring/keyring.ts'
import { freePort } from './free-port.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/**
 * The service as it runs in production, several processes on one PostgreSQL, to be killed: and beside it what
 * no kill reaches, a ledger of what was asked and answered, and a receiver that remembers every request.
 */
export interface Stage {
  readonly receiver: Receiver
  /** The address of the process that answers calls. */
  readonly base: string
  /** Sends a call with the key of the organization. */
  post(path: string, body: object): Promise<Response>
  readonly ledger: Entry[]
  /** Asks for `count` changes from `clients` clients at once; each goes into the ledger, answered or not. */
  load(count: number, clients: number): Promise<void>
  /** Kills it in the middle of whatever it does, and starts it again. */
  kill(which: 'api' | 'worker' | 'database'): Promise<void>
  /** Waits until everything committed has been delivered, past every lease. */
  drain(): Promise<void>
  /** Starts it again in the middle of whatever it does, with more in its environment. */
  restart(which: 'api' | 'worker', environment: Record<string, string>): Promise<void>
  /** What both processes have written to their log. */
  readonly log: LogLine[]
  /** By how much the clock of the database has been moved, in ms. */
  readonly movedMs: number
  /** Looks past every rule. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** One change asked for: its external id, and the status of the answer where one came. */
export interface Entry {
  readonly externalId: string
  readonly status: number | null
}

export interface LogLine {
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

export interface StageOptions {
  /** Instead of the embedded database; `migrate` has not run there. */
  readonly database?: { readonly url: string; administratorUrl(): string }
  readonly environment?: Readonly<Record<string, string>>
  /** Of the receiver, for its certificate and the addresses of the endpoints. */
  readonly receiverName?: string
}

/** Endpoints that subscribe to what the ledger asks for. */
export const ENDPOINTS = 3

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-crash-'))
  const embedded = options.database ? null : await startEmbedded({ dataDir })
  const url = options.database?.url ?? embedded!.url
  await migrate({ url })
  const { receiverName = '127.0.0.1' } = options
  const receiver = await startReceiver({ names: [receiverName] })
  const authorityFile = join(dataDir, 'authority.pem')
  writeFileSync(authorityFile, receiver.ca)
  const masterKey = newMasterKey()
  const administratorUrl = () =>
    options.database?.administratorUrl() ?? embedded!.administratorUrl.replace(/\/postgres\?/, '/plumbline?')
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: administratorUrl() })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
  const secret = await seed(query, openKeyring(masterKey))
  const port = await freePort()
  const environment = {
    ...process.env,
    DATABASE_URL: url,
    MASTER_KEY: masterKey,
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    RATE_LIMIT: '10000000/10m',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
    ...options.environment,
  }
  const log: LogLine[] = []
  const processes = {
    api: await startProcess({ ...environment, ROLE: 'api', PORT: String(port) }, log),
    worker: await startProcess({ ...environment, ROLE: 'worker', PORT: String(await freePort()) }, log),
  }
  await register(port, secret, receiver.url.replace('127.0.0.1', receiverName))
  const restart: Stage['restart'] = async (which, more) => {
    await processes[which].kill()
    processes[which] = await startProcess({ ...processes[which].environment, ...more }, log)
  }
  let movedMs = 0
  const ledger: Entry[] = []
  return {
    receiver,
    base: `http://127.0.0.1:${port}`,
    post: (path, body) => post(port, secret, path, body),
    ledger,
    query,
    log,
    restart,
    get movedMs() {
      return movedMs
    },
    load: async (count, clients) => {
      let next = ledger.length
      const last = next + count
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (next < last) {
            const externalId = `change-${next++}`
            ledger.push({ externalId, status: await ask(port, secret, externalId) })
          }
        }),
      )
    },
    kill: async (which) => {
      if (which === 'database') return killDatabase(dataDir, query)
      await restart(which, {})
    },
    drain: () =>
      drain(query, async () => {
        movedMs += 20_000
        await query(`create or replace function clock_now() returns timestamptz language sql volatile parallel safe
          return date_trunc('milliseconds', clock_timestamp() + interval '${movedMs} milliseconds')`)
      }),
    close: async () => {
      await Promise.all([processes.api.kill(), processes.worker.kill()])
      await embedded?.stop()
      await receiver.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Ask = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

/** An organization, its admin, and a key of theirs: put there by hand, since only what follows is on trial. */
async function seed(query: Ask, keyring: ReturnType<typeof openKeyring>): Promise<string> {
  const [organization, user, account] = [newId('org'), newId('usr'), newId('acc')]
  const [key, secret] = [newId('key'), newKeySecret()]
  const now = 'clock_now(), clock_now()'
  await query(`insert into organizations (id, name, created_at, updated_at) values ($1, 'Crash', ${now})`, [
    organization,
  ])
  await query("insert into users (id, email, created_at) values ($1, 'ada@example.com', clock_now())", [
    account,
  ])
  await query(
    `insert into members (organization_id, user_id, account_id, name, role, created_at, updated_at) values ($1, $2, $3, 'Ada', 'admin', ${now})`,
    [organization, user, account],
  )
  await query(
    `insert into api_keys (organization_id, id, name, prefix, secret_hash, scopes, created_by, created_at)
     values ($1, $2, 'load', $3, $4, '{write:risks,write:webhooks}', $5, clock_now())`,
    [organization, key, prefixOf(secret), keyring.hash(secret), user],
  )
  await query('insert into api_key_usage (organization_id, key_id) values ($1, $2)', [organization, key])
  return secret
}

async function register(port: number, secret: string, url: string): Promise<void> {
  for (let nth = 0; nth < ENDPOINTS; nth++) {
    const body = { address: `${url}/endpoint-${nth}`, signalTypes: ['risk.created'] }
    const answer = await post(port, secret, '/v1/webhook-endpoints', body)
    if (answer.status !== 201) throw new Error(`registering: ${answer.status} ${await answer.text()}`)
  }
}

const post = (port: number, secret: string, path: string, body: object) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })

async function ask(port: number, secret: string, externalId: string): Promise<number | null> {
  try {
    const answer = await post(port, secret, '/v1/risks', { title: `Risk ${externalId} – ✓ 𝄞`, externalId })
    await answer.arrayBuffer()
    if (answer.status >= 500) await sleep(50)
    return answer.status
  } catch {
    await sleep(50)
    return null
  }
}

interface Running {
  readonly environment: NodeJS.ProcessEnv
  kill(): Promise<void>
}

async function startProcess(environment: NodeJS.ProcessEnv, log: LogLine[]): Promise<Running> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  createInterface({ input: child.stdout }).on('line', (line) => log.push(JSON.parse(line)))
  await isReady(child, `http://127.0.0.1:${environment.PORT}/healthz`)
  return {
    environment,
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function isReady(child: ChildProcess, url: string): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await sleep(25)
  }
  throw new Error(`the process ended with ${child.exitCode}`)
}

/** The postmaster, with no chance to say goodbye; whoever embeds it starts it again. */
async function killDatabase(dataDir: string, query: Ask): Promise<void> {
  const files = join(dataDir, 'postgres')
  process.kill(postmasterOf(files), 'SIGKILL')
  await sleep(100)
  await answers(query)
}

function postmasterOf(directory: string): number {
  return Number(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
}

async function answers(query: Ask): Promise<void> {
  for (;;) {
    const up = await query('select 1').catch(() => null)
    if (up) return
    await sleep(50)
  }
}

/** Time is moved past every lease until nothing waits any more. */
async function drain(query: Ask, move: () => Promise<void>): Promise<void> {
  for (;;) {
    const [row] = await query<{ waiting: string }>(
      "select count(*) as waiting from deliveries where status in ('pending', 'waiting_for_retry')",
    )
    if (Number(row?.waiting) === 0) return
    await sleep(300)
    await move()
  }
}
