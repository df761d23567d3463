/**
 * The one guarded way out. Every outgoing call of the service (deliveries, client metadata documents, sign-in
 * providers) connects through here: deliveries by `dial`, the others by undici.
 *
 * Three checks, because each alone has a hole:
 *
 * 1. An IP literal is judged from the address. Node never asks a `lookup` about literals, so a guard that lives in
 *    the lookup alone would let `https://127.0.0.1` pass.
 * 2. A name is resolved by us, all its answers are judged, and exactly those bytes are handed to the socket. Checking
 *    and dialling are one look-up: an answer that changes in between (DNS rebinding) is never asked for.
 * 3. When the socket is connected, and before a byte is written, its remote address is compared with what was vetted.
 *    This one trusts nothing before it: not Node's family fallback, not our own code.
 *
 * One answer that is not public spoils the name, even beside public ones: dropping it and dialling the rest would let
 * a name be public for our check and private for somebody else's. The name itself stays in SNI, in Host and in the
 * certificate check; rewriting the URL to an IP would break all three. No proxy is ever asked: it would resolve again.
 * A session is never resumed: Node skips the certificate's host check on resumption, and measured, it saved nothing.
 */
import { constants, X509Certificate } from 'node:crypto'
import type { TcpNetConnectOpts } from 'node:net'
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type TLSSocket,
} from 'node:tls'
import type { buildConnector } from 'undici'
import { once } from '../../model/once.ts'
import { type Address, judgeIp, parseAddress } from './address.ts'
import { formatIp, type Ip, type Network, parseIp, sameIp } from './network.ts'
import type { Resolver } from './resolver.ts'

/** Why nothing was dialled. `message` is for operators: a tenant learns only the outcome. */
export class NotDialled extends Error {
  override name = 'NotDialled'
  readonly why: 'not_public' | 'no_address' | 'no_resolver'
  constructor(why: NotDialled['why'], message: string) {
    super(message)
    this.why = why
  }
}

export interface ConnectorOptions {
  readonly resolver: Resolver
  /** Networks the operator opened (`WEBHOOK_ALLOWED_NETWORKS`). */
  readonly allowedNetworks: readonly Network[]
  /** PEM of authorities to trust beside Node's own (`WEBHOOK_CA_FILE`). Without a certificate in it: an `Error`. */
  readonly certificateAuthorities?: string | undefined
}

export interface GuardedConnector {
  /**
   * Dials `host`, with its port where that is not the one of https; only https is dialled. When it was cancelled, the
   * callback is not called any more.
   */
  dial(target: Target, callback: DialCallback): { cancel(): void }
  /** Where an address may be dialled now; rejects with `NotDialled`. */
  vet(address: Address): Promise<readonly Ip[]>
  /** Sockets that exist at this moment, those still connecting too. */
  readonly openSockets: number
  /** When the last of them is gone. Whoever asks has to end them. */
  whenClosed(): Promise<void>
}

/** As undici names it. */
export type Target = Pick<buildConnector.Options, 'protocol' | 'host'>

type DialCallback = (...result: [null, TLSSocket] | [Error, null]) => void

/** Addresses tried of one name, and the time each but the last gets, so that dead ones leave time for a live one. */
const mostTried = 6
const triedForMs = 1_000

const loopback: readonly Ip[] = [parseIp('127.0.0.1')!, parseIp('::1')!]

