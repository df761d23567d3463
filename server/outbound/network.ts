/**
 * IP addresses and networks as bytes.
 *
 * Text has too many spellings of one address (`127.1`, `0x7f000001`, `::ffff:7f00:1`) and every library asked for a
 * verdict so far missed one of them. So text is turned into 4 or 16 bytes first, by the strictest reading there is,
 * and only bytes are ever compared. What does not parse is no address: callers refuse it.
 */

/** 4 bytes (IPv4) or 16 (IPv6), in network order. */
export type Ip = Uint8Array

/** A block of addresses: those whose first `bits` bits equal those of `bytes`. */
export interface Network {
  readonly bytes: Ip
  readonly bits: number
}

/**
 * Reads an address as resolvers, sockets and hosts files write it: four decimal numbers without leading zeros, or
 * RFC 4291 text with at most one `::` and an optional dotted tail. Zones (`fe80::1%eth0`) are no address here.
 */
export function parseIp(text: string): Ip | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

/**
 * Reads `10.0.0.0/8`, `fd00::/8` or a single address (`/32` or `/128` is meant).
 * Throws an `Error` whose message says what is wrong and what was probably meant.
 */
export function parseNetwork(text: string): Network {
  const [address = '', prefix, ...rest] = text.trim().split('/')
  const bytes = parseIp(address)
  if (!bytes || rest.length > 0)
    throw new Error(`"${text}" is no network: write it like 10.0.0.0/8 or fd00::/8`)
  const width = bytes.length * 8
  if (prefix === undefined) return { bytes, bits: width }
  const bits = /^(0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(bits <= width))
    throw new Error(`"${text}" is no network: the part after / is a number from 0 to ${width}`)
  const start = bytes.map((byte, index) => byte & maskOf(index, bits))
  if (!sameIp(bytes, start)) {
    throw new Error(`"${text}" names an address inside its network: did you mean ${formatIp(start)}/${bits}?`)
  }
  return { bytes, bits }
}

/** Whether the network holds the address. An IPv4 address is in no IPv6 network, mapped or not, and the reverse. */
export function contains({ bytes, bits }: Network, ip: Ip): boolean {
  if (ip.length !== bytes.length) return false
  return ip.every((byte, index) => ((byte ^ bytes[index]!) & maskOf(index, bits)) === 0)
}

export function sameIp(one: Ip, other: Ip): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** Text for logs and for dialling: dotted for 4 bytes, eight uncompressed groups for 16. */
export function formatIp(ip: Ip): string {
  if (ip.length === 4) return ip.join('.')
  return Array.from({ length: 8 }, (_, n) => ((ip[2 * n]! << 8) | ip[2 * n + 1]!).toString(16)).join(':')
}

function maskOf(index: number, bits: number): number {
  const left = Math.min(8, Math.max(0, bits - index * 8))
  return (0xff << (8 - left)) & 0xff
}

function parseIpv4(text: string): Ip | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  const bytes = new Uint8Array(4)
  for (const [index, part] of parts.entries()) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null
    bytes[index] = Number(part)
  }
  return bytes
}

function parseIpv6(text: string): Ip | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = [groupsOf(halves[0]!, halves.length === 1), groupsOf(halves[1] ?? '', true)]
  if (!head || !tail) return null
  const missing = 16 - head.length - tail.length
  // `::` stands for at least one group (RFC 5952 would not even use it for one, resolvers do).
  if (halves.length === 2 ? missing < 2 : missing !== 0) return null
  return Uint8Array.from([...head, ...new Array<number>(missing).fill(0), ...tail])
}

/** The bytes of one side of `::`; a dotted IPv4 tail may stand only at the very end of an address. */
function groupsOf(text: string, mayEndDotted: boolean): number[] | null {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
      continue
    }
    const dotted = mayEndDotted && index === groups.length - 1 ? parseIpv4(group) : null
    if (!dotted) return null
    bytes.push(...dotted)
  }
  return bytes
}
