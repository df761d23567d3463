import { z } from 'zod'

/**
 * The shapes a field can have. Each is plain zod with a title; the storage, the form, the column and the
 * filter of a field are read from the schema (see `storageOf`), never said twice.
 */

/** One line or a text; PostgreSQL cannot hold U+0000, which call() refuses everywhere. */
export const text = (title: string, max = 200) => z.string().min(1).max(max).meta({ title })

export const choice = <const Values extends readonly [string, ...string[]]>(title: string, values: Values) =>
  z.enum(values).meta({ title })

export const choices = <const Values extends readonly [string, ...string[]]>(title: string, values: Values) =>
  z.array(z.enum(values)).max(values.length).meta({ title })

/** A date without a time, YYYY-MM-DD. */
export const day = (title: string) => z.iso.date().meta({ title })

/** A moment, ISO 8601; offsets are taken and given back as UTC with milliseconds. */
export const instant = (title: string) => z.iso.datetime({ offset: true }).meta({ title })

export const whole = (title: string, min: number, max: number) => z.int().min(min).max(max).meta({ title })

export const flag = (title: string) => z.boolean().meta({ title })

export const texts = (title: string, max = 50) => z.array(z.string().min(1).max(200)).max(max).meta({ title })

/** The id of a record of another kind. */
export const refTo = (title: string, prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`), `expected an id that begins with ${prefix}_`)
    .meta({ title, refersTo: prefix })

/** The id prefix of the kind that a field of `refTo` points at. */
export const targetOf = (schema: z.core.$ZodType): string | undefined =>
  (z.globalRegistry.get(schema) as { refersTo?: string } | undefined)?.refersTo

/** ISO 3166-1 alpha-2. */
export const country = (title: string) =>
  z
    .string()
    .regex(/^[A-Z]{2}$/, 'expected two capital letters (ISO 3166-1)')
    .meta({ title })

/** A field that points at who is answerable: a user or a personnel record (interface.md 2.2). */
export const principal = (title: string) =>
  z
    .strictObject({ type: z.enum(['user', 'personnel']), refId: z.string().min(1).max(100) })
    .meta({ title, principal: true })

export const isPrincipal = (schema: z.core.$ZodType): boolean =>
  (z.globalRegistry.get(schema) as { principal?: boolean } | undefined)?.principal === true

export type Storage =
  | 'text'
  | 'text[]'
  | 'integer'
  | 'double precision'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'jsonb'

/** The column type that holds a field. */
export function storageOf(schema: z.core.$ZodType): Storage {
  const { def } = schema._zod
  switch (def.type) {
    case 'enum':
      return 'text'
    case 'string': {
      const format = (def as { format?: string }).format
      return format === 'date' ? 'date' : format === 'datetime' ? 'timestamptz' : 'text'
    }
    case 'number':
      return (def as { format?: string }).format === 'safeint' ? 'integer' : 'double precision'
    case 'boolean':
      return 'boolean'
    case 'array':
      return storageOf((def as z.core.$ZodArrayDef).element) === 'text' ? 'text[]' : 'jsonb'
    default:
      return 'jsonb'
  }
}
