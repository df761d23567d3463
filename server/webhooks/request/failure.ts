/**
 * Whose fault a failed connection is.
 *
 * What concerns one name or one route (no such name, refused, unreachable, TLS, reset) is the receiver's and makes an
 * outcome. What would hit every receiver alike (no descriptors, no memory, no resolver) is ours: it spends no attempt
 * and must never turn an endpoint off.
 */
import { isIPv6 } from 'node:net'
import type { Outcome } from '../outcomes.ts'
import { NotDialled } from './connector.ts'

/** Ours. `detail` is for logs. */
export interface Fault {
  readonly fault: 'no_resolver' | 'descriptors' | 'resources' | 'connections' | 'closed' | 'internal'
  readonly detail: string
}

const faultOfCode: Record<string, Fault['fault']> = {
  EMFILE: 'descriptors',
  ENFILE: 'descriptors',
  ENOBUFS: 'resources',
  ENOMEM: 'resources',
  EADDRNOTAVAIL: 'resources',
  UND_ERR_INVALID_ARG: 'internal',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_CLOSED: 'closed',
}

const closedByPeer = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'])

/**
 * What an attempt without an answer comes to. `silentlyReused`: it went out on a kept connection and not a byte of an
 * answer came; only then is a closed connection `connection_closed`. The same on a new one is the receiver's doing.
 */
export function judgeFailure(
  error: Error,
  silentlyReused: boolean,
): Fault | { outcome: Outcome; operatorDetail: string } {
  if (error instanceof NotDialled) {
    if (error.why === 'no_resolver') return { fault: 'no_resolver', detail: error.message }
    const outcome = error.why === 'not_public' ? 'address_not_public' : 'could_not_connect'
    return { outcome, operatorDetail: error.message }
  }
  // With several addresses, Node gathers one error for each.
  const errors: SystemError[] = error instanceof AggregateError ? error.errors : [error]
  const detail = errors.map(({ code, message }) => (code ? `${code}: ${message}` : message)).join('; ')
  for (const { code, address } of errors) {
    // A machine without IPv6 says EADDRNOTAVAIL of every IPv6 address: no route, not a lack of ports.
    if (code === 'EADDRNOTAVAIL' && isIPv6(address ?? '')) continue
    const fault = faultOfCode[code ?? '']
    if (fault) return { fault, detail }
  }
  const closed = silentlyReused && closedByPeer.has(errors[0]?.code ?? '')
  return { outcome: closed ? 'connection_closed' : 'could_not_connect', operatorDetail: detail }
}

type SystemError = Error & { code?: string; address?: string }
