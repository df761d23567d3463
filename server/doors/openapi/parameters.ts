import { pascal } from '../../../model/calls.ts'
import type { AnyOperation } from '../../operation.ts'
import { namesInPath, parameterGroups } from '../input.ts'
import type { Schema } from '../json-schemas.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  style?: 'form'
  explode?: true
}

/** What points at a part of the components. */
export interface Pointer {
  $ref: string
}

/** Of a call that changes what carries a version, and of one that makes something. */
const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description: 'The version that was read, as in ETag, or several; another one refuses the change with 412.',
  schema: { type: 'string' },
}
const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    `Makes it happen once: 1 to 255 printable ASCII characters, new for each request. For 24 hours, per
credential, the same key and body get the first answer again, also a refusal but for 401, 403, 409, 429 and 5xx. Another
body is 422 \`idempotency_key_reused\`; while the first is running it is 409 \`conflict\`. A secret is not kept: it is null
in an answer given again.`.replaceAll('\n', ' '),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
}

/** What an operation takes beside its body. */
export function parametersOf(operation: AnyOperation, input: Schema): Parameter[] {
  const { properties = {}, required = [] } = input
  const { bodyIs, headers = {}, method, path, takes } = operation
  const inPath = namesInPath(path)
  const hasQuery = method === 'GET' || method === 'DELETE' || takes.types !== undefined
  const groups = parameterGroups(operation.input)
  const given = (name: string, place: 'path' | 'query'): Parameter => {
    const { description, ...schema } = brief(properties[name] ?? {})
    return {
      name,
      in: place,
      ...(place === 'path' || required.includes(name) ? { required: true } : {}),
      ...(description ? { description } : {}),
      ...(groups.includes(name) ? spread(name) : { schema }),
    }
  }
  const inQuery = Object.keys(properties).filter(
    (name) => !inPath.includes(name) && !(name in headers) && name !== bodyIs,
  )
  return [
    ...inPath.map((name) => given(name, 'path')),
    ...(hasQuery ? inQuery.map((name) => given(name, 'query')) : []),
    ...(Object.values(headers).includes('if-match') ? [IF_MATCH] : []),
    ...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),
  ]
}

/** Each of its names is a parameter of its own, as `customFields.site`. */
const spread = (name: string): Pick<Parameter, 'schema' | 'style' | 'explode'> => ({
  style: 'form',
  explode: true,
  schema: {
    type: 'object',
    propertyNames: { pattern: `^${name}\\.` },
    additionalProperties: { type: 'array', items: { type: 'string' } },
  } as Schema,
})

/**
 * What a filter's values mean, the field of that name says, and one that is given has a value. An order is any of many
 * fields, with or without a minus: as a pattern it is half as long.
 */
function brief({ minItems: _minItems, items, enum: values, ...schema }: Schema): Schema {
  if (items) {
    const { description: _description, ...item } = items
    return { ...schema, items: item }
  }
  if (values?.some((value) => typeof value === 'string' && values.includes(`-${value}`)))
    return {
      ...schema,
      pattern: `^-?(${values.filter((value) => !String(value).startsWith('-')).join('|')})$`,
    }
  return values ? { ...schema, enum: values } : schema
}

/** A parameter, and where it stands: the subject of the call, and the call. */
interface Use {
  readonly parameter: Parameter
  readonly subject: string
  readonly call: string
}

/**
 * The names of parameters in the components. One that is the same wherever its name is used goes by that name, such as
 * `Limit`; others are named after the subject that they belong to, or after the call.
 */
export function parameterNames(uses: readonly Use[]): (use: Use) => string {
  const ways = (of: (use: Use) => string) => {
    const found = Map.groupBy(uses, of)
    return (use: Use) => new Set(found.get(of(use))!.map(({ parameter }) => JSON.stringify(parameter))).size
  }
  const everywhere = ways(({ parameter }) => parameter.name)
  const ofSubject = ways(({ parameter, subject }) => `${subject} ${parameter.name}`)
  return (use) => {
    const name = words(use.parameter.name)
    if (everywhere(use) === 1) return name
    return words(ofSubject(use) === 1 ? use.subject : use.call) + name
  }
}

/** `WebhookDeliveries` of `webhook-deliveries`. */
const words = (name: string) => pascal(name.replaceAll(/[-.]/g, '_'))

export const pointToParameter = (name: string): Pointer => ({ $ref: `#/components/parameters/${name}` })
