import { z } from 'zod'
import { withDayAlone } from '../../../kinds/fields.ts'
import { toldInPlaceOf } from '../../operation.ts'

/** JSON Schema as it stands in the document. */
export interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  title?: string
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
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  readOnly?: boolean
}

/**
 * The JSON Schema of a zod schema, in the words of OpenAPI: what has a `meta` id moves to the components, and
 * is pointed at.
 */
export function schemaOf(
  source: z.core.$ZodType,
  io: 'input' | 'output',
  components: Record<string, Schema>,
): Schema {
  const { $defs = {}, ...made } = z.toJSONSchema(source, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'input' && jsonSchema.format === 'date-time')
        jsonSchema.description = withDayAlone(jsonSchema.description)
      const strict = toldInPlaceOf(zodSchema)
      if (!strict) return
      for (const name of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, name)
      Object.assign(jsonSchema, schemaOf(strict, io, components))
    },
  }) as Schema
  for (const [name, definition] of Object.entries($defs))
    keep(componentName(name), tidy(definition), components)
  return tidy(made)
}

/** The schema itself, where it is only pointed at. */
export const pointedAt = (schema: Schema, components: Readonly<Record<string, Schema>>): Schema =>
  schema.$ref ? components[nameOf(schema.$ref)]! : schema

/** `Risk` of `#/components/schemas/Risk`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Two schemas of one name would leave readers with whichever came last. */
function keep(name: string, schema: Schema, components: Record<string, Schema>): void {
  const known = components[name]
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two schemas have the meta id ${name}: give one of them another.`)
  components[name] = schema
}

/** zod names what it must point at by itself `__schema0`. */
const componentName = (name: string) => name.replace(/^__schema\d+$/, 'Json')

function tidy(schema: Schema): Schema {
  const { anyOf, properties, items, additionalProperties, $ref, ...rest } = schema as Schema &
    Record<string, unknown>
  delete rest.$schema
  delete rest.id
  for (const name of TOLD_TO_US) delete rest[name]
  dropSafeLimits(rest)
  const made: Schema = { ...rest }
  if (rest.format === 'date' || rest.format === 'date-time' || rest.format === 'email') delete made.pattern
  if ($ref)
    made.$ref = $ref.replace(/^#\/\$defs\/(.*)$/, (_, name) => `#/components/schemas/${componentName(name)}`)
  if (properties)
    made.properties = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, tidy(part)]))
  if (items) made.items = tidy(items)
  if (additionalProperties !== undefined)
    made.additionalProperties =
      typeof additionalProperties === 'object' ? tidy(additionalProperties) : additionalProperties
  return anyOf ? withChoices(made, anyOf.map(tidy)) : made
}

/** What fields say of themselves to the rest of the program, and to no reader of the document. */
const TOLD_TO_US = ['refersTo', 'principal', 'scale']

/** "A text or null" is one type of two words, and easier on readers and generators than a choice. */
function withChoices(outer: Schema, choices: Schema[]): Schema {
  const [one, ...others] = choices.filter(({ type }) => type !== 'null')
  if (choices.length !== 2 || others.length > 0 || typeof one?.type !== 'string')
    return { ...outer, anyOf: choices }
  return { ...one, ...outer, type: [one.type, 'null'], ...(one.enum ? { enum: [...one.enum, null] } : {}) }
}

/** The limits of what JavaScript counts with are no rule of ours. */
function dropSafeLimits(schema: Schema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}
