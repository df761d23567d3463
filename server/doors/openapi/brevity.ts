import type { z } from 'zod'
import { signalFields } from '../../journal/signal-body.ts'
import { linkSchema } from '../../records/link-list.ts'
import { recordFields } from '../../records/schemas.ts'
import { deliveryFields } from '../../webhooks/delivery-record.ts'
import { endpointRecord } from '../../webhooks/endpoint-record.ts'
import { componentName, pointTo, type Schema, schemaOf } from '../json-schemas.ts'

type Schemas = Record<string, Schema>

/** Answers that others begin with. Only answers: what is closed cannot be extended. */
const BASES: readonly z.ZodType[] = [recordFields, signalFields, deliveryFields, endpointRecord, linkSchema]

/** Says what several answers have in common once: they point at it, and add their own. */
export function shareFields(schemas: Schemas): void {
  for (const base of BASES) {
    const name = componentName(schemaOf(base, 'output', schemas).$ref!)
    for (const [other, schema] of Object.entries(schemas))
      if (other !== name) schemas[other] = basedOn(name, schemas[name]!, schema)
  }
}

function basedOn(name: string, base: Schema, schema: Schema): Schema {
  const { properties, required = [], type, ...rest } = schema
  const shared = Object.entries(base.properties ?? {})
  const isBased =
    properties &&
    schema.additionalProperties !== false &&
    shared.every(([field, part]) => JSON.stringify(properties[field]) === JSON.stringify(part))
  if (!isBased) return schema
  const own = Object.entries(properties).filter(([field]) => !(field in base.properties!))
  return {
    ...rest,
    allOf: [
      pointTo(name),
      {
        type: type!,
        properties: Object.fromEntries(own),
        required: required.filter((field) => !base.required?.includes(field)),
      },
    ],
  }
}

/** Of a field that is sent and answered, the answer tells what it means. */
export function describeOnce(sent: Schema, answered: Schema): Schema {
  const properties = Object.entries(sent.properties ?? {}).map(([name, part]) => {
    const { description, ...rest } = part
    return [name, description === answered.properties?.[name]?.description ? rest : part]
  })
  return { ...sent, properties: Object.fromEntries(properties) }
}
