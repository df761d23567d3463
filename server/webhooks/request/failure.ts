/**
 * Whose fault a failed connection is.
 *
 * What concerns one name or one route (no such name, refused, unreachable, TLS, reset) is the receiver's and makes an
 * outcome. What would hit every receiver alike (no descriptors, no memory, no resolver) is ours: it spends no attempt
 * and must never turn an endpoint off.
 */
import { isIPv6 } from 'node:net'
import { InvalidAnswer } from '../../outbound/answer-reader.ts'
import { ConnectionClosed } from '../../outbound/connection.ts'
import { NoneFree } from '../../outbound/connections.ts'
import { NotDialled } from '../../outbound/connector.ts'
import type { ConnectionFailure, Outcome } from '../outcomes.ts'

/** Ours. `detail` is for logs. */
export interface Fault {
  readonly fault: 'no_resolver' | 'descriptors' | 'resources' | 'connections' | 'closed' | 'internal'
  readonly detail: string
}

/** What an operator can do. */
export const faultCures: Record<Fault['fault'], string> = {
  no_resolver: 'no name server answers: see to /etc/resolv.conf and the way to the servers it names',
  descriptors: 'this process has no file descriptors left: raise its limit (ulimit -n)',
  resources: 'the machine has no memory or no ports left for connections: give it more',
  connections: 'all of its connections are taken: it goes on when some are free',
  closed: 'it is stopping: another process goes on',
  internal: 'report it with this line',
}

const faultOfCode: Record<string, Fault['fault']> = {
  EMFILE: 'descriptors',
  ENFILE: 'descriptors',
  ENOBUFS: 'resources',
  ENOMEM: 'resources',
  EADDRNOTAVAIL: 'resources',
}

const closedByPeer = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/**
 * What an attempt without an answer comes to. `silentlyReused`: it went out on a kept connection and not a byte of an
 * answer came; only then is one that was closed, or ended by an alert of TLS, `connection_closed`. The same on a new one is the receiver's doing.
 */
export function judgeFailure(
  error: Error,
  silentlyReused: boolean,
): Fault | { outcome: Outcome; reason: ConnectionFailure | null; operatorDetail: string } {
  if (error instanceof NotDialled) {
    if (error.why === 'no_resolver') return { fault: 'no_resolver', detail: error.message }
    const operatorDetail = error.message
    return error.why === 'not_public'
      ? { outcome: 'address_not_public', reason: null, operatorDetail }
      : { outcome: 'could_not_connect', reason: 'name_not_found', operatorDetail }
  }
  if (error instanceof NoneFree) return { fault: 'connections', detail: error.message }
  if (error instanceof InvalidAnswer)
    return { outcome: 'could_not_connect', reason: 'protocol', operatorDetail: error.message }
  // With several addresses, Node gathers one error for each.
  const errors: SystemError[] = error instanceof AggregateError ? error.errors : [error]
  const detail = errors.map(({ code, message }) => (code ? `${code}: ${message}` : message)).join('; ')
  for (const { code, address } of errors) {
    // A machine without IPv6 says EADDRNOTAVAIL of every IPv6 address: no route, not a lack of ports.
    if (code === 'EADDRNOTAVAIL' && isIPv6(address ?? '')) continue
    const fault = faultOfCode[code ?? '']
    if (fault) return { fault, detail }
  }
  const reason = reasonOf(errors[0]!)
  const wasLeft =
    error instanceof ConnectionClosed || reason === 'tls' || closedByPeer.has(errors[0]?.code ?? '')
  if (silentlyReused && wasLeft) return { outcome: 'connection_closed', reason: null, operatorDetail: detail }
  return { outcome: 'could_not_connect', reason, operatorDetail: detail }
}

const reasons: Record<string, ConnectionFailure> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  EPROTO: 'tls',
}

/** Of OpenSSL's verdicts on a certificate, those that are not named above. */
const untrusted =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_|CRL_)/

function reasonOf({ code = '' }: SystemError): ConnectionFailure {
  const named = reasons[code]
  if (named) return named
  if (untrusted.test(code)) return 'certificate_untrusted'
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') ? 'tls' : 'reset'
}

type SystemError = Error & { code?: string; address?: string }
