import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AnyOperation } from '../operation.ts'
import { type FieldError, invalid, notFound } from '../refusal.ts'
import { readJson } from './body.ts'
import { lazily } from './lazily.ts'
import { readQuery } from './query.ts'
import { bytesOf } from './streams.ts'

type Flat = Record<string, unknown>

/**
 * How the flat input of an operation is read from a request: names in `{}` from the path, the rest from the
 * query (GET, DELETE, and of what takes bytes) or the body, and some from a header as well. What its schema says is
 * read at the first request.
 * @param inPath the names that stand in the path, where it is another than the operation's own
 */
export function inputReader(
  operation: AnyOperation,
  inPath = namesInPath(operation.path),
): (request: FastifyRequest) => Promise<Flat> {
  const coercionsOf = lazily(() => coercions(operation.input))
  const groupsOf = lazily(() => parameterGroups(operation.input))
  const headers = Object.entries(operation.headers ?? {})
  const inQuery = operation.method === 'GET' || operation.method === 'DELETE'
  const { bodyIs } = operation
  const { bytes, types } = operation.takes
  return async (request) => {
    const query = readQuery(request.raw.url ?? '')
    const isQuery = inQuery || types !== undefined
    const sent = isQuery ? fromQuery(query, coercionsOf(), groupsOf()) : await fromBody(request, query, bytes)
    if (bodyIs && types) set(sent, bodyIs, bytesOf(request))
    const rest = bodyIs && !types ? { [bodyIs]: sent } : sent
    if (operation.method === 'DELETE') refuseContent(await readJson(request.raw))
    const params = request.params as Record<string, string>
    addParameters(inPath, params, rest)
    for (const [name, header] of headers) {
      const value = request.headers[header]
      if (typeof value === 'string') fromHeader(rest, name, header, value)
    }
    return rest
  }
}

/**
 * Adds what stands in the path to what else was sent.
 * @throws {Refusal} `not_found` for an empty one; `validation_failed` where something else was sent under its name
 */
export function addParameters(inPath: readonly string[], params: Record<string, string>, rest: Flat): void {
  if (inPath.some((name) => params[name] === '')) throw notFound()
  refuseOtherIds(inPath, params, rest)
  for (const name of inPath) set(rest, name, params[name])
}

export const namesInPath = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)

/** As a plain own property, whatever the name. */
function set(flat: Flat, name: string, value: unknown): void {
  Object.defineProperty(flat, name, { value, enumerable: true, configurable: true, writable: true })
}

function fromQuery(
  query: Map<string, string[]>,
  coerce: Map<string, Coercion>,
  groups: readonly string[],
): Flat {
  const flat: Flat = {}
  for (const [name, values] of query) {
    const group = groups.find((one) => name.startsWith(`${one}.`))
    if (group === undefined) set(flat, name, (coerce.get(name) ?? single)(values))
    else addToGroup(flat, group, name.slice(group.length + 1), single(values))
  }
  return flat
}

/** What is given under the name of the group itself stays, for the schema to refuse. */
function addToGroup(flat: Flat, group: string, name: string, value: unknown): void {
  if (!Object.hasOwn(flat, group)) set(flat, group, {})
  const there = flat[group]
  if (typeof there === 'object' && !Array.isArray(there)) set(there as Flat, name, value)
}

/** Inputs that are made of parameters whose names begin with theirs and a dot, as `customFields.site`. */
export const parameterGroups = (input: z.ZodObject): string[] =>
  Object.keys(input.shape).filter((name) => unwrapped(input.shape[name]!)._zod.def.type === 'record')

async function fromBody(
  request: FastifyRequest,
  query: Map<string, string[]>,
  limit?: number,
): Promise<Flat> {
  const read = await readJson(request.raw, limit)
  const body = read === undefined ? {} : read
  if (query.size > 0)
    throw invalid(
      ...[...query.keys()].map((path) => ({
        path,
        message: 'is a parameter of the query: send it as a field of the body',
      })),
    )
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid({
      path: '(body)',
      message: 'is no JSON object: send the fields in one, such as {"title": "Unpatched gateway"}',
    })
  return body as Flat
}

function refuseContent(body: unknown): void {
  const isEmpty =
    body === undefined ||
    (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0)
  if (!isEmpty) throw invalid({ path: '(body)', message: 'this call takes no body: use the query' })
}

/** What was read can be sent back with its id, as long as it is the id of the path. */
function refuseOtherIds(inPath: readonly string[], params: Record<string, string>, rest: Flat): void {
  const errors: FieldError[] = inPath
    .filter((name) => Object.hasOwn(rest, name) && rest[name] !== params[name])
    .map((path) => ({ path, message: 'is not the one in the path: leave it out' }))
  if (errors.length > 0) throw invalid(...errors)
}

/**
 * Versions are given as entity tags (RFC 9110, 13.1.1); a bare number counts as a tag, and a tag that is no version never
 * matches. A weak tag matches too: proxies that compress answers weaken the tags that clients then send back, and the
 * number says which version it was.
 */
function fromHeader(flat: Flat, name: string, header: string, value: string): void {
  if (header !== 'if-match') {
    set(flat, name, value)
    return
  }
  const tags = value.split(',').map((tag) => tag.trim())
  if (tags.length === 1 && tags[0] === '*') return
  const versions = tags.flatMap((tag) => {
    const [, quoted, bare] = /^(?:(?:W\/)?"([1-9]\d{0,9})"|([1-9]\d{0,9}))$/.exec(tag) ?? []
    return quoted ?? bare ?? []
  })
  set(flat, name, versions.slice(0, TAGS_AT_MOST).map(Number))
}

const TAGS_AT_MOST = 100

type Coercion = (values: string[]) => unknown

/** From the texts of a query to what the schema of the input expects; what does not fit, the schema refuses. */
function coercions(input: z.ZodObject): Map<string, Coercion> {
  return new Map(
    Object.entries(input.shape).map(([name, schema]) => [name, coercion(schema as z.core.$ZodType)]),
  )
}

function coercion(schema: z.core.$ZodType): Coercion {
  const bare = unwrapped(schema)
  if (bare._zod.def.type !== 'array') {
    const one = element(bare)
    return (values) => (values.length === 1 ? one(values[0]!) : values)
  }
  const one = element(unwrapped((bare._zod.def as z.core.$ZodArrayDef).element))
  return (values) => values.map(one)
}

const single: Coercion = (values) => (values.length === 1 ? values[0] : values)

function element(schema: z.core.$ZodType): (text: string) => unknown {
  switch (schema._zod.def.type) {
    case 'number':
      return (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text)
    case 'boolean':
      return (text) => (text === 'true' ? true : text === 'false' ? false : text)
    default:
      return (text) => text
  }
}

/** Without what says only that it may be absent, null, or has a default. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: z.core.$ZodType }
  return innerType &&
    ['optional', 'nullable', 'default', 'prefault', 'nonoptional', 'readonly'].includes(type)
    ? unwrapped(innerType)
    : schema
}
