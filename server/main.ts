import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { keptMasterKey } from './access/master-key.ts'
import { makeSetUpLink } from './access/sign-in/set-up.ts'
import { startClock } from './clock/clock.ts'
import { type Config, ConfigInvalid, readConfig } from './config.ts'
import { EmbeddedDatabaseFault, startEmbedded } from './database/embedded.ts'
import { isAway } from './database/errors.ts'
import { DatabaseUnfit, migrate, refuseUnfit } from './database/migrate.ts'
import { openDoors } from './doors/doors.ts'
import { refuseUnreadableProxies } from './doors/http.ts'
import { type Metrics, openMetrics, serveMetrics } from './doors/metrics.ts'
import { openLog, withoutSecrets } from './log.ts'
import { buildService, type Service } from './service.ts'
import { openTerminal } from './terminal.ts'

/*
 * The start of the service, and its end.
 *
 * What cannot work is said in one line that names the cure, and the process ends with 1. A stop is asked for
 * with SIGTERM or Ctrl-C: first /readyz says no, then nothing new is taken, what is under way is finished,
 * and the database goes last. A second signal does not wait.
 */

const STOP_WITHIN = 25_000

/** One Ctrl-C may come twice: from the terminal, and from npm, which passes on what it was told itself. */
const ECHO_WITHIN = 1_000

/** In the order in which they were started; a stop goes through them backwards. */
const stops: (() => Promise<void>)[] = []
const readiness = { draining: false }
const terminal = process.stdout.isTTY ? openTerminal(process.stdout) : null
let stopping = false
let stoppingSince = 0

process.on('SIGTERM', () => void stop(0))
process.on('SIGINT', () => void stop(0))
process.on('SIGHUP', () => void stop(0))

try {
  await start()
} catch (error) {
  console.error(`plumbline: ${lineOf(error)}`)
  await stop(1)
}

async function start(): Promise<void> {
  const config = await withPort(readConfig(process.env))
  refuseUnreadableProxies(config.trustedProxies)
  const log = openLog(config.logLevel, terminal ?? undefined)
  const database = await openDatabase(config)
  if (stopping) return
  const masterKeys = config.masterKeys ?? keptMasterKey(config.dataDir)
  const service = buildService(config, database.url, masterKeys, log)
  stops.push(() => service.close())
  await service.webhooks.start()
  const clock = startClock(service)
  stops.push(() => clock.stop())
  void database.exited?.then((error) => {
    if (stopping) return
    log.fatal({ err: error }, 'the embedded database is gone for good')
    void stop(1)
  })
  const metrics = openMetrics(service, { process: true })
  await openMetricsPort(service, metrics)
  const app = await openDoors(service, readiness, metrics)
  stops.push(() => app.close())
  if (stopping) return
  await app.listen({ host: config.host, port: config.port })
  await welcome(service)
}

/** Port 0 asks for any free one; it is found first, since our own address stands in what we say and sign. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const probe = createServer().listen(0, config.host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}

/** The database to serve from, migrated and judged. */
async function openDatabase(config: Config): Promise<{ url: string; exited?: Promise<Error | null> }> {
  if (config.databaseUrl !== null) {
    await prepare(config.databaseUrl, config.databaseOwnerUrl ?? config.databaseUrl)
    return { url: config.databaseUrl }
  }
  const { url, exited, stop: end } = await startEmbedded({ dataDir: config.dataDir, log: say })
  stops.push(end)
  await prepare(url, url)
  return { url, exited }
}

async function prepare(url: string, ownerUrl: string): Promise<void> {
  const done = await migrate({ url: ownerUrl })
  if (done.length > 0) say(`Migrated the database: ${done.join(', ')}.`)
  await refuseUnfit(url)
}

async function openMetricsPort({ config, log }: Service, metrics: Metrics): Promise<void> {
  if (config.metricsPort === 0) return
  try {
    const server: Server = await serveMetrics(metrics, config.host, config.metricsPort)
    stops.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
  } catch (error) {
    if (config.metricsPortGiven || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    log.warn(
      { port: config.metricsPort },
      'the metrics port is taken: no metrics; set METRICS_PORT to another',
    )
  }
}

async function welcome(service: Service): Promise<void> {
  const { publicUrl, role } = service.config
  say(`Plumbline listens on ${publicUrl}`)
  if (role === 'worker') return
  say(`The calls it takes are described at ${publicUrl}/docs`)
  // It listens already: a database that goes away just now is not worth the end of the service.
  const link = await makeSetUpLink(service).catch(() => null)
  if (link === null) return
  say('There is no organization yet. Make the first one in your browser; this link works once, for a day:')
  say(`  ${link}`)
}

/** To a person at a terminal as it is; elsewhere as a line of the log. */
function say(line: string): void {
  if (terminal) terminal.say(line)
  else openLog('info').info(line.trim())
}

async function stop(code: number): Promise<void> {
  if (stopping) {
    if (performance.now() - stoppingSince > ECHO_WITHIN) process.exit(code || 1)
    return
  }
  stopping = true
  stoppingSince = performance.now()
  readiness.draining = true
  process.exitCode = code
  setTimeout(() => process.exit(1), STOP_WITHIN).unref()
  for (const one of stops.reverse())
    await one().catch((error) => console.error(`plumbline: ${lineOf(error)}`))
  process.exit()
}

/** What stopped us, in one line; where it is a fault of ours, with the place it came from. */
function lineOf(error: unknown): string {
  const { code, message, stack, port, address } = error as NodeJS.ErrnoException & {
    port?: number
    address?: string
  }
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is taken: stop what listens there, or set PORT to another.`
  if (code === 'EACCES' && port)
    return `Port ${port} may not be opened by this user: set PORT to one above 1023.`
  const isExpected =
    error instanceof ConfigInvalid || error instanceof DatabaseUnfit || error instanceof EmbeddedDatabaseFault
  if (isExpected || message.startsWith('MASTER_KEY') || message.startsWith('A MASTER_KEY')) return message
  if (isAway(error) || code === 'ENOTFOUND' || /^(28|3D)/.test(code ?? ''))
    return `The database cannot be reached (${withoutSecrets(message || (code ?? ''))}): check DATABASE_URL and that it runs.`
  return withoutSecrets(stack ?? message)
}
