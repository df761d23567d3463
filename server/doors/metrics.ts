import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { StatementTooSlow } from '../database/errors.ts'
import { unsealedSeconds } from '../journal/sealer.ts'
import { countMails } from '../notices/mail-log.ts'
import type { Parts } from '../operation.ts'
import type { Refusal } from '../refusal.ts'
import { isolatedFaults } from '../unit-of-work.ts'
import { addCalls } from './metrics/calls.ts'
import { addClock } from './metrics/clock.ts'
import { addJobs } from './metrics/jobs.ts'
import { addWebhooks } from './metrics/webhooks.ts'

/**
 * What operators watch, for Prometheus: names of ours begin with `plumbline_`, quantities are in base units. Labels
 * are few and fixed: no organization and no credential is ever one, since each would be a series for ever.
 */
export interface Metrics {
  readonly registry: Registry
  answered(request: AnsweredRequest): void
  refused(refusal: Refusal): void
}

export interface AnsweredRequest {
  readonly route: string
  readonly method: string
  /** Its name in the list of operations; absent where the path is none of theirs. */
  readonly operation?: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** The MCP tool that was called, where one was. */
  readonly tool?: string | undefined
  /** The code of its refusal, where it was refused; a tool is refused in an answer of 200. */
  readonly refused?: string | undefined
}

/** Gauges that Node's collector calls totals, against the conventions of Prometheus. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
]

/** @param options.process adds what Node knows of itself: memory, processor time, event loop lag */
export function openMetrics(parts: Parts, options: { process?: boolean } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (options.process) {
    collectDefaultMetrics({ register: registry })
    for (const name of MISNAMED) registry.removeSingleMetric(name)
  }
  const requests = new Counter({
    name: 'plumbline_http_requests_total',
    help: 'HTTP requests answered, by what they asked for and the status of the answer',
    labelNames: ['route', 'method', 'operation', 'status'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'plumbline_http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer',
    labelNames: ['route', 'method', 'operation'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const toolCalls = new Counter({
    name: 'plumbline_mcp_tool_calls_total',
    help: 'MCP tools called, by what became of it: success, or the code of the refusal',
    labelNames: ['tool', 'outcome'] as const,
    registers,
  })
  const refusedCredentials = new Counter({
    name: 'plumbline_credentials_refused_total',
    help: 'Requests refused for their credential, by the code of the refusal',
    labelNames: ['code'] as const,
    registers,
  })
  const rateLimited = new Counter({
    name: 'plumbline_rate_limited_requests_total',
    help: 'Requests refused because a window was used up',
    registers,
  })
  addFaults(registry)
  const slowStatements = new Counter({
    name: 'plumbline_slow_statements_total',
    help: 'Calls refused because PostgreSQL took longer than READ_TIMEOUT, or 30 seconds for a change',
    registers,
  })
  addCalls(parts, registry)
  addPools(parts, registry)
  addWebhooks(parts.webhooks, registry)
  addJobs(parts.jobs, registry)
  addClock(parts, registry)
  addSignIns(parts, registry)
  addAuditLog(parts, registry)
  addMails(parts, registry)
  return {
    registry,
    answered: ({ route, method, operation = '', status, milliseconds, tool, refused }) => {
      requests.inc({ route, method, operation, status })
      duration.observe({ route, method, operation }, milliseconds / 1000)
      if (tool) toolCalls.inc({ tool, outcome: refused ?? 'success' })
    },
    refused: (refusal) => {
      const { status, code } = refusal
      if (refusal instanceof StatementTooSlow) slowStatements.inc()
      if (status === 401) refusedCredentials.inc({ code })
      if (status === 429) rateLimited.inc()
    },
  }
}

function addFaults(registry: Registry): void {
  new Counter({
    name: 'plumbline_isolated_faults_total',
    help: 'Errors that no code caught, by the unit of work that failed with them; none: they belong to no unit',
    labelNames: ['work'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [work, count] of Object.entries(isolatedFaults())) this.inc({ work }, count)
    },
  })
}

function addPools({ database }: Parts, registry: Registry): void {
  const pools = ['gate', 'tenant', 'engine'] as const
  new Gauge({
    name: 'plumbline_database_connections',
    help: 'Connections to the database, by pool and state',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect() {
      for (const pool of pools) {
        const { totalCount, idleCount } = database[pool]
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
      }
    },
  })
  new Gauge({
    name: 'plumbline_database_connections_awaited',
    help: 'What waits for a free connection to the database, by pool',
    labelNames: ['pool'] as const,
    registers: [registry],
    collect() {
      for (const pool of pools) this.set({ pool }, database[pool].waitingCount)
    },
  })
}

function addSignIns({ signIns }: Parts, registry: Registry): void {
  new Counter({
    name: 'plumbline_sign_in_attempts_total',
    help: 'What was tried at the sign-in and did not let anybody in, by what became of it; success: a mail that was asked for',
    labelNames: ['outcome'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const outcome of ['success', 'failed', 'denied'] as const)
        this.inc({ outcome }, signIns.counts[outcome])
    },
  })
  new Counter({
    name: 'plumbline_sign_in_waves_total',
    help: 'Accounts that had more guesses from strangers than their budget for an hour: somebody guesses from everywhere',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(signIns.counts.waves)
    },
  })
}

function addMails(parts: Parts, registry: Registry): void {
  new Gauge({
    name: 'plumbline_notice_mails',
    help: 'Mails about notices: waiting to leave, and failed within the last day because they were refused or given up; NaN where the database does not say',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      const away = { waiting: Number.NaN, failed: Number.NaN }
      const counts = await countMails(parts).catch(() => away)
      for (const state of ['waiting', 'failed'] as const) this.set({ state }, counts[state])
    },
  })
}

function addAuditLog({ database }: Parts, registry: Registry): void {
  new Gauge({
    name: 'plumbline_audit_unsealed_oldest_seconds',
    help: 'For how long the oldest entry of the audit log without a seal has been waiting for it; NaN where the database does not say',
    registers: [registry],
    async collect() {
      this.set(await unsealedSeconds(database.engine).catch(() => Number.NaN))
    },
  })
}

/** Serves the metrics on a port of their own, which is not for the public. */
export async function serveMetrics({ registry }: Metrics, host: string, port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    try {
      const text = await registry.metrics()
      return response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    } catch {
      return response.writeHead(503).end()
    }
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, resolve)
  await promise
  server.removeListener('error', reject)
  return server
}
