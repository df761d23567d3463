import { isIPv6 } from 'node:net'

/** An IPv6 customer has a /64 and may send from any address of it. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - groups.length - behind.length }, () => '0')
  return [...groups, ...zeros, ...behind].slice(0, 4).join(':')
}
