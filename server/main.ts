import type { Server } from 'node:http'
import { startClock } from './clock/clock.ts'
import { type Config, ConfigInvalid, readConfig } from './config.ts'
import { EmbeddedDatabaseFault, startEmbedded } from './database/embedded.ts'
import { DatabaseUnreachable, isUnreachable } from './database/errors.ts'
import { DatabaseUnfit } from './database/unfit.ts'
import { openDoors } from './doors/doors.ts'
import { type Metrics, openMetrics, serveMetrics } from './doors/metrics.ts'
import { startResultKeeper } from './frameworks/settle-results.ts'
import { startSealer } from './journal/sealer.ts'
import { MasterKeyRefused } from './keyring/keyring.ts'
import { givenMasterKeys } from './keyring/master-key.ts'
import { openLog } from './log.ts'
import { makeSetUpLink } from './organization/set-up.ts'
import { isTaken, portFault, withUsablePorts } from './ports.ts'
import { prepare } from './preparation.ts'
import { scheduledTasks } from './scheduled-tasks.ts'
import { buildService, type Service } from './service.ts'
import { openTerminal } from './terminal.ts'
import { isolateFaults } from './unit-of-work.ts'

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

/** What says in its own words what to do. */
const EXPECTED = [ConfigInvalid, MasterKeyRefused, DatabaseUnfit, DatabaseUnreachable, EmbeddedDatabaseFault]

/** In the order in which they were started; a stop goes through them backwards. */
const stops: (() => Promise<void>)[] = []
const readiness = { draining: false }
const terminal = process.stdout.isTTY ? openTerminal(process.stdout) : null
const errors = openLog('warn', process.stderr.isTTY ? openTerminal(process.stderr) : process.stderr)
let stopping = false
let stoppingSince = 0

process.on('SIGTERM', () => void stop(0))
process.on('SIGINT', () => void stop(0))
process.on('SIGHUP', () => void stop(0))
// What Node would print in a form of its own.
process.removeAllListeners('warning')
process.on('warning', (err) => errors.warn({ err }, 'Node warns'))
isolateFaults(errors, () => process.exit(1))

try {
  await start()
} catch (error) {
  complain(error)
  await stop(1)
}

async function start(): Promise<void> {
  const config = await withUsablePorts(readConfig(process.env))
  const log = openLog(config.logLevel, terminal ?? undefined)
  givenMasterKeys(config) // what is no key at all is refused before a database is touched
  const database = await openDatabase(config)
  if (stopping) return
  const { masterKeys, migrated } = await prepare(config, database.url)
  if (migrated.length > 0) say(`Migrated the database: ${migrated.join(', ')}.`)
  const service = buildService(config, database.url, masterKeys, log)
  stops.push(() => service.close())
  const metrics = openMetrics(service, { process: true })
  await service.webhooks.start()
  await service.jobs.start()
  const clock = startClock(service, scheduledTasks)
  stops.push(() => clock.stop())
  if (config.role !== 'api') {
    const sealer = startSealer(service)
    stops.push(() => sealer.stop())
    const keeper = startResultKeeper(service)
    stops.push(() => keeper.stop())
  }
  void database.exited?.then((error) => {
    if (stopping) return
    log.fatal({ err: error }, 'the embedded database is gone for good')
    void stop(1)
  })
  await openMetricsPort(service, metrics)
  const app = await openDoors(service, readiness, metrics)
  stops.push(() => app.close())
  if (stopping) return
  await app.listen({ host: config.host, port: config.port }).catch((error) => {
    throw portFault(error, 'PORT', config)
  })
  await welcome(service)
}

/** The database to serve from: the one that is given, or the embedded one, started. */
async function openDatabase(config: Config): Promise<{ url: string; exited?: Promise<Error | null> }> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl }
  const {
    url,
    exited,
    stop: end,
  } = await startEmbedded({
    dataDir: config.dataDir,
    publicUrl: config.publicUrl,
    log: say,
  })
  stops.push(end)
  return { url, exited }
}

async function openMetricsPort({ config, log }: Service, metrics: Metrics): Promise<void> {
  if (config.metricsPort === 0) return
  try {
    const server: Server = await serveMetrics(metrics, config.metricsHost, config.metricsPort)
    stops.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
  } catch (error) {
    if (config.metricsPortGiven || !isTaken(error)) throw portFault(error, 'METRICS_PORT', config)
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
  // One line: who looks for the link in a collected log finds with it what it is for.
  say(
    `There is no organization yet. Make the first one in your browser; this link works once, for a day: ${link}`,
  )
}

/** To a person at a terminal as it is; elsewhere as a line of the log. */
function say(line: string): void {
  if (terminal) terminal.say(line)
  else openLog('info').info(line)
}

/** What keeps the service from going on: one line, in words at a terminal and of JSON elsewhere. */
function complain(error: unknown): void {
  if (isExpected(error)) errors.fatal(lineOf(error))
  else errors.fatal({ err: error }, 'A fault of the service: report it with this line.')
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
  for (const one of stops.reverse()) await one().catch(complain)
  process.exit()
}

/** What says in its own words what to do; all else is a fault of the service. */
function isExpected(error: unknown): boolean {
  return isUnreachable(error) || EXPECTED.some((kind) => error instanceof kind)
}

function lineOf(error: unknown): string {
  const isInWords = EXPECTED.some((kind) => error instanceof kind)
  return isInWords ? (error as Error).message : new DatabaseUnreachable('DATABASE_URL', error).message
}
