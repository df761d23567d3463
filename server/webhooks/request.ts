/**
 * One attempt: a signed POST to an address that may be anybody's.
 *
 * Everything here serves one of three ends. The receiver gets exactly the headers and bytes that
 * /docs/receiving-webhooks tells. The tenant gets a log line that says what happened and nothing about our network. And
 * an attempt over a kept connection costs little more than one write and one read: the address is parsed once and
 * remembered, the body encoded once for all who get it, and one timer serves all deadlines.
 *
 * The guard stands in outbound/connector.ts, kept connections in outbound/connections.ts, the reading of an answer in
 * outbound/answer-reader.ts, and what it comes to in request/exchange.ts.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type ParsedAddress, parseAddress } from '../outbound/address.ts'
import { Connections, type Request } from '../outbound/connections.ts'
import { NotDialled, openConnector } from '../outbound/connector.ts'
import { Deadlines } from '../outbound/deadlines.ts'
import type { Network } from '../outbound/network.ts'
import { openResolver, type ResolverOptions } from '../outbound/resolver.ts'
import { type Ending, Exchange, type NotLeft } from './request/exchange.ts'
import type { Fault } from './request/failure.ts'
import { hostOf, requestHead, sentHeaders } from './sent-headers.ts'
import { sign } from './signature.ts'

export interface Attempt {
  /** The `webhook-id`: the same on every attempt of a delivery. */
  readonly id: string
  readonly address: string
  /** The exact JSON text to sign and send, in UTF-8. */
  readonly body: Buffer
  /** 32 bytes. */
  readonly secret: Buffer
  /** On a new connection: the one re-send after `connection_closed`. */
  readonly fresh?: boolean
  /**
   * Asked when it has its connection, for which it may have waited for seconds: whether it may leave still. At once
   * where it is known at once. By default it may.
   */
  readonly mayLeave?: () => boolean | Promise<boolean>
}

export interface AttemptResult extends Ending {
  /** Unix ms; `webhook-timestamp` is the same instant in seconds. */
  readonly sentAt: number
  /** As sent, in the order of the wire. For an address refused: as they would have been. */
  readonly headers: Record<string, string>
}

/** What registration learns of an address: `problem` completes "The address …". */
export type Verdict =
  | { readonly ok: true; readonly resolved: boolean }
  | { readonly ok: false; readonly problem: string }

export interface SenderOptions extends Pick<ResolverOptions, 'nameServers' | 'hostsFile'> {
  readonly allowedNetworks?: readonly Network[]
  /** PEM (`WEBHOOK_CA_FILE`). */
  readonly certificateAuthorities?: string | undefined
  /** Connections at one time, idle ones too. */
  readonly maxSockets?: number
  /** Unix ms. Only what is written down depends on it: waiting is measured on the monotonic clock. */
  readonly now?: () => number
  /** From the start of name resolution to the end of the response headers. */
  readonly deadlineMs?: number
  readonly keepAliveMs?: number
  readonly maxAgeMs?: number
  /** How long `vet` takes to refuse an inner name: as long as the slowest look-up may. */
  readonly innerNameRefusedAfterMs?: number
}

export interface Sender {
  /** Sends once. Never rejects: a `Fault` is ours and spends no attempt, and nothing was sent where it might not leave. */
  attempt(attempt: Attempt): Promise<AttemptResult | Fault | NotLeft>
  /**
   * For registration: the form, and every address the name has now. A name that does not resolve now is taken, but
   * for an inner one: that must lead to an allowed network, and if it does not, its refusal says nothing more, not
   * even by its time.
   */
  vet(address: string): Promise<Verdict>
  /** Takes no more attempts, waits for those on the wire, closes every connection. */
  close(): Promise<void>
  /** The sockets now, and totals since the start: `reused / attempts` is the share of kept connections. */
  readonly counts: SenderCounts
}

export interface SenderCounts {
  readonly openSockets: number
  readonly idleSockets: number
  readonly inFlight: number
  readonly attempts: number
  readonly reused: number
}

/** From the start of name resolution to the end of the response headers. */
export const ATTEMPT_MS = 10_000

/** A tenant learns this of every address refused for where it leads, whatever was found there. */
const notPublic = 'is not a public https address; use a public one'
const mostParsed = 10_000

