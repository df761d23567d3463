import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../database/connect.ts'
import type { Reservation } from '../journal/write.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { parseNetwork } from '../outbound/network.ts'
import { DatabaseClock } from '../queue/database-clock.ts'
import { livingWorkers, NO_WORKER, newClaimId } from '../queue/living-workers.ts'
import { ResultsBuffer } from '../queue/results-buffer.ts'
import { Worker } from '../queue/worker.ts'
import { WorkerConnection } from '../queue/worker-connection.ts'
import { AttemptRunner, type Carried } from './dispatcher/attempt-runner.ts'
import type { Claimed } from './dispatcher/claim.ts'
import { reserveSends } from './dispatcher/first-sends.ts'
import { flush, type Result } from './dispatcher/flush.ts'
import { LEASE_MS, START_WITHIN_MS } from './dispatcher/limits.ts'
import { NotSentWriter } from './dispatcher/not-sent.ts'
import { keepUp } from './dispatcher/retention.ts'
import { Stats, type WebhookObserver } from './dispatcher/stats.ts'
import { countWaiting, oldestDueMs } from './dispatcher/sweep.ts'
import { findUnturned } from './dispatcher/turn-off.ts'
import { tellTurnedOff } from './dispatcher/upkeep.ts'
import { deliveryQueue } from './dispatcher.ts'
import { readHeldSending } from './held-sending.ts'
import { openSender, type SenderCounts, type SenderOptions, type Verdict } from './request.ts'
import { Secrets } from './secrets.ts'

/**
 * What the rest of the service may ask of the webhook engine: the one part of it that others hold.
 */
export interface Webhooks {
  /** Deliveries of these endpoints may be due. A hint: what it misses, the sweep finds. */
  wake(endpointIds: readonly string[]): void
  /** Keeps room to send what a change of this organization is about to make. */
  reserve(organizationId: string): Reservation
  /** Whether an address may be an endpoint's: its form, and where it leads now. */
  vet(address: string): Promise<Verdict>
  /** Whether this process has room for one more send by hand. */
  readonly takesManualSends: boolean
  /** A claim of this process, for what it sends by hand. */
  newClaim(): { readonly id: string; readonly leaseMs: number }
  /**
   * Sends one claimed delivery now, beside the queue. When it resolves, the result is written.
   * @param now the database's time, as just heard
   */
  send(claim: Claimed, now: string): Promise<Carried>
  /** An endpoint has another secret or epoch: from now on this process sends nothing of before. */
  changed(endpointId: string, secretVersion: number, epoch: number): void
  /** Resolves when no other process can begin a request with what it knew of an endpoint before. */
  settled(): Promise<void>
  /** Begins to deliver, unless this process only serves calls. Resolves when it has begun. */
  start(): Promise<void>
  /** Finishes what is on the wire, within 12 seconds, and lets go of the rest. */
  stop(): Promise<void>
  /** Looks at once for everything that is due, as it does each second. */
  sweep(): Promise<void>
  /** What operators watch of this process. */
  stats(): WebhookStats
  /** From now on the observer is told what this process does. */
  observe(observer: WebhookObserver): void
  /** How long the delivery of any process that has waited longest has been due, in seconds. */
  oldestDueSeconds(): Promise<number>
  /** Deliveries of all processes that are not finished, counted up to a limit. */
  waiting(): Promise<number>
}

export interface WebhookStats {
  /** Since the start. */
  readonly attempts: Stats['attempts']
  readonly ownFaults: number
  readonly endpointsTurnedOff: number
  /** Now: what is sent from the queue, and what is sent by hand beside it. */
  readonly queue: SenderCounts
  readonly byHand: SenderCounts
  /** Results that the database has not taken yet. */
  readonly unwrittenResults: number
}

declare module '../operation.ts' {
  interface Parts {
    readonly webhooks: Webhooks
  }
}

export interface WebhooksParts {
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  readonly keyring: Keyring
  /** Of the process, for all its queues; where none is given, one of its own. */
  readonly connection?: WorkerConnection
  readonly sender?: SenderOptions
}

const FINISH_WITHIN_MS = 12_000
/** Of one process, for all organizations; each of them has five at most. */
const MANUAL_SENDS_AT_MOST = 200
const HOUR_MS = 3_600_000
/** How often a database that was restored is asked whether it may send by now. */
const HELD_MS = 2_000

