import { createHash } from 'node:crypto'

/*
 * The words of OSCAL that every document of it uses. Text of ours is anybody's; that of OSCAL has forms: what is one line
 * has no break, an identifier of a control begins with a letter, and nothing is empty.
 */

export const OSCAL_VERSION = '1.2.1'

/** Where properties are from that OSCAL does not name itself. */
export const NAMESPACE = 'urn:plumbline:oscal'

/** Of which ours are made: what has the same id has the same UUID in every document, and nowhere else. */
const SPACE = Buffer.from('5b0f54d9a3fa4c51a6a0c2f1b8f2d0c7', 'hex')

/** A UUID of version 5, by what it is of. */
export function uuidOf(...parts: readonly string[]): string {
  const hash = createHash('sha1').update(SPACE).update(parts.join('\u0000')).digest().subarray(0, 16)
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const EMPTY = 'Not described'

/** Text as one line. */
export const line = (text: string | null | undefined): string =>
  text?.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim() || EMPTY

/** Text of several lines. */
export const prose = (text: string | null | undefined): string => text?.trim() || EMPTY

/** A moment as OSCAL has it, with a zone. */
export const moment = (time: string): string => new Date(time).toISOString()

/**
 * The identifiers of requirements as those of controls: their keys without what no identifier has. NIST writes `AC-2(1)`
 * and means `ac-2.1`, so that a catalog of OSCAL is met by its own identifiers.
 * @param isOfOscal whether the framework was imported from OSCAL
 */
export function controlIds(
  requirements: readonly { readonly id: string; readonly key: string }[],
  isOfOscal: boolean,
): ReadonlyMap<string, string> {
  const spelled = requirements.map(({ id, key }) => [id, isOfOscal ? key.toLowerCase() : key] as const)
  // A key that is an identifier already is nobody else's.
  const exact = new Set(spelled.flatMap(([, key]) => (tokenOf(key) === key ? [key] : [])))
  const taken = new Set<string>()
  // Where counting has come to, so that thousands that come to one identifier are not counted from the first each time.
  const last = new Map<string, number>()
  return new Map(
    spelled.map(([id, key]) => {
      const token = tokenOf(key)
      if (token === key && !taken.has(key)) {
        taken.add(key)
        return [id, key]
      }
      let number = last.get(token) ?? 1
      let name = number === 1 ? token : `${token}_${number}`
      while (taken.has(name) || (exact.has(name) && name !== key)) {
        number += 1
        name = `${token}_${number}`
      }
      last.set(token, number)
      taken.add(name)
      return [id, name]
    }),
  )
}

export function tokenOf(text: string): string {
  const token = text
    .replaceAll(/\s*[([]\s*/g, '.')
    .replaceAll(/[)\]]/g, '')
    .replaceAll(/[^\p{L}\p{N}.\-_]+/gu, '_')
  return /^[\p{L}_]/u.test(token) ? token : `_${token}`
}

export const property = (name: string, value: string) => ({ name, ns: NAMESPACE, value: line(value) })

/** A list that is left out where it has nothing in it: OSCAL knows no empty one. */
export const some = <Name extends string, T>(name: Name, all: readonly T[]): { [N in Name]?: readonly T[] } =>
  (all.length > 0 ? { [name]: all } : {}) as { [N in Name]?: readonly T[] }

/** Lists that are as long as a register stand this deep: what is in one is written at once. */
const WHOLE_AT = 5

/** A document as JSON, piece by piece: it is never one text, however long it is. */
export function* piecesOf(value: unknown, depth = 0): Generator<string> {
  if (depth >= WHOLE_AT || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value)
    return
  }
  const isList = Array.isArray(value)
  const all = isList ? value : Object.entries(value).filter(([, one]) => one !== undefined)
  yield isList ? '[' : '{'
  for (const [index, one] of all.entries()) {
    if (index > 0) yield ','
    if (!isList) yield `${JSON.stringify(one[0])}:`
    yield* piecesOf(isList ? one : one[1], depth + 1)
  }
  yield isList ? ']' : '}'
}

/** What documents are made from. */
export interface Exported {
  readonly organization: { readonly id: string; readonly name: string }
  readonly framework: {
    readonly id: string
    readonly key: string
    readonly edition: string
    readonly name: string
    readonly publisher: string | null
    readonly version: number
    readonly sourceFormat: string | null
    readonly activatedAt: string | null
    readonly createdAt: string
  }
  readonly now: string
  /** Where the service is, for whoever follows a link. */
  readonly publicUrl: string
}

export const metadata = (title: string, { organization, framework, now }: Exported) => ({
  title: line(title),
  'last-modified': moment(now),
  version: String(framework.version),
  'oscal-version': OSCAL_VERSION,
  parties: [{ uuid: uuidOf(organization.id), type: 'organization', name: line(organization.name) }],
})

/** The framework as a resource that a document points at. */
export const frameworkResource = ({ framework, publicUrl }: Exported) => ({
  uuid: uuidOf(framework.id),
  title: line(`${framework.name}, ${framework.edition}`),
  ...(framework.publisher === null ? {} : { description: prose(`Published by ${framework.publisher}.`) }),
  'document-ids': [{ identifier: line(framework.key) }],
  rlinks: [{ href: `${publicUrl}/frameworks/${framework.id}`, 'media-type': 'text/html' }],
})
