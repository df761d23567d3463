import { refuseUnstorable } from '../input.ts'
import { beginningOf, invalid, Refusal } from '../refusal.ts'

const PARAMETERS_AT_MOST = 128

/**
 * What no door takes in the address of a request, whoever reads it behind the door: what does not decode, and what
 * decodes to text that cannot be stored.
 * @param params what stands in the path, by the names that the route gives it
 */
export function addressFault(url = '', params: unknown = {}): Refusal | null {
  if (!url.includes('%')) return null
  const { '*': _, ...named } = params as Record<string, string>
  try {
    refuseUnstorable(named)
    refuseUnstorable(decoded(url.split('?', 1)[0]!, 'The path'), '(path)')
    for (const { name, value } of parametersIn(url)) {
      refuseUnstorable(name, '(query)')
      refuseUnstorable(value(), name)
    }
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * The parameters of a query string; a repeated one has all its values.
 * @param url as it stands in the request line
 * @throws {Refusal} `malformed_request` where it is not percent-encoded UTF-8
 */
export function readQuery(url: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let count = 0
  for (const { name, value } of parametersIn(url)) {
    if (++count > PARAMETERS_AT_MOST)
      throw invalid({
        path: '(query)',
        message: `has more than ${PARAMETERS_AT_MOST} parameters: send fewer`,
      })
    const known = found.get(name)
    if (known) known.push(value())
    else found.set(name, [value()])
  }
  return found
}

function* parametersIn(url: string): Generator<{ name: string; value: () => string }> {
  const start = url.indexOf('?')
  if (start < 0) return
  for (const part of url.slice(start + 1).split('&')) {
    if (part === '') continue
    const sign = part.indexOf('=')
    const name = decoded(sign < 0 ? part : part.slice(0, sign), 'The name of a parameter')
    yield {
      name,
      value: () => (sign < 0 ? '' : decoded(part.slice(sign + 1), `The parameter ${beginningOf(name)}`)),
    }
  }
}

/** @throws {Refusal} `malformed_request` */
function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Refusal('malformed_request', `${what} is not percent-encoded UTF-8: encode it.`)
  }
}