export function openConnector(options: ConnectorOptions): GuardedConnector {
  const { resolver, allowedNetworks } = options
  const secureContext = contextOf(options.certificateAuthorities)
  let openSockets = 0
  const awaitingClose: (() => void)[] = []

  async function vet(address: Address): Promise<readonly Ip[]> {
    if (address.literal) return judged([address.literal], false)
    // RFC 6761: `localhost` is loopback whatever a server says; of its two addresses, those the operator opened.
    if (/(^|\.)localhost$/.test(address.host)) {
      return judged(
        loopback.filter((ip) => judgeIp(ip, allowedNetworks) === 'allowed'),
        true,
      )
    }
    // Whether an inner name exists is told to nobody: where none may pass none is looked up, and elsewhere one
    // that is not there is refused as one that leads astray.
    if (address.innerName && allowedNetworks.length === 0)
      throw new NotDialled('not_public', `${address.host}: an inner name, and no network is allowed`)
    const resolution = await resolver.resolve(address.host)
    if ('silent' in resolution)
      throw new NotDialled('no_resolver', `no resolver answers: ${resolution.silent}`)
    if ('missing' in resolution) {
      const why = address.innerName ? 'not_public' : 'no_address'
      throw new NotDialled(why, `${address.host}: ${resolution.missing}`)
    }
    return judged(resolution.found, address.innerName)
  }

  function judged(ips: readonly Ip[], mustBeAllowed: boolean): readonly Ip[] {
    const bad = ips.find((ip) => {
      const verdict = judgeIp(ip, allowedNetworks)
      return verdict === 'refused' || (mustBeAllowed && verdict !== 'allowed')
    })
    if (bad || ips.length === 0)
      throw new NotDialled('not_public', `not public: ${bad ? formatIp(bad) : 'loopback'}`)
    return ips.slice(0, mostTried)
  }

  function dial(target: Target, callback: DialCallback): { cancel(): void } {
    let socket: TLSSocket | null = null
    let waiting = true
    const answer: DialCallback = (...result) => {
      if (!waiting) return
      waiting = false
      callback(...result)
    }
    const parsed = target.protocol === 'https:' ? parseAddress(`https://${target.host}/`) : null
    if (!parsed?.ok) {
      queueMicrotask(() => answer(new NotDialled('not_public', 'no public https address'), null))
      return { cancel: () => (waiting = false) }
    }
    vet(parsed.address)
      .then((vetted) => {
        if (waiting) socket = open(parsed.address, vetted, answer)
      })
      .catch((error: Error) => answer(error, null))
    return {
      cancel() {
        waiting = false
        socket?.destroy()
      },
    }
  }

  function open(address: Address, vetted: readonly Ip[], answer: DialCallback): TLSSocket {
    const found = vetted.map((ip) => ({ address: formatIp(ip), family: ip.length === 4 ? 4 : 6 }))
    const socketOptions: ConnectionOptions & TcpNetConnectOpts & { highWaterMark: number } = {
      host: address.host,
      port: address.port,
      // An IP is no server name (RFC 6066); Node then checks the certificate against `host`.
      servername: address.literal ? '' : address.host,
      // Node's contract for `lookup`: the callback runs after `connect` has returned. An address without a route
      // fails inside the callback. Called earlier, it destroys the socket before anything listens for the error.
      lookup: (_host, _options, done) => process.nextTick(done, null, found),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: triedForMs,
      secureContext,
      // Said outright, or NODE_TLS_REJECT_UNAUTHORIZED=0 in somebody's environment would switch it off.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      highWaterMark: 16_384,
    }
    const socket = connectTls(socketOptions).setNoDelay(true)
    openSockets += 1
    // Before the listener by which the TLS socket begins its handshake: nothing has been written yet.
    socket.prependOnceListener('connect', () => {
      const { remoteAddress } = socket
      const remote = parseIp(remoteAddress ?? '')
      if (remote && vetted.some((ip) => sameIp(ip, remote))) return
      const gone = remoteAddress === undefined
      socket.destroy(
        gone
          ? new Error('closed before its address could be checked')
          : new NotDialled('not_public', `connected to ${remoteAddress}, which was not vetted`),
      )
    })
    socket.once('secureConnect', () => answer(null, socket))
    socket.on('error', (error) => answer(error, null))
    socket.once('close', () => {
      openSockets -= 1
      if (openSockets === 0) for (const resolve of awaitingClose.splice(0)) resolve()
      answer(new Error('closed while connecting'), null)
    })
    return socket
  }

  return {
    dial,
    vet,
    get openSockets() {
      return openSockets
    },
    async whenClosed() {
      if (openSockets > 0) await new Promise<void>((resolve) => awaitingClose.push(resolve))
    },
  }
}

/** One for all that connect: to read the certificates of a hundred and fifty authorities costs a megabyte each time. */
const contextOf = once((pem: string | undefined) =>
  createSecureContext({
    ...trustedAuthorities(pem),
    // In TLS 1.2 a receiver may ask for one handshake after the other, and each is ours to compute.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }),
)

/** Node's default authorities and the operator's; without the latter, nothing to say, which means the default. */
function trustedAuthorities(pem: string | undefined): { ca?: string[] } {
  if (pem === undefined) return {}
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (certificates.length === 0)
    throw new Error('no certificate in PEM form (-----BEGIN CERTIFICATE-----) found')
  for (const certificate of certificates) new X509Certificate(certificate)
  return { ca: [...getCACertificates('default'), ...certificates] }
}
