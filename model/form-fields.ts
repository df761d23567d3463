import { z } from 'zod'
import { type Field, type Form, spelled } from './described-field.ts'
import {
  besideOf,
  coloursOf,
  decidedBy,
  isByAnother,
  isByLine,
  isItemId,
  isLevel,
  isMoney,
  isPercent,
  isPrincipal,
  isUrl,
  itemOf,
  LONGEST_LINE,
  labelsOf,
  longestOf,
  meaningsOf,
  onlyWhileOf,
  optionsOf,
  placeOf,
  storageOf,
  targetOf,
  tickOf,
} from './fields.ts'
import type { Shape } from './kind.ts'

export const fieldsIn = (shape: Shape, deadlines: readonly string[] = []): ReadonlyMap<string, Field> =>
  new Map(
    Object.entries(shape).map(([name, schema]) => [name, fieldOf(name, schema, deadlines.includes(name))]),
  )

function fieldOf(name: string, described: z.core.$ZodType, isDeadline = false): Field {
  const schema = bare(described)
  const { title } = z.globalRegistry.get(schema) ?? {}
  const form = formOf(schema)
  const options = optionsOf(schema)
  const parts = Object.entries(objectIn(schema)?.shape ?? {})
  return {
    name,
    title: title ?? spelled(name),
    description: z.globalRegistry.get(described)?.description ?? z.globalRegistry.get(schema)?.description,
    form,
    options,
    meanings: meaningsOf(schema),
    labels: labelsOf(schema),
    onlyWhile: onlyWhileOf(schema),
    colours: coloursOf(schema),
    isLevel: isLevel(schema),
    isDeadline,
    target: targetOf(schema) ?? ofEach(schema, targetOf),
    place: placeOf(schema) ?? ofEach(schema, placeOf),
    isMoney: isMoney(schema),
    isPercent: isPercent(schema) || undefined,
    isByLine: isByLine(schema),
    decidedBy: decidedBy(schema),
    byAnother: isByAnother(schema) || undefined,
    beside: besideOf(schema),
    ticks: tickOf(schema),
    itemOf: itemOf(schema),
    isNeeded: false,
    parts: parts.map(([part, inner]) => ({
      ...fieldOf(part, inner as z.core.$ZodType),
      isNeeded: (inner as z.core.$ZodType)._zod.def.type !== 'optional',
    })),
  }
}

function formOf(schema: z.core.$ZodType): Form {
  if (isPrincipal(schema)) return 'principal'
  if (isItemId(schema)) return 'itemId'
  if (targetOf(schema)) return 'record'
  if (placeOf(schema)) return 'place'
  const { type } = schema._zod.def
  switch (storageOf(schema)) {
    case 'date':
      return 'day'
    case 'timestamptz':
      return 'instant'
    case 'boolean':
      return 'flag'
    case 'integer':
    case 'double precision':
      return 'number'
    case 'text[]':
      return optionsOf(schema).length > 0 ? 'choices' : 'words'
    case 'text':
      if (type === 'enum') return 'choice'
      if (isUrl(schema)) return 'url'
      return longestOf(schema) > LONGEST_LINE ? 'text' : 'line'
    default:
      if (objectIn(schema)) return type === 'array' ? 'objects' : 'object'
      return type === 'record' ? 'pairs' : 'other'
  }
}

/** Of a list, what is said of each in it. */
const ofEach = <Said>(
  { _zod: { def } }: z.core.$ZodType,
  of: (schema: z.core.$ZodType) => Said | undefined,
): Said | undefined => (def.type === 'array' ? of((def as z.core.$ZodArrayDef).element) : undefined)

/** What an object is made of, and each of a list of objects; none of anything else. */
function objectIn(schema: z.core.$ZodType): z.ZodObject | undefined {
  const { def } = schema._zod
  if (def.type === 'object') return schema as z.ZodObject
  return def.type === 'array' ? objectIn(bare((def as z.core.$ZodArrayDef).element)) : undefined
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod
  return def.type === 'nullable' || def.type === 'optional'
    ? bare((def as z.core.$ZodNullableDef).innerType)
    : schema
}
