import { pathsOf } from '../../../model/family.ts'
import type { Kind } from '../../../model/kind.ts'
import { everyKind } from '../../../model/kinds/index.ts'
import { withArticle } from '../../../model/roles.ts'
import { nearestName } from '../../nearest-name.ts'
import type { AnyOperation } from '../../operation.ts'
import { openToPrograms } from '../../operations.ts'
import type { Refusal } from '../../refusal.ts'
import { toolNameOf } from './tools.ts'

/*
 * What a refusal says to a model: the field, what is wrong, what is allowed, and what to do next. Where something is
 * not found, that is the tool that finds it.
 */

const ERRORS_AT_MOST = 20
const REFERENCES_AT_MOST = 3

type Operations = readonly AnyOperation[]

/**
 * @param tool that was called
 * @param operation that it meant, where that could be told
 */
export function wordsOf(
  refusal: Refusal,
  tool: string,
  operation: AnyOperation | undefined,
  input: Readonly<Record<string, unknown>>,
  operations: Operations,
): string {
  const { errors, allowed } = refusal.members as {
    errors?: { path: string; message: string }[]
    allowed?: string[]
  }
  const lines = errors?.slice(0, ERRORS_AT_MOST).map(({ path, message }) => `${path}: ${message}`) ?? [
    refusal.message,
  ]
  if (errors && errors.length > ERRORS_AT_MOST)
    lines.push(`These are the first ${ERRORS_AT_MOST}. ${refusal.message}`)
  if (allowed) lines.push(allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'Nothing else is allowed.')
  lines.push(...waysOut(refusal, operation?.path ?? '', input, operations))
  if (errors) lines.push(`Nothing was changed: mend this and call ${tool} again.`)
  return lines.join('\n')
}

function waysOut(
  { code }: Refusal,
  path: string,
  input: Readonly<Record<string, unknown>>,
  operations: Operations,
): string[] {
  const isOwner = code === 'principal_not_found' || code === 'principal_inactive'
  if (code !== 'not_found' && code !== 'validation_failed' && !isOwner) return []
  const references = [...referencesIn(input)].map(([reference, kind]) => {
    const list = listAt(pathsOf(kind).all, operations)
    const how = list ? `: ${list} with reference ["${reference}"] finds it` : ''
    return `${reference} is the reference of ${withArticle(kind.noun)}, and no id${how}.`
  })
  if (isOwner) return [...references, 'listOwnershipPrincipals finds who may own, as type and refId.']
  if (code !== 'not_found' || references.length > 0) return references
  const other = everyKind.find(({ name }) => name === input.targetKind)
  const lists = [path.split('/{')[0]!, ...(other ? [pathsOf(other).all] : [])].flatMap(
    (collection) => listAt(collection, operations) ?? [],
  )
  return lines(lists)
}

const lines = (lists: readonly string[]): string[] =>
  lists.length > 0 ? [`${lists.join(' and ')} ${lists.length > 1 ? 'find' : 'finds'} ids.`] : []

const listAt = (collection: string, operations: Operations): string | undefined =>
  operations.find(({ method, path }) => method === 'GET' && path === collection)?.name

/** Inputs that take ids, and were given what people call the record: the first few of them, each once. */
function referencesIn(input: Readonly<Record<string, unknown>>): Map<string, Kind> {
  const found = new Map<string, Kind>()
  const given = Object.entries(input).flatMap(([name, value]) => {
    const refId = (value as { refId?: unknown } | null)?.refId
    return /^id$|Id$/.test(name) ? [value].flat() : refId === undefined ? [] : [refId]
  })
  for (const value of given) {
    if (found.size === REFERENCES_AT_MOST) break
    const [, prefix] = (typeof value === 'string' && /^\s*([A-Za-z]{2,5})-\d{1,9}\s*$/.exec(value)) || []
    const kind = everyKind.find(({ referencePrefix }) => referencePrefix === prefix?.toUpperCase())
    if (kind) found.set(String(value).trim().toUpperCase(), kind)
  }
  return found
}

/**
 * The tool that was meant, where one is near; what reads is never told to write. Also by the name that an operation has
 * at other doors: then with what its tool takes in place of that name.
 */
export function suggestedTool(name: string, operations: Operations): string | null {
  const callable = openToPrograms(operations)
  const verbs = new Set(callable.filter(({ method }) => method !== 'GET').map((one) => verbOf(one.name)))
  const mayWrite = verbs.has(verbOf(name))
  const known = callable.filter(({ method }) => mayWrite || method === 'GET')
  const byName = new Map(known.flatMap((one) => [[toolNameOf(one), one] as const, [one.name, one] as const]))
  const exact = operations.find((one) => one.name === name)
  if (exact) return `${howToCall(exact)} does that.`
  const nearest = nearestName(name, [...byName.keys()])
  const operation = nearest && byName.get(nearest)
  if (!operation) return null
  return `did you mean ${nearest === operation.name ? howToCall(operation) : nearest}?`
}

/** `getRecord with id risk_…` of `getRisk`. */
function howToCall({ name, method, input, sharedTool }: AnyOperation): string {
  if (!sharedTool) return name
  const { kind } = sharedTool
  if ('id' in input.shape) return `${sharedTool.name} with id ${kind.idPrefix}_…`
  return `${sharedTool.name} with type ${kind.name}${method === 'GET' ? ', and its filters in filters,' : ''}`
}

/** `create` of `createRisk`. */
const verbOf = (name: string): string => /^[a-z]*/.exec(name)![0]
