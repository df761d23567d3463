import { z } from 'zod'
import type { AnyOperation } from '../../operation.ts'

/**
 * The schemas of a tool, as short as they can be: a model reads every tool that it may call before it calls one.
 *
 * What is taken: names, types, fixed values and the few descriptions; limits and patterns are told by the refusal
 * of what breaks them. What many tools take alike, and that `null` clears, is said once, in the instructions of the
 * server. What is answered: only what other calls are made with; an answer always has more. A schema here says less
 * than the operation's own, and never another thing.
 */
export interface ToolSchema {
  readonly type: 'object'
  readonly properties?: Record<string, Slim>
  readonly required?: string[]
}

interface Slim {
  type?: string
  description?: string
  enum?: unknown[]
  format?: string
  items?: Slim
  anyOf?: Slim[]
  properties?: Record<string, Slim>
  required?: string[]
}

type Json = z.core.JSONSchema.JSONSchema

export function inputSchemaOf({ input }: AnyOperation): ToolSchema {
  const slim = slimInput(jsonOf(input, 'input'))
  for (const name of SAID_ONCE) delete slim.properties?.[name]?.description
  sayWordsOnce(slim)
  return slim as ToolSchema
}

/** Words that several fields choose from are listed at the first of them. */
function sayWordsOnce({ properties = {} }: Slim): void {
  const said = new Map<string, string>()
  for (const [name, field] of Object.entries(properties)) {
    const choice = field.items ?? field
    if (!choice.enum || choice.enum.length < LONG_LIST) continue
    const words = JSON.stringify(choice.enum)
    const first = said.get(words)
    said.set(words, first ?? name)
    if (first === undefined) continue
    delete choice.enum
    choice.description = `as ${first}`
  }
}

const LONG_LIST = 4

/**
 * Takes away the words that another tool lists for the same field.
 * @returns whether there were any; then the description has to name that tool
 */
export function leaveWordsTo(teller: ToolSchema, { properties = {} }: ToolSchema): boolean {
  let left = false
  for (const [name, field] of Object.entries(properties)) {
    const choice = field.items ?? field
    const told = teller.properties?.[name]
    const words = (told?.items ?? told)?.enum
    // What state a thing can be in is what most changes and questions are about.
    if (!words || !choice.enum || choice.enum.length < LONG_LIST || name === 'status') continue
    if (JSON.stringify(words) !== JSON.stringify(choice.enum)) continue
    delete choice.enum
    left = true
  }
  return left
}

/** Explained in the instructions (server.ts). */
const SAID_ONCE = ['limit', 'cursor', 'updatedSince', 'externalId', 'reference', 'ownerId', 'ifMatch']

export function outputSchemaOf({ output }: AnyOperation): ToolSchema {
  const json = jsonOf(output, 'output')
  return json.type === 'object' ? (slimOutput(json) as ToolSchema) : { type: 'object' }
}

/** With nothing pointed at: zod points only at what has a `meta` id, or contains itself. */
function jsonOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const open = (json: Json, depth: number): Json => {
    if (json.$ref !== undefined)
      return depth > 8
        ? {}
        : open({ ...$defs[json.$ref.replace('#/$defs/', '')], ...described(json) }, depth + 1)
    return {
      ...json,
      ...(json.properties
        ? { properties: mapped(json.properties, (part) => open(part as Json, depth + 1)) }
        : {}),
      ...(json.items ? { items: open(json.items as Json, depth + 1) } : {}),
      ...(json.anyOf ? { anyOf: json.anyOf.map((part) => open(part as Json, depth + 1)) } : {}),
    }
  }
  return open(whole as Json, 0)
}

function slimInput(json: Json): Slim {
  const bare = withoutNull(json)
  const { type, enum: values, format, items, anyOf, properties, required = [] } = bare
  const description = json.description ?? bare.description
  return {
    ...(typeof type === 'string' ? { type } : anyOf || values ? {} : { type: 'object' }),
    ...(values ? { enum: values } : {}),
    ...(format === 'date' || format === 'date-time' ? { format } : {}),
    ...(items ? { items: slimInput(items as Json) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((part) => slimInput(part as Json)) } : {}),
    ...(properties && Object.keys(properties).length > 0
      ? { properties: mapped(writable(properties), (part) => slimInput(part as Json)) }
      : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(description ? { description } : {}),
  }
}

/** Without what only the service sets, which a change may send back unmoved. */
const writable = (properties: NonNullable<Json['properties']>) =>
  Object.fromEntries(
    Object.entries(properties).filter(([, part]) => !(part as Json).readOnly || (part as Json).type),
  )

/** What further calls are made with. */
const NAMED = new Set(['id', 'type', 'refId', 'version'])

function slimOutput(json: Json): Slim {
  const { type, items, properties = {}, required = [] } = json
  if (type === 'array') return { type, items: slimOutput(items as Json) }
  if (type !== 'object') return typeof type === 'string' ? { type } : { type: 'object' }
  const isRecord = 'id' in properties || 'refId' in properties
  const shown = Object.entries(properties).filter(
    ([name, part]) => required.includes(name) && isPlain(part as Json) && (!isRecord || NAMED.has(name)),
  )
  if (shown.length === 0) return { type }
  return {
    type,
    properties: Object.fromEntries(shown.map(([name, part]) => [name, slimOutput(part as Json)])),
  }
}

const isPlain = ({ type }: Json) => typeof type === 'string' && type !== 'null'

/** "A text or null" is a text: null is said elsewhere. */
function withoutNull(json: Json): Json {
  const choices = json.anyOf?.filter((part) => (part as Json).type !== 'null') as Json[] | undefined
  if (!choices || choices.length > 1) return json
  return withoutNull({ ...choices[0], ...described(json) })
}

const described = ({ description }: Json) => (description === undefined ? {} : { description })

const mapped = <From, To>(all: Readonly<Record<string, From>>, to: (one: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, to(one)]))
