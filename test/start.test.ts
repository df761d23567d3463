import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newMasterKey, openKeyring } from '../server/keyring/keyring.ts'
import { freshDatabase } from './support/database.ts'
import { freePort } from './support/free-port.ts'
import { asAdministrator } from './support/postgres.ts'

/* The program as an operator meets it: what it says, when it serves, and how it ends. */

const MAIN = fileURLToPath(new URL('../server/main.ts', import.meta.url))
const masterKey = newMasterKey()

interface Program {
  readonly child: ChildProcess
  readonly out: string[]
  readonly err: string[]
  readonly ended: Promise<number | null>
  /** Where it listens, once it says so. */
  base(): Promise<string>
}

function run(environment: Record<string, string>): Program {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', METRICS_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err]: [string[], string[]] = [[], []]
  createInterface({ input: child.stdout! }).on('line', (line) => out.push(line))
  createInterface({ input: child.stderr! }).on('line', (line) => err.push(line))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const said = () => out.map((line) => JSON.parse(line).msg as string)
  const base = async () => {
    await expect.poll(said).toContainEqual(expect.stringMatching(/^Plumbline listens on /))
    return said()
      .find((line) => line.startsWith('Plumbline listens on '))!
      .slice('Plumbline listens on '.length)
  }
  return { child, out, err, ended, base }
}

async function onDatabase() {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  return { DATABASE_URL: database.url, MASTER_KEY: masterKey, database }
}

// Each setting with its line is in configuration.test.ts.
describe('what cannot work is one line and exit code 1', () => {
  test.each([
    [{ PORT: 'many' }, 'PORT=many is not valid'],
    [
      { DATABASE_URL: 'postgresql://plumbline:hidden@127.0.0.1:1/none', MASTER_KEY: masterKey },
      'The database cannot be reached',
    ],
  ])('%o', async (environment, line) => {
    const { ended, err } = run(environment)
    expect(await ended).toBe(1)
    expect(err).toHaveLength(1)
    expect(lineOf(err[0]!)).toMatchObject({ level: 'fatal', msg: expect.stringContaining(line) })
    expect(err[0]).not.toContain('hidden')
  })

  test('a master key that is none', async () => {
    const { database: _, ...environment } = await onDatabase()
    const { ended, err } = run({ ...environment, MASTER_KEY: 'k1:short' })
    expect([await ended, err.length]).toEqual([1, 1])
    expect(err[0]).toContain('An entry of MASTER_KEY is not valid')
    expect(err[0]).not.toContain('short')
  })

  test('the master key of another database, whatever the role', async () => {
    const { database, ...environment } = await onDatabase()
    const id = masterKey.slice(0, masterKey.indexOf(':'))
    await asAdministrator(database.administratorUrl, (client) =>
      client.query('insert into master_key_proofs values ($1, $2, now())', [
        id,
        openKeyring(newMasterKey()).proof(),
      ]),
    )
    const ends = ['all', 'worker'].map(async (ROLE) => {
      const { ended, err, out } = run({ ...environment, ROLE })
      return { code: await ended, err, out }
    })
    const line = expect.stringContaining(`"msg":"MASTER_KEY has another key by the id ${id}`)
    expect(await Promise.all(ends)).toEqual([1, 2].map(() => ({ code: 1, err: [line], out: [] })))
  })

  test('a port that is taken', async () => {
    const taken = await listening()
    // Nothing is where the database would be: the port is asked for first.
    const nowhere = 'postgresql://plumbline@127.0.0.1:1/none'
    const ends = ['PORT', 'METRICS_PORT'].map(async (name) => {
      const { ended, err } = run({ DATABASE_URL: nowhere, MASTER_KEY: masterKey, [name]: String(taken) })
      return [await ended, err.map((line) => lineOf(line).msg)]
    })
    const line = (name: string) =>
      expect.stringMatching(`^Port ${taken} on 127.0.0.1 is taken: .* or set ${name} to another`)
    expect(await Promise.all(ends)).toEqual(['PORT', 'METRICS_PORT'].map((name) => [1, [line(name)]]))
  })

  test('a schema of a later version', async () => {
    const { database, ...environment } = await onDatabase()
    await asAdministrator(database.administratorUrl, (client) =>
      client.query("insert into migrations values ('9999-later.sql', now())"),
    )
    const { ended, err } = run(environment)
    expect([await ended, err]).toEqual([
      1,
      [expect.stringContaining('migrated by a newer Plumbline (9999-later.sql)')],
    ])
  })
})

