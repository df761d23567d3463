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
 * The control ids of requirements: the ids of the OSCAL catalog that they were imported from. Other requirements have
 * their key without the letters that no id has. An OSCAL framework that was imported before ids were stored has keys such
 * as `AC-2(1)`, which NIST writes `ac-2.1` as an id.
 * @param isOfOscal whether the framework was imported from OSCAL
 */
export function controlIds(
  requirements: readonly { readonly id: string; readonly key: string; readonly sourceId?: string | null }[],
  isOfOscal: boolean,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, sourceId } of requirements)
    if (sourceId && tokenOf(sourceId) === sourceId && !taken.has(sourceId)) {
      taken.add(sourceId)
      ids.set(id, sourceId)
    }
  const spelled = requirements
    .filter(({ id }) => !ids.has(id))
    .map(({ id, key, sourceId }) => [id, sourceId ?? (isOfOscal ? key.toLowerCase() : key)] as const)
  // A key that is an id already belongs to its own requirement.
  const exact = new Set(spelled.flatMap(([, key]) => (tokenOf(key) === key ? [key] : [])))
  // The last number of each id, so that thousands that come to one id are not counted from the first each time.
  const last = new Map<string, number>()
  for (const [id, key] of spelled) {
    const token = tokenOf(key)
    if (token === key && !taken.has(key)) {
      taken.add(key)
      ids.set(id, key)
      continue
    }
    let number = last.get(token) ?? 1
    let name = number === 1 ? token : `${token}_${number}`
    while (taken.has(name) || (exact.has(name) && name !== key)) {
      number += 1
      name = `${token}_${number}`
    }
    last.set(token, number)
    taken.add(name)
    ids.set(id, name)
  }
  return ids
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
    readonly sourceUuid: string | null
    readonly sourceHref: string | null
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

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The UUID of the catalog that the framework was imported from, else one of ours. */
export const frameworkUuid = ({ id, sourceUuid }: Exported['framework']): string =>
  sourceUuid !== null && UUID.test(sourceUuid) ? sourceUuid : uuidOf(id)

const ADDRESS = /^https?:\/\/[^\s<>"{}|\\^`]+$/

/** The framework as a resource that a document points at. */
export const frameworkResource = ({ framework, publicUrl }: Exported) => ({
  uuid: frameworkUuid(framework),
  title: line(`${framework.name}, ${framework.edition}`),
  ...(framework.publisher === null ? {} : { description: prose(`Published by ${framework.publisher}.`) }),
  'document-ids': [{ identifier: line(framework.key) }],
  rlinks: [
    ...(framework.sourceHref !== null && ADDRESS.test(framework.sourceHref)
      ? [{ href: framework.sourceHref }]
      : []),
    { href: `${publicUrl}/frameworks/${framework.id}`, 'media-type': 'text/html' },
  ],
})
