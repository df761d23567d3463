/**
 * What a public https address is.
 *
 * An organization tells the service where to send, and the service stands inside somebody's network: whatever it can
 * reach, a tenant could make it reach, and read the answer in the delivery log. So an address is judged twice. Here,
 * by its form: the WHATWG URL parser reads it (the same reading the connection will use), and what it makes of the
 * host is either a name or bytes. Then, by `connector.ts`, for every IP it stands for, each time it is dialled.
 *
 * The verdict is ours and fails closed: no library's idea of "private" is asked, because those miss ranges (cloud
 * metadata on plain unicast, IPv4 inside IPv6 in six spellings, space nobody has assigned yet). In IPv6 only what is
 * assigned for public use passes; everything else, known or not, is refused by one rule.
 */
import { contains, type Ip, type Network, parseIp, parseNetwork } from './network.ts'

/** An address whose form is fine. Nothing is said yet about where its host leads. */
export interface Address {
  /** Scheme, host and port, in normal form: connections are shared under it. */
  readonly origin: string
  /** The host name in ASCII without a trailing dot, or the IP literal without brackets. */
  readonly host: string
  readonly port: number
  /** Path and query as sent in the request line. */
  readonly path: string
  /** The bytes of an IP literal; `null` for a name. */
  readonly literal: Ip | null
  /** A name like `localhost` or `db.internal`: it passes only when all it resolves to lies in an allowed network. */
  readonly innerName: boolean
}

export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  /** `problem` completes the sentence "The address …" and says what to do. */
  | { readonly ok: false; readonly problem: string }

/** Longer than any receiver's address, shorter than what a log line or a list would choke on. */
const longestAddress = 2_048

/**
 * Reads an endpoint address: a WHATWG URL, https only, no user info, no fragment, a port from 1
 * to 65535, at most 2,048 characters. What the URL parser would quietly drop or repair (white space, backslashes, a
 * missing `//`) is refused, so that what is stored is what is dialled.
 */
export function parseAddress(text: string): ParsedAddress {
  if (text.length > longestAddress) return no(`is longer than ${longestAddress} characters`)
  if (/[\s\p{Cc}\\]/u.test(text)) return no('holds white space, a control character or a backslash')
  if (!/^https:\/\/[^/]/i.test(text)) return no('does not begin with https://')
  if (text.includes('#')) return no('has a fragment; leave out everything from # on')
  if (/^[^/?]*@/.test(text.slice('https://'.length)))
    return no('holds a user name or password; leave them out')
  const url = URL.parse(text)
  if (!url) return no('is not a valid URL')
  if (url.href.length > longestAddress) return no(`is longer than ${longestAddress} characters`)
  if (url.port === '0') return no('has port 0; use one from 1 to 65535')
  const host = hostOf(url.hostname)
  if (!host) return no('has a host that is neither a valid name nor an IP address')
  const origin = `https://${url.hostname.startsWith('[') ? url.hostname : host.name}${url.port && `:${url.port}`}`
  return {
    ok: true,
    address: {
      origin,
      host: host.name,
      port: Number(url.port || 443),
      path: url.pathname + url.search,
      literal: host.literal,
      innerName: host.literal === null && isInnerName(host.name),
    },
  }
}

/**
 * Where an IP lies: in a network the operator opened (`WEBHOOK_ALLOWED_NETWORKS`), on the public internet, or
 * anywhere else, which is refused. Anything but 4 or 16 bytes is refused.
 */
export function judgeIp(ip: Ip, allowed: readonly Network[]): 'allowed' | 'public' | 'refused' {
  if (allowed.some((network) => contains(network, ip))) return 'allowed'
  if (ip.length === 4) return refusedIpv4.some((network) => contains(network, ip)) ? 'refused' : 'public'
  if (!contains(globalUnicast, ip) || refusedIpv6.some((network) => contains(network, ip))) return 'refused'
  return 'public'
}

/** IANA special-purpose registries (RFC 6890 and its updates), multicast, reserved space, and one cloud's metadata. */
export const refusedIpv4: readonly Network[] = [
  '0.0.0.0/8', // "this network": 0.0.0.0 reaches the machine itself
  '10.0.0.0/8',
  '100.64.0.0/10', // shared carrier space; also tailnets and one cloud's metadata
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's wire server: ordinary unicast to look at
  '169.254.0.0/16', // link-local: cloud metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
].map(parseNetwork)

/**
 * The only IPv6 space ever assigned to the public internet. Refusing the rest refuses `::`, `::1`, IPv4 mapped,
 * compatible, translated (`::ffff:0:0:0/96`), NAT64 (`64:ff9b::`), discard-only, SRv6, unique-local, link-local,
 * site-local and multicast, without naming them.
 */
const globalUnicast = parseNetwork('2000::/3')

export const refusedIpv6: readonly Network[] = [
  '2001::/23', // protocol assignments: Teredo (IPv4 inside), benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 (IPv4 inside)
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(parseNetwork)

/** Names that mean a place inside: RFC 6761, 6762, 7686, 8375, and ICANN's `internal`. */
const innerSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'onion']

function isInnerName(name: string): boolean {
  return !name.includes('.') || innerSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

/** The URL parser has already undone percent signs, wide digits, and decimal, octal, hexadecimal and short IPv4. */
function hostOf(hostname: string): { name: string; literal: Ip | null } | null {
  if (hostname.startsWith('[')) {
    const name = hostname.slice(1, -1)
    const literal = parseIp(name)
    return literal && { name, literal }
  }
  const literal = parseIp(hostname)
  if (literal) return { name: hostname, literal }
  // `localhost.` is `localhost` to a resolver: one dot goes before any rule looks at the name.
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  const labels = name.split('.')
  const fine =
    name.length <= 253 && labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  // A last label of digits would be read as IPv4 by somebody further down.
  return fine && !/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!) ? { name, literal: null } : null
}

function no(problem: string): ParsedAddress {
  return { ok: false, problem }
}