describe('on a database of its own', () => {
  test('it says where it listens and what to do first, and ends clean', async () => {
    const { database, ...environment } = await onDatabase()
    const program = run(environment)
    const base = await program.base()
    expect((await fetch(`${base}/readyz`)).status).toBe(200)
    await expect
      .poll(() => program.out.map((line) => lineOf(line).msg))
      .toContainEqual(
        expect.stringMatching(
          /^There is no organization yet.* http:\/\/localhost:\d+\/set-up#token=[\w-]{43}$/,
        ),
      )
    program.child.kill('SIGINT')
    expect([await program.ended, program.err]).toEqual([0, []])

    await asAdministrator(database.administratorUrl, (client) =>
      client.query(
        "insert into organizations (id, name, created_at, updated_at) values ('org_x', 'X', now(), now())",
      ),
    )
    const again = run(environment)
    await again.base()
    again.child.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    expect(again.out.join('\n')).not.toContain('set-up')
  })

  test('a stop answers what is under way, and takes nothing new', async () => {
    const { database: _, ...environment } = await onDatabase()
    const program = run(environment)
    const base = new URL(await program.base())
    // A library answers the one, the service the other.
    const forms = await underWay(base, 'application/x-www-form-urlencoded')
    const slow = await underWay(base, 'application/json')
    expect((await fetch(`${base}healthz`)).status).toBe(200)
    program.child.kill('SIGTERM')
    await expect
      .poll(() =>
        fetch(`${base}healthz`).then(
          () => 'taken',
          () => 'refused',
        ),
      )
      .toBe('refused')
    const answer = read(slow)
    slow.write('{,')
    const form = read(forms)
    forms.write('a=')
    expect(await form).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(await answer).toMatch(
      /^HTTP\/1\.1 400 Bad Request[\s\S]*connection: close[\s\S]*"invalid_request"/i,
    )
    expect([await program.ended, program.err]).toEqual([0, []])
  })

  test('a second signal does not wait', async () => {
    const { database: _, ...environment } = await onDatabase()
    const program = run(environment)
    const base = new URL(await program.base())
    await underWay(base)
    const since = performance.now()
    // What follows within a second is an echo of the first, as npm makes one of every Ctrl-C.
    const signalling = setInterval(() => program.child.kill('SIGTERM'), 20)
    void program.ended.then(() => clearInterval(signalling))
    expect([await program.ended, program.err]).toEqual([1, []])
    expect(performance.now() - since).toBeGreaterThan(1_000)
  })

  test('a worker has its health, and no calls', async () => {
    const { database: _, ...environment } = await onDatabase()
    const program = run({ ...environment, ROLE: 'worker' })
    const base = await program.base()
    expect((await fetch(`${base}/readyz`)).status).toBe(200)
    expect((await fetch(`${base}/v1/risks`)).status).toBe(404)
  })

  test('metrics have a port of their own, and a taken one that nobody asked for is a warning', async () => {
    const { database: _, ...environment } = await onDatabase()
    const port = await freePort()
    // Calls are taken from everywhere, metrics given on loopback alone.
    const program = run({ ...environment, HOST: '0.0.0.0', METRICS_PORT: String(port) })
    const base = await program.base()
    await fetch(`${base}/v1/risks`)
    const elsewhere = createServer().listen(port, '127.0.0.2')
    await once(elsewhere, 'listening')
    elsewhere.close()
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(text).toContain(
      'plumbline_http_requests_total{route="/v1/risks",method="GET",operation="listRisks",status="401"} 1',
    )
    expect(text).toContain('plumbline_credentials_refused_total{code="credential_missing"} 1')
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect(text).toContain('plumbline_webhook_attempts_total{outcome="success"} 0')
    expectConventional(text)
    const second = run({ ...environment, METRICS_PORT: String(port) })
    expect([await second.ended, second.err.length]).toEqual([1, 1])
  })

  test('the database going away is a 503, and coming back mends it', async () => {
    const { database, ...environment } = await onDatabase()
    const program = run(environment)
    const base = await program.base()
    const name = new URL(database.url.replace('@/', '@x/')).pathname.slice(1)
    const elsewhere = database.administratorUrl.replace(name, 'postgres')
    await asAdministrator(elsewhere, async (client) => {
      await client.query(`alter database ${name} allow_connections false`)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    })
    await expect.poll(async () => (await fetch(`${base}/readyz`)).status).toBe(503)
    expect((await fetch(`${base}/healthz`)).status).toBe(200)
    await asAdministrator(elsewhere, (client) =>
      client.query(`alter database ${name} allow_connections true`),
    )
    await expect.poll(async () => (await fetch(`${base}/readyz`)).status).toBe(200)
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  })
})

test('with nothing given it brings its own database and makes its master key, for nobody else to read', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-start-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const first = run({ DATA_DIR: dataDir })
  expect((await fetch(`${await first.base()}/readyz`)).status).toBe(200)
  first.child.kill('SIGINT')
  expect([await first.ended, first.err]).toEqual([0, []])
  const path = join(dataDir, 'master-key')
  const key = await readFile(path, 'utf8')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(first.out.join('')).not.toContain(key.trim())
  const second = run({ DATA_DIR: dataDir })
  await second.base()
  expect(await readFile(path, 'utf8')).toBe(key)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
})

/** The rules of `promtool check metrics`, but for a name of ours, and that a name is of us or of the process. */
function expectConventional(text: string): void {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  expect(types.length).toBeGreaterThan(30)
  for (const [, name, type] of types) {
    expect(name).toMatch(/^(plumbline|process|nodejs)_[a-z0-9_]*[a-z0-9]$/)
    expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'))
    expect([name, name!.endsWith('_total')]).toEqual([name, type === 'counter'])
    expect(name).not.toMatch(
      /_(count|sum|bucket|ms|milliseconds|minutes|kb|mb)(_|$)|_(counter|gauge|histogram)(_|$)/,
    )
  }
}

const lineOf = (json: string): Record<string, unknown> => JSON.parse(json)

async function listening(): Promise<number> {
  const server: Server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A request whose body is still to come, of two bytes; the service has read its head, and says so. */
async function underWay(base: URL, type = 'application/json'): Promise<Socket> {
  const socket = connect(Number(base.port), base.hostname)
  socket.on('error', () => {})
  socket.write(
    `POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n` +
      'Content-Length: 2\r\nExpect: 100-continue\r\n\r\n',
  )
  const [said] = await once(socket, 'data')
  expect(String(said)).toMatch(/^HTTP\/1\.1 100 /)
  return socket.pause()
}

async function read(socket: Socket): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of socket) chunks.push(String(chunk))
  return chunks.join('')
}
