/* What machines are called in a network: names, addresses, and ranges of those. */

const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?`
const HOSTNAME = new RegExp(String.raw`^(?:\*\.)?${LABEL}(?:\.${LABEL})*\.?$`, 'u')

/** A name of labels, also of letters beyond ASCII or with `_`, as networks have them; `*.` before it stands for any. */
export const isHostname = (text: string): boolean => HOSTNAME.test(text)

/** An IPv4 or IPv6 address, or a range of them as `10.0.0.0/8`. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', length, ...more] = text.split('/')
  const bits = bitsOf(address)
  if (bits === null || more.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
}

const bitsOf = (address: string): number | null => (isIpv4(address) ? 32 : isIpv6(address) ? 128 : null)

const isIpv4 = (text: string): boolean =>
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)

/** Eight groups, of which `::` stands for one or more; the last two may be written as IPv4. */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const hasIpv4 = isIpv4(last) && !text.endsWith('::')
  const hex = hasIpv4 ? groups.slice(0, -1) : groups
  const count = hex.length + (hasIpv4 ? 2 : 0)
  return (
    hex.every((group) => /^[\da-f]{1,4}$/i.test(group)) && (halves.length === 2 ? count < 8 : count === 8)
  )
}
