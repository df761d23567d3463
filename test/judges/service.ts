import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '../../model/scopes.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

/** The service as an operator starts it, with a database that is thrown away, and a key that may do everything. */
export interface JudgedService {
  readonly base: string
  readonly metrics: string
  readonly key: string
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '../..')

export async function startService(): Promise<JudgedService> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-judged-'))
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    DATA_DIR: directory,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    RATE_LIMIT: '100000000/10m',
    LOG_LEVEL: 'warn',
    // No call leaves the machine: endpoints are only ever on loopback (schemathesis-hooks.py).
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(join(directory, 'service.log'))
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  const base = `http://127.0.0.1:${port}`
  const stop = async () => {
    await ended(child)
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await ready(base, child)
    const plumbline = (...words: string[]) => run(env, words)
    const admin = ['--admin-email', 'ada@example.com', '--admin-password', 'correct horse battery']
    plumbline('organization', 'create', '--name', 'Judged Ltd', ...admin)
    const { secret } = plumbline(
      ...['key', 'create', '--organization', 'Judged Ltd', '--as', 'ada@example.com', '--name', 'judges'],
      ...['--scopes', Object.keys(SCOPES).join(',')],
    )
    return { base, metrics: `http://127.0.0.1:${metricsPort}/metrics`, key: secret as string, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function run(env: NodeJS.ProcessEnv, words: readonly string[]): Record<string, unknown> {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['client/command-line.ts', ...words, '--json'],
    {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${words.slice(0, 2).join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

async function ready(base: string, child: ChildProcess): Promise<void> {
  await until(async () => {
    if (child.exitCode !== null) throw new Error('the service did not start')
    const answer = await fetch(`${base}/v1/openapi.json`).catch(() => null)
    await answer?.body?.cancel()
    return answer?.ok
  }, 'the service')
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await end
}
