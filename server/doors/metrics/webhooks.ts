import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { COUNTED_AT_MOST } from '../../webhooks/limits.ts'
import type { WebhookStats, Webhooks } from '../../webhooks/webhooks.ts'

const PREFIX = 'plumbline_webhook_'
const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const FOR_AN_ATTEMPT = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 12]
const FOR_LATENESS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** What operators watch of the webhook engine: of this process, but for what its help says is of all. */
export function addWebhooks(webhooks: Webhooks, registry: Registry): void {
  addTotals(webhooks, registry)
  addDurations(webhooks, registry)
  addNow(webhooks, registry)
  addQueue(webhooks, registry)
}

function addTotals(webhooks: Webhooks, registry: Registry): void {
  const registers = [registry]
  new Counter({
    name: `${PREFIX}attempts_total`,
    help: 'Webhook attempts that ended, by outcome',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(webhooks.stats().attempts)) this.inc({ outcome }, count)
    },
  })
  const total = (name: string, help: string, read: (stats: WebhookStats) => number) =>
    new Counter({
      name: `${PREFIX}${name}_total`,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read(webhooks.stats()))
      },
    })
  total(
    'connections_reused',
    'Webhook requests sent on a kept connection',
    ({ queue, byHand }) => queue.reused + byHand.reused,
  )
  total(
    'own_faults',
    'Times that webhook deliveries had to wait for a fault of the service itself',
    ({ ownFaults }) => ownFaults,
  )
  total(
    'endpoints_turned_off',
    'Webhook endpoints turned off after ten failures in a row',
    ({ endpointsTurnedOff }) => endpointsTurnedOff,
  )
}

function addDurations(webhooks: Webhooks, registry: Registry): void {
  const seconds = (name: string, help: string, buckets: number[]) => {
    const histogram = new Histogram({
      name: `${PREFIX}${name}_seconds`,
      help,
      buckets,
      registers: [registry],
    })
    return (value: number) => histogram.observe(value)
  }
  webhooks.observe({
    lateness: seconds(
      'delivery_lateness',
      'From the moment a webhook delivery or its retry was due until it was taken to be sent',
      FOR_LATENESS,
    ),
    attempt: seconds(
      'attempt_duration',
      'From the resolution of the host name to the end of the answer',
      FOR_AN_ATTEMPT,
    ),
    claim: seconds('claim_duration', 'How long the database took to hand out deliveries that are due', QUICK),
    write: seconds('write_duration', 'How long the database took to write the results of attempts', QUICK),
  })
}

function addNow(webhooks: Webhooks, registry: Registry): void {
  const bySender = (name: string, help: string, read: (counts: WebhookStats['queue']) => number) =>
    new Gauge({
      name: `${PREFIX}${name}`,
      help: `${help}; sender: queue, or manual for tests and redeliveries`,
      labelNames: ['sender'] as const,
      registers: [registry],
      collect() {
        const { queue, byHand } = webhooks.stats()
        this.set({ sender: 'queue' }, read(queue))
        this.set({ sender: 'manual' }, read(byHand))
      },
    })
  bySender('attempts_in_flight', 'Webhook attempts on the wire', ({ inFlight }) => inFlight)
  bySender('open_sockets', 'Sockets to webhook receivers', ({ openSockets }) => openSockets)
  bySender('idle_sockets', 'Of the open sockets, those kept for later', ({ idleSockets }) => idleSockets)
  new Gauge({
    name: `${PREFIX}unwritten_results`,
    help: 'Results of webhook attempts that the database has not taken yet',
    registers: [registry],
    collect() {
      this.set(webhooks.stats().unwrittenResults)
    },
  })
}

/** Of all processes, as the database has it. */
function addQueue(webhooks: Webhooks, registry: Registry): void {
  new Gauge({
    name: `${PREFIX}oldest_due_seconds`,
    help: 'How long the webhook delivery that has waited longest has been due; NaN where the database does not say',
    registers: [registry],
    async collect() {
      this.set(await webhooks.oldestDueSeconds().catch(() => Number.NaN))
    },
  })
  new Gauge({
    name: `${PREFIX}deliveries_waiting`,
    help: `Webhook deliveries of all processes that are due, on the wire or waiting for a retry, counted to ${COUNTED_AT_MOST}; NaN where the database does not say`,
    registers: [registry],
    async collect() {
      this.set(await webhooks.waiting().catch(() => Number.NaN))
    },
  })
}
