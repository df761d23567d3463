import { z } from 'zod'
import { withDayAlone } from '../../../model/fields.ts'
import { everyKind } from '../../../model/kinds/index.ts'
import { principalId } from '../../../model/roles.ts'
import type { AnyOperation, FieldRules } from '../../operation.ts'

/**
 * The schemas of a tool, as short as they can be: a model reads every tool that it may call before it calls one.
 *
 * What is taken: names, types, fixed values and a few words on each; limits and patterns are told by the refusal of
 * what breaks them. What a program may not change is left out. What is answered: only what other calls are made with,
 * and that always; an answer has more. A schema here says less than the operation's own, and never another thing.
 *
 * A host hands these schemas to its model's API, and Gemini refuses a whole request for one word that it does not know:
 * a `type` that is a list, a `null` in `enum`, `const`, `oneOf`, `$ref`, or a `format` of texts other than `date-time`. So
 * `null` is left out of schemas, although calls take it, and each schema here has one type.
 */
export interface ToolSchema {
  readonly type: 'object'
  readonly properties?: Record<string, Slim>
  readonly required?: string[]
}

export interface Slim {
  type?: string
  description?: string
  enum?: unknown[]
  format?: string
  items?: Slim
  properties?: Record<string, Slim>
  required?: string[]
}

export type Json = z.core.JSONSchema.JSONSchema

export function inputSchemaOf({ input, fieldRules, method }: AnyOperation): ToolSchema {
  const slim = slimInput(jsonOf(input, 'input'))
  for (const [name, words] of Object.entries(method === 'GET' ? { ...WORDS, ...WORDS_OF_FILTERS } : WORDS)) {
    const field = slim.properties?.[name]
    if (field) field.description = words
  }
  if (fieldRules) applyRules(slim.properties ?? {}, fieldRules)
  sayOrderShortly(slim)
  sayWordsOnce(slim)
  // OpenAI refuses a function without it, also one that takes nothing.
  slim.properties ??= {}
  return slim as ToolSchema
}

/** What many tools take alike, in fewer words than the operation has for it. */
const WORDS: Record<string, string> = {
  limit: 'Rows, 1 to 200; 20 if not said',
  cursor: 'nextCursor of the page before',
  updatedSince: 'Changed at or after',
  externalId: 'Its id in another system',
  reference: 'As people write it, such as RSK-12',
  ...Object.fromEntries(
    everyKind.flatMap(({ owners }) => owners.map((owner) => [principalId(owner), 'refId of an owner'])),
  ),
  ifMatch: 'The version that was read',
  records: 'Each with the fields that the tool that adds one takes; judged by itself',
  record: 'The fields that the tool that adds one takes; of one that is there, those to change',
  customFields: 'By name; merged, null removes one. listCustomFields: which are defined',
}

const WORDS_OF_FILTERS: Record<string, string> = {
  customFields: 'name: value of those in listCustomFields; also name.from, .to, .min, .max',
}

function applyRules(fields: Record<string, Slim>, { ofPersons, notChosen }: FieldRules): void {
  for (const name of ofPersons) delete fields[name]
  // What was read can be sent back with such a value: so those to choose from are told, and others not shut out.
  for (const [name, values] of Object.entries(notChosen)) {
    const field = fields[name]
    if (!field?.enum) continue
    const choice = field.enum.filter((value) => !values.includes(value as string))
    delete field.enum
    field.description = [field.description, `one of ${choice.join(', ')}`].filter(Boolean).join(': ')
  }
}

/** An order is the name of a field that is answered, which the refusal of another one lists. */
function sayOrderShortly({ properties = {} }: Slim): void {
  if (properties.sort?.enum)
    properties.sort = { type: 'string', description: 'a field; -field: the other way' }
}

/** Words that several fields choose from are listed at the first of them. */
function sayWordsOnce({ properties = {} }: Slim): void {
  const said = new Map<string, string>()
  for (const [name, field] of Object.entries(properties)) {
    const choice = field.items ?? field
    if (!choice.enum || choice.enum.length < LONG_LIST) continue
    const words = wordsIn(choice.enum)
    const first = said.get(words)
    said.set(words, first ?? name)
    if (first === undefined) continue
    delete choice.enum
    field.description = [field.description, `words as ${first}`].filter(Boolean).join('; ')
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
    if (wordsIn(words) !== wordsIn(choice.enum)) continue
    delete choice.enum
    left = true
  }
  return left
}

const wordsIn = (values: readonly unknown[]) => JSON.stringify(values)

/**
 * Takes away the filters of a list from what takes all of them.
 * @returns whether it does; then the description has to name that list
 */
export function leaveFiltersTo(list: ToolSchema, { properties = {}, required = [] }: ToolSchema): boolean {
  const filters = Object.keys(list.properties ?? {}).filter(
    (name) => !OF_A_PAGE.has(name) && !required.includes(name),
  )
  if (!filters.every((name) => name in properties)) return false
  for (const name of filters) delete properties[name]
  return true
}

const OF_A_PAGE = new Set(['limit', 'cursor', 'sort'])

export function outputSchemaOf({ output }: AnyOperation): ToolSchema {
  const json = jsonOf(output, 'output')
  return json.type === 'object' ? (slimOutput(json) as ToolSchema) : { type: 'object' }
}

const opened = { input: new WeakMap<z.core.$ZodType, Json>(), output: new WeakMap<z.core.$ZodType, Json>() }

/** With nothing pointed at; made once, since several tools look at one. */
export function jsonOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const json = opened[io].get(schema) ?? openedOf(schema, io)
  opened[io].set(schema, json)
  return json
}

/** Zod points only at what has a `meta` id, or contains itself. */
function openedOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
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
  const { type, enum: values, format, items, properties, required = [] } = bare
  const { description: ofItems, ...slimItems } = items ? slimInput(items as Json) : {}
  const own = json.description ?? bare.description ?? ofItems
  const description =
    format === 'date-time'
      ? withDayAlone(own, bare.until === true)
      : format === 'date'
        ? [own, 'YYYY-MM-DD'].filter(Boolean).join(', ')
        : own
  return {
    type: typeof type === 'string' ? type : typeOfChoices(bare),
    ...(values ? { enum: values } : {}),
    ...(format === 'date-time' ? { format } : {}),
    ...(items ? { items: slimItems } : {}),
    ...(properties && Object.keys(properties).length > 0
      ? { properties: mapped(writable(properties), (part) => slimInput(part as Json)) }
      : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(description ? { description } : {}),
  }
}

/** The type of a choice between schemas, or between values; of more than one type, that of the first. */
function typeOfChoices({ anyOf, enum: values }: Json): string {
  const first = anyOf?.[0] as Json | undefined
  if (first) return typeof first.type === 'string' ? first.type : typeOfChoices(first)
  return values ? typeof values[0] : 'object'
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
    required: shown.map(([name]) => name),
  }
}

const isPlain = ({ type }: Json) => typeof type === 'string' && type !== 'null'

/** Of "a text or null", the text. */
export function withoutNull(json: Json): Json {
  const choices = json.anyOf?.filter((part) => (part as Json).type !== 'null') as Json[] | undefined
  if (!choices || choices.length > 1) return json
  return withoutNull({ ...choices[0], ...described(json) })
}

const described = ({ description }: Json) => (description === undefined ? {} : { description })

const mapped = <From, To>(all: Readonly<Record<string, From>>, to: (one: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, to(one)]))
