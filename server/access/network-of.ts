import { isIPv4, isIPv6 } from 'node:net'

/**
 * Where an address is counted: an IPv4 address by itself, an IPv6 address by its /64, which one customer has
 * whole. The same address has one name here however it was written: IPv4 inside IPv6 (RFC 4291, 2.5.5.2) is
 * that IPv4, a zone is no part of it. What is no address is counted as it stands.
 */
export function networkOf(address: string): string {
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