export function openSender(options: SenderOptions = {}): Sender {
  const {
    now = Date.now,
    deadlineMs = ATTEMPT_MS,
    maxSockets = 600,
    keepAliveMs = 55_000,
    maxAgeMs = 300_000,
    innerNameRefusedAfterMs = 3_500,
  } = options
  const { allowedNetworks = [], certificateAuthorities, ...resolverOptions } = options
  const resolver = openResolver(resolverOptions)
  const connector = openConnector({ resolver, allowedNetworks, certificateAuthorities })
  const connections = new Connections(connector, {
    maxSockets,
    // Whoever asked for it has left by then.
    openedWithinMs: deadlineMs + 100,
    keepAliveMs,
    maxAgeMs,
  })
  const deadlines = new Deadlines(deadlineMs)
  const parsedAddresses = new LRUCache<string, ParsedAddress>({ max: mostParsed })
  const totals = { attempts: 0, reused: 0, inFlight: 0 }
  let whenIdle: (() => void) | null = null
  let closing: Promise<void> | null = null

  function attempt(attempt: Attempt): Promise<AttemptResult | Fault | NotLeft> {
    const { id, address, body, secret, fresh = false, mayLeave } = attempt
    if (closing) return fault('closed', 'the sender is closing')
    if (secret.length !== 32) return fault('internal', 'the secret is not 32 bytes')
    const startedAt = performance.now()
    const sentAt = now()
    const timestamp = Math.floor(sentAt / 1_000)
    const parsed = parse(address)
    const headers = sentHeaders({
      id,
      host: hostOf(parsed.ok ? parsed.address.origin : null),
      timestamp,
      signature: sign(secret, id, timestamp, body),
      length: body.length,
    })
    if (!parsed.ok) return Promise.resolve({ ...refused(parsed.problem), sentAt, headers })
    const { origin, path } = parsed.address
    const head = requestHead(path, headers)
    if (head === null) return fault('internal', 'a header that cannot be sent')
    totals.inFlight += 1
    return new Promise((resolve) => {
      const exchange = new Exchange(startedAt, (ended, ending, keptForMs) => {
        const { connection } = ended
        deadlines.remove(ended)
        if (!connection) connections.leave(origin, request)
        else connections.giveBack(connection, keptForMs)
        totals.attempts += 1
        totals.inFlight -= 1
        if (ended.reused) totals.reused += 1
        resolve(ending === 'not_left' || 'fault' in ending ? ending : { ...ending, sentAt, headers })
        if (totals.inFlight === 0) whenIdle?.()
      })
      const request: Request = {
        fresh,
        go: (connection) => {
          exchange.connection = connection
          const may = mayLeave?.() ?? true
          if (may === true) exchange.go(head, body)
          else if (may === false) exchange.stay()
          else void may.then((may) => exchange.hasEnded || (may ? exchange.go(head, body) : exchange.stay()))
        },
        failed: (error) => exchange.broke(error),
      }
      deadlines.add(exchange, startedAt)
      connections.request(origin, request)
    })
  }

  function parse(address: string): ParsedAddress {
    const known = parsedAddresses.get(address)
    if (known) return known
    const parsed = parseAddress(address)
    parsedAddresses.set(address, parsed)
    return parsed
  }

  async function vet(text: string): Promise<Verdict> {
    const parsed = parseAddress(text)
    if (!parsed.ok) return { ok: false, problem: parsed.problem }
    const { innerName } = parsed.address
    const held =
      innerName && allowedNetworks.length > 0
        ? sleep(innerNameRefusedAfterMs, undefined, { ref: false })
        : null
    try {
      await connector.vet(parsed.address)
      return { ok: true, resolved: true }
    } catch (error) {
      if (!(error instanceof NotDialled)) throw error
      if (!innerName && error.why !== 'not_public') return { ok: true, resolved: false }
      await held
      return { ok: false, problem: notPublic }
    }
  }

  async function finish(): Promise<void> {
    if (totals.inFlight > 0) await new Promise<void>((resolve) => (whenIdle = resolve))
    connections.close()
    await connector.whenClosed()
    deadlines.stop()
    resolver.close()
  }

  return {
    attempt,
    vet,
    close: () => (closing ??= finish()),
    get counts() {
      return { ...totals, openSockets: connector.openSockets, idleSockets: connections.idle }
    },
  }
}

function fault(kind: Fault['fault'], detail: string): Promise<Fault> {
  return Promise.resolve({ fault: kind, detail })
}

function refused(operatorDetail: string): Ending {
  return {
    outcome: 'address_not_public',
    reason: null,
    statusCode: null,
    durationMs: 0,
    responseBody: null,
    responseTruncated: false,
    operatorDetail,
  }
}
