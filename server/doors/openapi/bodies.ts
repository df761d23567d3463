import { pascal } from '../../../model/calls.ts'
import type { AnyOperation } from '../../operation.ts'
import { namesInPath } from '../input.ts'
import { keep, pointedAt, pointTo, type Schema, schemaOf } from '../json-schemas.ts'

export interface RequestBody {
  required: boolean
  content: Record<string, { schema: Schema; example?: Readonly<Record<string, unknown>> }>
}

/** The body of an operation, if it takes one: what of its input is neither in the path nor a header. */
export function bodyOf(operation: AnyOperation, schemas: Record<string, Schema>): RequestBody | undefined {
  const { name, method, path, headers = {}, input, example } = operation
  if (method === 'GET' || method === 'DELETE') return undefined
  if (operation.takes.types) {
    const bytes = { schema: { type: 'string', format: 'binary' } }
    return {
      required: true,
      content: Object.fromEntries(operation.takes.types.map((type) => [type, bytes])),
    }
  }
  const away = new Set([...namesInPath(path), ...Object.keys(headers)])
  const whole = schemaOf(input, 'input', schemas)
  const { properties = {}, required: all = [], ...rest } = pointedAt(whole, schemas)
  if (operation.bodyIs) {
    const given = example?.[operation.bodyIs] as Readonly<Record<string, unknown>> | undefined
    const json = { schema: properties[operation.bodyIs]!, ...(given ? { example: given } : {}) }
    return { required: true, content: { 'application/json': json } }
  }
  const taken = settable(operation, without(away, properties))
  if (Object.keys(taken).length === 0) return undefined
  const required = all.filter((one) => !away.has(one))
  // What stands in the path is no part of the body: then it is none of the schemas that have a name of their own.
  const isWhole = whole.$ref !== undefined && !Object.keys(properties).some((one) => away.has(one))
  if (!isWhole)
    keep(
      bodyName(name),
      { ...rest, properties: taken, ...(required.length > 0 ? { required } : {}) },
      schemas,
    )
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: isWhole ? whole : pointTo(bodyName(name)),
        ...(example ? { example: without(away, example) } : {}),
      },
    },
  }
}

/**
 * What a client may set. The fields that the service or only a person sets are taken as they stand, so that what was
 * read can be sent back; but a body made with a schema has nothing to say of them.
 */
function settable({ fieldRules }: AnyOperation, properties: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).filter(
      ([name, { readOnly }]) => !readOnly && !fieldRules?.ofPersons.includes(name),
    ),
  )
}

/** `RiskUpdate` of `updateRisk`. */
function bodyName(call: string): string {
  const [, verb, noun] = /^(create|update)(.+)$/.exec(call) ?? []
  return noun ? `${noun}${verb === 'create' ? 'Creation' : 'Update'}` : `${pascal(call)}Input`
}

const without = <T>(away: ReadonlySet<string>, all: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !away.has(name)))
