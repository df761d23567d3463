import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { unsealedSeconds } from '../journal/sealer.ts'
import type { Parts } from '../operation.ts'
import type { Refusal } from '../refusal.ts'

/**
 * What operators watch, for Prometheus. Labels are few and fixed: no organization and no credential is ever
 * one, since each would be a series for ever.
 */
export interface Metrics {
  readonly registry: Registry
  answered(route: string, method: string, status: number, milliseconds: number): void
  refused(refusal: Refusal): void
}

/** @param options.process adds what Node knows of itself: memory, processor time, event loop lag */
export function openMetrics(parts: Parts, options: { process?: boolean } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (options.process) collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames: ['route', 'method', 'code'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer',
    labelNames: ['route', 'method'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const authFailures = new Counter({
    name: 'auth_failures_total',
    help: 'Requests refused for their credential',
    labelNames: ['reason'] as const,
    registers,
  })
  const rateLimited = new Counter({
    name: 'rate_limited_total',
    help: 'Requests refused because a window was used up',
    registers,
  })
  addPools(parts, registry)
  addWebhooks(parts, registry)
  addLateness(parts, registry)
  addSignIns(parts, registry)
  addAuditLog(parts, registry)
  return {
    registry,
    answered: (route, method, status, milliseconds) => {
      requests.inc({ route, method, code: status })
      duration.observe({ route, method }, milliseconds / 1000)
    },
    refused: ({ status, code }) => {
      if (status === 401) authFailures.inc({ reason: code })
      if (status === 429) rateLimited.inc()
    },
  }
}

function addPools({ database }: Parts, registry: Registry): void {
  new Gauge({
    name: 'database_connections',
    help: 'Connections to the database, by pool and state',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect() {
      for (const pool of ['gate', 'tenant', 'engine'] as const) {
        const { totalCount, idleCount, waitingCount } = database[pool]
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waited_for' }, waitingCount)
      }
    },
  })
}

function addWebhooks({ webhooks }: Parts, registry: Registry): void {
  new Gauge({
    name: 'webhook_deliveries',
    help: 'What the webhook engine counts',
    labelNames: ['measure'] as const,
    registers: [registry],
    async collect() {
      for (const [measure, value] of Object.entries(await webhooks.stats())) this.set({ measure }, value)
    },
  })
}

function addLateness({ webhooks }: Parts, registry: Registry): void {
  const lateness = new Histogram({
    name: 'plumbline_webhook_delivery_lateness_seconds',
    help: 'From the moment a webhook delivery or its retry was due until it was taken to be sent',
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  })
  webhooks.observeLateness((seconds) => lateness.observe(seconds))
  new Gauge({
    name: 'plumbline_webhook_oldest_due_seconds',
    help: 'How long the webhook delivery that has waited longest has been due; NaN where the database does not say',
    registers: [registry],
    async collect() {
      this.set(await webhooks.oldestDueSeconds().catch(() => Number.NaN))
    },
  })
}

function addSignIns({ signIns }: Parts, registry: Registry): void {
  new Counter({
    name: 'sign_in_attempts_total',
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
    name: 'sign_in_waves_total',
    help: 'Accounts that had more guesses from strangers than their budget for an hour: somebody guesses from everywhere',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(signIns.counts.waves)
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
