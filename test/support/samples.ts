import { z } from 'zod'
import { callsOf } from '../../model/calls.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { IncomingBytes } from '../../server/bytes.ts'
import { newId } from '../../server/database/ids.ts'
import { type AnyOperation, toldInPlaceOf } from '../../server/operation.ts'

/*
 * Inputs made from the schemas of operations, so that a new operation is met by every test that walks the list
 * without a line written for it. What a schema does not say stands in SPECIAL.
 */

/** The part of JSON Schema that our schemas use. */
export interface Form {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Form[]
  properties?: Record<string, Form>
  required?: string[]
  additionalProperties?: Form | boolean
  items?: Form
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  pattern?: string
  /** The prefix of the ids that stand here, or those of which it may have one. */
  refersTo?: string | readonly string[]
  format?: string
  $ref?: string
  $defs?: Record<string, Form>
}

const forms = new WeakMap<AnyOperation, Form>()

/** What an operation takes, as JSON Schema. It is made once: tests ask for it thousands of times. */
export function formOf(operation: AnyOperation): Form {
  const form = forms.get(operation) ?? makeForm(operation)
  forms.set(operation, form)
  return form
}

/** What of the input is the whole body is judged as that of the operation that adds one. */
function makeForm({ input, bodyIs }: AnyOperation): Form {
  const { properties = {}, required = [], ...form } = madeOf(input)
  const isFormed = (name: string) => name !== bodyIs
  return {
    ...form,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isFormed(name))),
    required: required.filter(isFormed),
  }
}

function madeOf(schema: z.ZodType): Form {
  const { $defs = {}, ...form } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Form
  return withParts(form, $defs)
}

/** With each part where it is pointed at, but for what is made of itself. */
function withParts<Part>(part: Part, parts: Record<string, Form>, within: readonly string[] = []): Part {
  if (Array.isArray(part)) return part.map((each) => withParts(each, parts, within)) as Part
  if (typeof part !== 'object' || part === null) return part
  const { $ref, ...own } = part as Form
  const name = $ref?.replace('#/$defs/', '')
  const there = name && !within.includes(name) ? parts[name] : {}
  const inside = name ? [...within, name] : within
  return Object.fromEntries(
    Object.entries({ ...there, ...own }).map(([name, inner]) => [name, withParts(inner, parts, inside)]),
  ) as Part
}

/** A valid input: everything required, and of the rest what `with` names. Strings differ from call to call. */
export function sampleOf(
  operation: AnyOperation,
  given: Record<string, unknown> = {},
): Record<string, unknown> {
  const { properties = {}, required = [] } = formOf(operation)
  const made = required.map((name) => [name, sample(properties[name]!)])
  const body = bodyOf(operation)
  return { ...Object.fromEntries(made), ...body, ...SPECIAL[operation.name]?.(), ...given }
}

function bodyOf({ input, bodyIs, takes }: AnyOperation): Record<string, unknown> {
  if (bodyIs && takes.types)
    return { [bodyIs]: new IncomingBytes(takes.types[0]!, BYTES.length, inOne(BYTES)) }
  return bodyIs ? { [bodyIs]: sample(madeOf(toldInPlaceOf(input.shape[bodyIs])!)) } : {}
}

const BYTES = Buffer.from('A few bytes.')
async function* inOne(bytes: Uint8Array) {
  yield bytes
}

/** Where a schema alone does not tell what is valid. */
const SPECIAL: Record<string, () => Record<string, unknown>> = {
  createFile: () => ({ name: 'sample.txt', bytes: BYTES.length }),
  createWebhookEndpoint: () => ({ address: 'https://receiver.invalid/', signalTypes: ['risk.created'] }),
  createSignInProvider: () => ({ issuer: 'https://provider.invalid' }),
  verifySignInDomain: () => ({ domain: 'example.com' }),
  createRiskAcceptance: () => ({ expiresAt: '2199-12-31' }),
  createPolicyException: () => ({ expiresAt: `${2_101 + (++drawn % 90)}-12-31` }),
  createCustomField: () => ({ name: `sample${++drawn}` }),
  // As text, so that what stands in it can be looked at.
  ...Object.fromEntries(everyKind.map((kind) => [callsOf(kind).export, () => ({ format: 'csv' })])),
  startExport: () => ({ type: 'risk', format: 'csv' }),
  startBulkEdit: () => ({ type: 'risk', ids: [newId('risk')], change: { impact: 'minor' } }),
  createPolicyFromFile: () => ({ content: 'A text' }),
  createSavedView: () => ({ query: 'status=identified' }),
  createPasskey: () => {
    const response = { clientDataJSON: 'e30', attestationObject: 'oA' }
    return { response: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response } }
  },
}

let drawn = 0

/** A value that fits. */
export function sample(form: Form): unknown {
  const bare = bareOf(form)
  if (bare.const !== undefined) return bare.const
  if (bare.enum) return bare.enum[0]
  switch (bare.type) {
    case 'string':
      return sampleText(bare)
    case 'integer':
    case 'number':
      return Math.max(bare.minimum ?? 0, 1)
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: bare.minItems ?? 0 }, () => sample(bare.items ?? {}))
    case 'object':
      return Object.fromEntries((bare.required ?? []).map((name) => [name, sample(bare.properties![name]!)]))
    default:
      return 'anything'
  }
}

/** Which parameters of its path are ids of records: what is one of a few words is the same in every organization. */
export const idsInPath = (operation: AnyOperation): readonly string[] =>
  [...operation.path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => !bareOf(formOf(operation).properties![name]!).enum)

/** Without the null it may be instead. */
export const bareOf = (form: Form): Form => form.anyOf?.find((one) => one.type !== 'null') ?? form

function sampleText({ format, pattern, refersTo, minLength = 0 }: Form): string {
  drawn++
  if (format === 'email') return `person${drawn}@example.com`
  if (format === 'date') return '2026-05-17'
  if (format === 'date-time') return '2026-05-17T10:00:00.000Z'
  if (format === 'uri') return `https://hooks.example.com/${drawn}`
  if (pattern === '^[0-9a-f]{64}$') return '0'.repeat(64)
  if (pattern?.startsWith('^[1-9]')) return '1'
  if (pattern === '^[A-Z]{2}$') return 'DE'
  if (pattern === '^[A-Z]{3}$') return 'EUR'
  return typeof refersTo === 'string' ? newId(refersTo) : `sample ${drawn} `.padEnd(minLength, 'x').trim()
}

/** How an operation is asked over HTTP: the flat input taken apart again. */
export function requestFor(
  operation: AnyOperation,
  input: Record<string, unknown>,
): { path: string; body?: unknown } {
  const rest = { ...input }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]))
    delete rest[name]
    return value
  })
  const { bodyIs, takes } = operation
  if (bodyIs && takes.types) {
    const { [bodyIs]: _, ...beside } = rest
    return { path: `${path}?${new URLSearchParams(beside as Record<string, string>)}`, body: BYTES }
  }
  if (bodyIs) {
    const { [bodyIs]: body, ...beside } = rest
    return { path, body: { ...(body as object), ...beside } }
  }
  if (operation.method !== 'GET' && operation.method !== 'DELETE') return { path, body: rest }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest))
    for (const one of [value].flat())
      query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  return { path: query.size > 0 ? `${path}?${query}` : path }
}
