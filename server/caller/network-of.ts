import { isIPv4, isIPv6 } from 'node:net'

/**
 * Where an address is counted: an IPv4 address by itself, an IPv6 address by its /64, which one customer has
 * whole. The same address has one name here however it was written: IPv4 inside IPv6 (RFC 4291, 2.5.5.2) is
 * that IPv4, a zone is no part of it. What is no address is counted as it stands.
 */
export function networkOf(address: string | undefined): string {
  // Node does not know the address of a connection that its client has reset.
  if (address === undefined) return 'none'
  const [plain = ''] = address.split('%')
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return address
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight numbers of an IPv6 address; the URL parser writes every form of one alike. */
function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = written.split('::')
  const [before, behind] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - before!.length - behind!.length).fill('0')
  return [...before!, ...zeros, ...behind!].map((group) => Number.parseInt(group, 16))
}

/**
 * What a proxy says of where a request came from, in the one spelling that everybody else here reads: without the
 * port and the brackets that some add, and IPv4 inside IPv6 as that IPv4.
 *
 * Entries are written from left to right, so what is no address (`unknown`, a name, a blank) ends what can be
 * believed: it and what stands before it are left out, and the proxy behind it counts as the sender.
 * @param header X-Forwarded-For, as it came
 * @returns the header to read in its place; empty where nothing in it can be believed
 */
export function readableForwardedFor(header: string): string {
  const addresses = header.split(',').map(plainAddress)
  return addresses.slice(addresses.lastIndexOf(null) + 1).join(', ')
}

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/

function plainAddress(entry: string): string | null {
  const text = entry.trim()
  const bare = (BRACKETED.exec(text) ?? WITH_PORT.exec(text))?.[1] ?? text
  const [address = ''] = bare.split('%')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return null
  const network = networkOf(address)
  return isIPv4(network) ? network : address
}
