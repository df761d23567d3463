import { z } from 'zod'
import { toldInPlaceOf } from '../operation.ts'
import { choiceName, openChoices } from './openapi/choices.ts'

/** JSON Schema as it stands in the document. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  readOnly?: boolean
  oneOf?: Schema[]
  'x-extensible-enum'?: readonly unknown[]
}

type Schemas = Record<string, Schema>
type Direction = 'input' | 'output'

/** What zod makes: the same with what the document says in another way. */
type Made = Schema & { $schema?: string; $defs?: Record<string, Made>; id?: string; title?: string }

/**
 * The JSON Schema of a zod schema, written for what generates clients from it. What has a `meta` id, and every choice
 * that has a name (choices.ts), moves to the components and is pointed at. There are no titles, since generators take
 * them for names. An input takes no more than it names; an answer may have more, now or later.
 */
export function schemaOf(source: z.core.$ZodType, io: Direction, components: Schemas): Schema {
  const { $defs = {}, ...made } = z.toJSONSchema(source, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const strict = toldInPlaceOf(zodSchema)
      if (!strict) return
      for (const name of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, name)
      Object.assign(jsonSchema, schemaOf(strict, io, components))
    },
  }) as Made
  for (const [name, definition] of Object.entries($defs))
    if (!isAnyJson(name)) keep(name, tidy(definition, io, components), components)
  return tidy(made, io, components)
}

/** The schema itself, where it is only pointed at. */
export const pointedAt = (schema: Schema, components: Readonly<Schemas>): Schema =>
  schema.$ref ? components[componentName(schema.$ref)]! : schema

/** A schema with what it points at in its place, for readers; but for objects, which have a place of their own. */
export function opened({ $ref, ...own }: Schema, components: Readonly<Schemas>): Schema {
  const target = $ref === undefined ? {} : components[componentName($ref)]!
  if ($ref !== undefined && (target.properties || target.allOf)) return { $ref, ...own }
  const { items, anyOf, allOf = [], properties: further, ...rest } = { ...target, ...own }
  const bases = allOf.map((base) => pointedAt(base, components))
  const properties = Object.assign({}, ...bases.map((base) => base.properties), further)
  const inner = (part: Schema) => opened(part, components)
  return {
    ...rest,
    ...(bases.length > 0 || further
      ? {
          properties: Object.fromEntries(
            Object.entries(properties as Schemas).map(([name, part]) => [name, inner(part)]),
          ),
        }
      : {}),
    ...(items ? { items: inner(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(inner) } : {}),
  }
}

/** `Risk` of `#/components/schemas/Risk`. */
export const componentName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

export const pointTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** Two schemas of one name would leave readers with whichever came last. */
export function keep(name: string, schema: Schema, components: Schemas): void {
  const known = components[name]
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two schemas have the meta id ${name}: give one of them another.`)
  components[name] = schema
}

/** zod names what contains itself, which no schema of ours does but `z.json()`: any JSON, which needs no schema. */
const isAnyJson = (name: string) => name.startsWith('__schema')

function tidy(made: Made, io: Direction, components: Schemas): Schema {
  const { id, title, $ref, anyOf, properties, items, additionalProperties, ...further } = made
  const rest = ownWords(further)
  if ($ref?.startsWith('#/$defs/') && isAnyJson(componentName($ref))) return described(rest)
  const inner = (part: Schema) => tidy(part, io, components)
  const schema: Schema = { ...described(rest, id && title && isMore(title, id) ? title : undefined), ...rest }
  dropSafeLimits(schema)
  if (io === 'output') for (const name of LIMITS) delete schema[name]
  if (['date', 'date-time', 'email'].includes(schema.format ?? '')) delete schema.pattern
  if ($ref) return { ...described(rest), ...pointTo(componentName($ref)) }
  if (properties)
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, inner(part)]),
    )
  if (items) schema.items = inner(items)
  if (schema.propertyNames?.type && Object.keys(schema.propertyNames).length === 1)
    delete schema.propertyNames
  if (additionalProperties && typeof additionalProperties === 'object')
    schema.additionalProperties = properties ? true : inner(additionalProperties)
  if (additionalProperties === false && io === 'input') schema.additionalProperties = false
  return anyOf ? withChoices(schema, anyOf.map(inner)) : named(schema, components)
}

/** Whether a title says more than the name of its component. */
const isMore = (title: string, name: string) =>
  title.replaceAll(/\W/g, '').toLowerCase() !== name.toLowerCase()

/** A title says what a component is, where nothing else does. */
function described({ description }: Schema, title?: string): Schema {
  const said = description ?? title
  return said === undefined ? {} : { description: said }
}

/** "A text or null" is one type of two words, and easier on readers and generators than a choice. */
function withChoices(outer: Schema, choices: Schema[]): Schema {
  // Several forms of a text are a text to generators: those of Go take no choice between types that are the same.
  const [first] = choices as [Schema]
  if (choices.every(({ type }) => isText(type) && String(type) === String(first.type)))
    return { ...described(first), ...outer, type: first.type! }
  const [one, ...others] = choices.filter(({ type }) => type !== 'null')
  if (!one || choices.length !== 2 || others.length > 0) return { ...outer, anyOf: choices }
  if (typeof one.type === 'string')
    return { ...one, ...outer, type: [one.type, 'null'], ...(one.enum ? { enum: [...one.enum, null] } : {}) }
  const { description, ...bare } = one
  return { ...(description === undefined ? {} : { description }), ...outer, anyOf: [bare, { type: 'null' }] }
}

const isText = (type: Schema['type']): boolean => [type].flat()[0] === 'string'

/** A choice that has a name stands in the components once. */
function named(schema: Schema, components: Schemas): Schema {
  const name = schema.enum && choiceName(schema.enum)
  if (!name) return schema
  const { description, type, enum: values } = schema
  const choice = { type: type!, enum: values! }
  keep(name, openChoices.has(name) ? openChoice(values!) : choice, components)
  return { ...pointTo(name), ...(description === undefined ? {} : { description }) }
}

/** A choice that may grow is a text with the words of today, since generators read `enum` as closed. */
const openChoice = (values: readonly unknown[]): Schema => ({
  type: 'string',
  description: 'More words may come',
  'x-extensible-enum': values,
})

/** Without what `meta` says to other readers than those of JSON Schema. */
const ownWords = (made: object): Schema =>
  Object.fromEntries(Object.entries(made).filter(([name]) => WORDS.has(name)))
const WORDS = new Set([
  ...['type', 'description', 'enum', 'const', 'default', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties', 'required', 'propertyNames', 'readOnly', 'writeOnly'],
])

/** What is said of what is sent: nobody has to judge an answer. */
const LIMITS = [
  'readOnly',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
] as const

/** The limits of what JavaScript counts with are no rule of ours. */
function dropSafeLimits(schema: Schema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}
