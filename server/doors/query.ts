import { refuseUnstorable } from '../input.ts'
import { invalid, Refusal } from '../refusal.ts'

const PARAMETERS_AT_MOST = 128

/**
 * What no door takes in the address of a request, whoever reads it behind the door: what does not decode, and what
 * decodes to text that cannot be stored.
 */
export function addressFault(url = ''): Refusal | null {
  if (!url.includes('%')) return null
  try {
    refuseUnstorable(decodeURIComponent(url), '(address)')
    return null
  } catch (error) {
    return error instanceof Refusal ? error : undecodable('The address')
  }
}

/**
 * The parameters of a query string; a repeated one has all its values.
 * @param url as it stands in the request line
 * @throws {Refusal} `malformed_request` where it is not percent-encoded UTF-8
 */
export function readQuery(url: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const start = url.indexOf('?')
  if (start < 0 || start === url.length - 1) return found
  const parts = url.slice(start + 1).split('&')
  if (parts.length > PARAMETERS_AT_MOST)
    throw invalid({ path: '(query)', message: `has more than ${PARAMETERS_AT_MOST} parameters: send fewer` })
  for (const part of parts) {
    if (part === '') continue
    const sign = part.indexOf('=')
    const name = decode(sign < 0 ? part : part.slice(0, sign))
    const value = sign < 0 ? '' : decode(part.slice(sign + 1))
    const known = found.get(name)
    if (known) known.push(value)
    else found.set(name, [value])
  }
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw undecodable('The query')
  }
}

const undecodable = (what: string): Refusal =>
  new Refusal('malformed_request', `${what} is not percent-encoded UTF-8: encode it.`)
