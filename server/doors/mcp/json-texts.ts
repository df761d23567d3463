import type { Json } from './schemas.ts'

/**
 * An input with values where a client sent their JSON as a text: several hosts do that with lists, objects, numbers and
 * booleans. A text is parsed only where the schema takes no text, and only if the value is of a type that it takes; the
 * rest stays as it came, for the refusal to name.
 */
export function withJsonTextsParsed(schema: Json, value: unknown): unknown {
  const choices = choicesOf(schema)
  const parsed = typeof value === 'string' ? parsedAs(choices, value) : value
  if (Array.isArray(parsed)) {
    const items = choices.find((one) => one.items)?.items as Json | undefined
    return items ? parsed.map((item) => withJsonTextsParsed(items, item)) : parsed
  }
  if (typeof parsed !== 'object' || parsed === null) return parsed
  const properties = choices.find((one) => one.properties)?.properties
  if (!properties) return parsed
  // Not by assignment, which would lose a field called __proto__ that the operation is to refuse.
  return Object.fromEntries(
    Object.entries(parsed).map(([name, inner]) => [
      name,
      Object.hasOwn(properties, name) ? withJsonTextsParsed(properties[name] as Json, inner) : inner,
    ]),
  )
}

const choicesOf = (schema: Json): Json[] =>
  schema.anyOf ? schema.anyOf.flatMap((part) => choicesOf(part as Json)) : [schema]

function parsedAs(choices: readonly Json[], text: string): unknown {
  const types = choices.map(typeOf)
  if (types.some((type) => type === undefined || type === 'string')) return text
  try {
    const value: unknown = JSON.parse(text)
    return types.includes(nameOf(value)) ? value : text
  } catch {
    return text
  }
}

/** Undefined where any value is taken. */
function typeOf({ type, enum: values, const: only }: Json): string | undefined {
  if (typeof type === 'string') return type === 'integer' ? 'number' : type
  const [first = only] = values ?? []
  return first === undefined ? undefined : nameOf(first)
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