export function openWebhooks(parts: WebhooksParts): Webhooks {
  const { config, log, database, keyring } = parts
  const pool = database.engine
  const clock = new DatabaseClock()
  const stats = new Stats()
  const senderOptions = {
    allowedNetworks: config.webhookAllowedNetworks.map(parseNetwork),
    certificateAuthorities: config.webhookCertificateAuthorities ?? undefined,
    now: clock.now,
    ...parts.sender,
  }
  const sender = openSender(senderOptions)
  // Apart from the queue's: neither takes a connection of the other or waits for one.
  const manualSender = openSender({ ...senderOptions, maxSockets: MANUAL_SENDS_AT_MOST })
  const resultsBuffer = new ResultsBuffer<Result>({
    name: 'webhook deliveries',
    log,
    write: async (results) => {
      const startedAt = performance.now()
      const { now, tripped } = await flush(pool, results)
      clock.heard(now)
      stats.written(performance.now() - startedAt, tripped.length)
      for (const id of tripped)
        void tellTurnedOff(pool, log, id).catch((err) =>
          log.warn({ err }, 'the sweep will turn the endpoint off'),
        )
    },
    refused: ({ claim: { deliveryId } }) =>
      log.error({ deliveryId }, 'a webhook result cannot be written; its delivery is sent again'),
  })
  const delays = config.webhookRetryDelays
  const attemptRunner = new AttemptRunner({
    pool,
    log,
    secrets: new Secrets(keyring),
    resultsBuffer,
    clock,
    stats,
    delays,
  })
  const connection = parts.connection ?? new WorkerConnection(database.listener, log)
  const dispatches = config.role !== 'api'
  const notSent = new NotSentWriter(pool, log)
  const queue = deliveryQueue({ pool, log, attemptRunner, sender, notSent, delays })
  const dispatcher = new Worker(queue, { pool, log, connection, clock, resultsBuffer, observer: stats })
  const byHand = new Set<Promise<unknown>>()
  let hourly: NodeJS.Timeout | null = null
  let stopped: Promise<void> | null = null

  async function start(): Promise<void> {
    await connection.begin()
    if (stopped) return
    await tidy()
    if (!dispatches || stopped) return
    const held = await readHeldSending(pool)
    if (held === null) return dispatch()
    log.warn(
      { heldAt: held.heldAt, because: held.because },
      'webhooks are not sent: this database was restored. Where it is the one that is to send, run `npm run --silent plumbline -- sending resume`',
    )
    void dispatchOnceReleased()
  }

  /** A person may take days. What changes meanwhile waits with the rest. */
  async function dispatchOnceReleased(): Promise<void> {
    while (!stopped) {
      await sleep(HELD_MS, undefined, { ref: false })
      if (stopped) return
      const isReleased = await readHeldSending(pool).then(
        (held) => held === null,
        () => false,
      )
      if (!isReleased) continue
      log.info('webhooks are sent again')
      return dispatch().catch((err) => log.error({ err }, 'webhooks are sent after the next start'))
    }
  }

  async function dispatch(): Promise<void> {
    if (stopped) return
    const unturned = await pool.query(findUnturned()).catch(() => ({ rows: [] }))
    for (const row of unturned.rows) await tellTurnedOff(pool, log, row.endpoint_id).catch(() => {})
    if (stopped) return
    await dispatcher.begin()
  }

  /** Every process does, or a week without one that delivers would have no place for what is written. */
  async function tidy(): Promise<void> {
    await keepUp(database, config.retentionDays).catch((err) =>
      log.warn({ err }, 'the delivery log could not be tidied'),
    )
    if (!stopped) hourly = setTimeout(() => void tidy(), HOUR_MS).unref()
  }

  async function send(claim: Claimed, now: string): Promise<Carried> {
    clock.heard(Date.parse(now))
    const startBy = performance.now() + START_WITHIN_MS
    const sending = attemptRunner.carry(claim, manualSender, startBy).then(async (carried) => {
      if (!('outcome' in carried)) return carried
      await carried.written
      return carried
    })
    byHand.add(sending)
    const ended = dispatcher.beside(claim.organizationId)
    return sending.finally(() => {
      byHand.delete(sending)
      ended()
    })
  }

  async function finish(): Promise<void> {
    dispatcher.cease()
    notSent.cease()
    if (hourly) clearTimeout(hourly)
    const done = Promise.all([dispatcher.quiet(), notSent.quiet(), ...byHand])
      .catch(() => {})
      .then(() => resultsBuffer.drain())
      .then(() => Promise.all([sender.close(), manualSender.close()]))
    const late = new AbortController()
    await Promise.race([done, sleep(FINISH_WITHIN_MS, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
    resultsBuffer.close()
    await dispatcher.tellHints()
    if (!parts.connection) await connection.end()
  }

  return {
    wake: (endpointIds) => dispatcher.wake(endpointIds),
    reserve: (organizationId) => reserveSends(dispatcher, clock, organizationId),
    vet: (address) => sender.vet(address),
    get takesManualSends() {
      return byHand.size < MANUAL_SENDS_AT_MOST
    },
    newClaim: () => ({ id: newClaimId(connection.worker), leaseMs: LEASE_MS }),
    send,
    changed: (endpointId, secretVersion, epoch) => attemptRunner.changed(endpointId, secretVersion, epoch),
    settled: async () => {
      // Where that cannot be asked, there may be others.
      const living = await livingWorkers(pool).catch(() => [NO_WORKER])
      if (living.some((worker) => worker !== connection.worker)) await sleep(START_WITHIN_MS + 100)
    },
    start,
    stop: () => (stopped ??= finish()),
    sweep: () => dispatcher.sweep(),
    observe: (observer) => stats.observe(observer),
    oldestDueSeconds: async () => (await oldestDueMs(pool)) / 1_000,
    waiting: () => countWaiting(pool),
    stats: () => ({
      attempts: { ...stats.attempts },
      ownFaults: stats.ownFaults,
      endpointsTurnedOff: stats.endpointsTurnedOff,
      queue: sender.counts,
      byHand: manualSender.counts,
      unwrittenResults: resultsBuffer.size,
    }),
  }
}
