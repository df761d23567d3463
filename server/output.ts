import { z } from 'zod'

/** A time in an answer: ISO 8601 in UTC, with milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time' })

/**
 * What an answer may show: exactly what its schema names. The rest falls away, so that a column nobody
 * meant to show cannot leak by accident.
 *
 * Parsing would do that too, and check every value besides. But what we answer comes from our own tables:
 * that it fits its schema is for tests to hold (test/support/promised.ts), not for every reader of a list
 * to pay for. So a schema is read once into a function that copies what is named and looks at nothing
 * else. Where a schema is more than a form, such as a union of objects, it is parsed after all.
 */
type Copy = (value: unknown) => unknown

const made = new WeakMap<z.core.$ZodType, Copy>()

/** @returns from a value to a copy that has only what the schema names */
export function projectedBy(schema: z.core.$ZodType): Copy {
  const known = made.get(schema)
  if (known) return known
  const copy = copying(schema) ?? asItIs
  made.set(schema, copy)
  return copy
}

const asItIs: Copy = (value) => value

/** Null where there is nothing that could fall away. */
function copying(schema: z.core.$ZodType): Copy | null {
  const { def } = schema._zod
  switch (def.type) {
    case 'object':
      return copyingObject(def as z.core.$ZodObjectDef)
    case 'array':
      return copyingItems(copying((def as z.core.$ZodArrayDef).element))
    case 'record':
      return copyingEntries(copying((def as z.core.$ZodRecordDef).valueType))
    case 'optional':
    case 'nullable':
      return unlessAbsent(copying((def as z.core.$ZodNullableDef).innerType))
    case 'union':
      return (def as z.core.$ZodUnionDef).options.every((option) => copying(option) === null)
        ? null
        : (value) => z.parse(schema, value)
    default:
      return PLAIN.has(def.type) ? null : (value) => z.parse(schema, value)
  }
}

/** Of these a value is all there is; what stands in `any` and `unknown` was let through by name. */
const PLAIN = new Set<string>([
  'string',
  'number',
  'int',
  'boolean',
  'enum',
  'literal',
  'null',
  'any',
  'unknown',
])

function copyingObject({ shape, catchall }: z.core.$ZodObjectDef): Copy {
  const fields = Object.entries(shape).map(([name, field]) => [name, copying(field)] as const)
  const isLoose = catchall !== undefined && catchall._zod.def.type !== 'never'
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const from = value as Record<string, unknown>
    const copy: Record<string, unknown> = isLoose ? { ...from } : {}
    for (const [name, inner] of fields) {
      const part = from[name]
      if (part !== undefined) copy[name] = inner ? inner(part) : part
    }
    return copy
  }
}

const copyingItems = (item: Copy | null): Copy | null =>
  item && ((value) => (Array.isArray(value) ? value.map(item) : value))

const copyingEntries = (entry: Copy | null): Copy | null =>
  entry &&
  ((value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, entry(part)]))
      : value)

const unlessAbsent = (inner: Copy | null): Copy | null =>
  inner && ((value) => (value === null || value === undefined ? value : inner(value)))
