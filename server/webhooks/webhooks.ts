import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../database/connect.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { parseNetwork } from '../outbound/network.ts'
import { undici } from '../outbound/undici.ts'
import { AttemptRunner, type Carried } from './dispatcher/attempt-runner.ts'
import type { Claimed } from './dispatcher/claim.ts'
import { DatabaseClock } from './dispatcher/database-clock.ts'
import { Hints } from './dispatcher/hints.ts'
import { LEASE_MS, START_WITHIN_MS } from './dispatcher/limits.ts'
import { NO_SENDER, recover, senderPrefix, senders } from './dispatcher/lost-senders.ts'
import { ResultsBuffer } from './dispatcher/results-buffer.ts'
import { keepUp } from './dispatcher/retention.ts'
import { SenderLife } from './dispatcher/sender-life.ts'
import { Stats, type WebhookObserver } from './dispatcher/stats.ts'
import { countWaiting, oldestDueMs } from './dispatcher/sweep.ts'
import { findUnturned } from './dispatcher/turn-off.ts'
import { tellTurnedOff } from './dispatcher/upkeep.ts'
import { Dispatcher } from './dispatcher.ts'
import { openSender, type SenderCounts, type SenderOptions, type Verdict } from './request.ts'
import { Secrets } from './secrets.ts'

/**
 * What the rest of the service may ask of the webhook engine: the one part of it that others hold.
 */
export interface Webhooks {
  /** New deliveries of these endpoints have just been committed. A hint: what it misses, the sweep finds. */
  wake(endpointIds: readonly string[]): void
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
  readonly sender?: SenderOptions
}

const FINISH_WITHIN_MS = 12_000
/** Of one process, for all organizations; each of them has five at most. */
const MANUAL_SENDS_AT_MOST = 200
const HOUR_MS = 3_600_000
const TAKE_UP_AGAIN_MS = 3_000

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
  const resultsBuffer = new ResultsBuffer(pool, log, ({ now, tripped }, milliseconds) => {
    clock.heard(now)
    stats.written(milliseconds, tripped.length)
    for (const id of tripped)
      void tellTurnedOff(pool, log, id).catch((err) =>
        log.warn({ err }, 'the sweep will turn the endpoint off'),
      )
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
    leaseMs: LEASE_MS,
  })
  let self = NO_SENDER
  const newClaimId = (): string => senderPrefix(self) + randomUUID().slice(8)
  const dispatches = config.role !== 'api'
  const dispatcher = new Dispatcher({
    pool,
    log,
    attemptRunner,
    sender,
    resultsBuffer,
    clock,
    stats,
    delays,
    leaseMs: LEASE_MS,
    newClaimId,
  })
  const hints = new Hints(pool, log)
  const byHand = new Set<Promise<unknown>>()
  let life: SenderLife | null = null
  let hourly: NodeJS.Timeout | null = null
  let again: NodeJS.Timeout | null = null
  let begun = false
  let stopped: Promise<void> | null = null

  async function start(): Promise<void> {
    const number = Number.parseInt(randomUUID().slice(0, 7), 16) + 1
    life = new SenderLife(database.listener, number, log, (ids) => dispatcher.hint(ids))
    await life.begin()
    self = number
    if (stopped) return
    await tidy()
    if (!dispatches || stopped) return
    await takeUp()
    // PostgreSQL finishes a statement whose sender has just been killed: a claim may stand only now.
    again = setTimeout(() => void takeUp(), TAKE_UP_AGAIN_MS)
    const unturned = await pool.query(findUnturned()).catch(() => ({ rows: [] }))
    for (const row of unturned.rows) await tellTurnedOff(pool, log, row.endpoint_id).catch(() => {})
    if (stopped) return
    undici() // so that the first delivery does not wait for it
    begun = true
    dispatcher.begin()
  }

  /** What a process that is gone had claimed is due again, before its leases end. */
  async function takeUp(): Promise<void> {
    await recover(pool, LEASE_MS).catch((err) =>
      log.warn({ err }, 'claims of processes that are gone are found when their leases end'),
    )
  }

  /** Every process does, or a week without one that delivers would have no place for what is written. */
  async function tidy(): Promise<void> {
    await keepUp(pool, config.retentionDays).catch((err) =>
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
    return sending.finally(() => byHand.delete(sending))
  }

  async function finish(): Promise<void> {
    dispatcher.cease()
    if (hourly) clearTimeout(hourly)
    if (again) clearTimeout(again)
    const done = Promise.all([dispatcher.quiet(), ...byHand])
      .catch(() => {})
      .then(() => resultsBuffer.drain())
      .then(() => Promise.all([sender.close(), manualSender.close()]))
    const late = new AbortController()
    await Promise.race([done, sleep(FINISH_WITHIN_MS, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
    resultsBuffer.close()
    await hints.tell()
    await life?.end()
  }

  return {
    wake: (endpointIds) => {
      if (endpointIds.length === 0) return
      if (begun) dispatcher.hint(endpointIds)
      else hints.add(endpointIds)
    },
    vet: (address) => sender.vet(address),
    get takesManualSends() {
      return byHand.size < MANUAL_SENDS_AT_MOST
    },
    newClaim: () => ({ id: newClaimId(), leaseMs: LEASE_MS }),
    send,
    changed: (endpointId, secretVersion, epoch) => attemptRunner.changed(endpointId, secretVersion, epoch),
    settled: async () => {
      // Where that cannot be asked, there may be others.
      const alive = await senders(pool).catch(() => [NO_SENDER])
      if (alive.some((number) => number !== self)) await sleep(START_WITHIN_MS + 100)
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
