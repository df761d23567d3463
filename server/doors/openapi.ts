import type { AnyOperation } from '../operation.ts'
import { CODES, type Code } from '../refusal.ts'
import { namesInPath, unwrapped } from './input.ts'
import { byStatus, codesOf, STATUS_TITLES } from './openapi/answers.ts'
import { pointedAt, type Schema, schemaOf } from './openapi/schemas.ts'

/**
 * The OpenAPI 3.1 document: a reading of the list of operations, as the REST door is. It has what bearers may
 * call; what only a person may do is refused to every key and token, and would be noise here.
 */
export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, PathOperation>>
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, Schema> }
}

export interface PathOperation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: { bearer: string[] }[]
  'x-required-scopes': readonly string[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema; example?: unknown } } }
  responses: Record<string, unknown>
}

export interface Parameter {
  $ref?: string
  name?: string
  in?: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema?: Schema
  style?: 'form'
  explode?: boolean
}

export function openApiOf(operations: readonly AnyOperation[]): OpenApi {
  const schemas: Record<string, Schema> = { Problem: problemSchema() }
  const callable = operations.filter(({ needs }) => !needs.person)
  const paths: OpenApi['paths'] = {}
  for (const operation of callable) {
    paths[operation.path] ??= {}
    paths[operation.path]![operation.method.toLowerCase()] = describe(operation, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version: '1',
      description: ABOUT,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(callable.map(tagOf))].map((name) => ({ name })),
    paths,
    components: { ...shared(), schemas: sorted(schemas) },
  }
}

const ABOUT = `Compliance records of one organization, and the webhooks that tell of their changes.

Every call sends \`Authorization: Bearer …\` with an API key, or with an access token that a program got through
OAuth. Either belongs to one organization, and acts with its scopes and the present role of the person who created
or approved it. Errors are problem objects (RFC 9457) whose \`code\` is for programs and whose \`detail\` says what to
do.`

/** The word under which an operation is found: the first of its path. */
export const tagOf = ({ path }: AnyOperation): string => path.split('/')[2]!

function describe(operation: AnyOperation, schemas: Record<string, Schema>): PathOperation {
  const { name, method, title, description, needs } = operation
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const input = schemaOf(operation.input, 'input', schemas)
  const scopes = needs.anyOf
  const said = [
    description,
    scopes.length > 1 ? `Any one of these scopes will do: ${scopes.join(', ')}.` : null,
  ]
  const text = said.filter(Boolean).join(' ')
  return {
    operationId: name,
    summary: title,
    ...(text ? { description: text } : {}),
    tags: [tagOf(operation)],
    security: scopes.length > 0 ? scopes.map((scope) => ({ bearer: [scope] })) : [{ bearer: [] }],
    'x-required-scopes': scopes,
    parameters: parametersOf(operation, pointedAt(input, schemas), hasBody),
    ...(hasBody ? bodyOf(operation, input, schemas) : {}),
    responses: { ...successOf(operation, schemas), ...problemsOf(codesOf(operation)) },
  }
}

function parametersOf(operation: AnyOperation, input: Schema, hasBody: boolean): Parameter[] {
  const { properties = {}, required = [] } = input
  const inPath = namesInPath(operation.path)
  const headers = operation.headers ?? {}
  const path = inPath.map(
    (name): Parameter => ({ name, in: 'path', required: true, schema: properties[name] ?? {} }),
  )
  const query = hasBody
    ? []
    : Object.entries(properties)
        .filter(([name]) => !inPath.includes(name) && !(name in headers))
        .map(([name, schema]) => queryParameter(operation, name, schema, required.includes(name)))
  const further = [
    ...(Object.values(headers).includes('if-match') ? ['IfMatch'] : []),
    ...(operation.method === 'POST' ? ['IdempotencyKey'] : []),
  ]
  return [...path, ...query, ...further.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
}

function queryParameter(operation: AnyOperation, name: string, schema: Schema, required: boolean): Parameter {
  const { description, ...rest } = schema
  const isList = unwrapped(operation.input.shape[name])._zod.def.type === 'array'
  return {
    name,
    in: 'query',
    ...(required ? { required } : {}),
    ...(description ? { description } : {}),
    schema: rest,
    ...(isList ? { style: 'form', explode: true } : {}),
  }
}

function bodyOf(
  operation: AnyOperation,
  input: Schema,
  schemas: Record<string, Schema>,
): Pick<PathOperation, 'requestBody'> {
  const away = new Set([...namesInPath(operation.path), ...Object.keys(operation.headers ?? {})])
  const { properties = {}, required: all = [], ...rest } = pointedAt(input, schemas)
  const required = all.filter((name) => !away.has(name))
  const schema =
    away.size === 0
      ? input
      : { ...rest, properties: without(away, properties), ...(required.length > 0 ? { required } : {}) }
  const example = operation.example ? { example: without(away, operation.example) } : {}
  return {
    requestBody: { required: required.length > 0, content: { 'application/json': { schema, ...example } } },
  }
}

const without = <T>(away: ReadonlySet<string>, all: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !away.has(name)))

function successOf(operation: AnyOperation, schemas: Record<string, Schema>): Record<string, unknown> {
  const schema = schemaOf(operation.output, 'output', schemas)
  const always = ['Request-Id', 'RateLimit', 'RateLimit-Policy']
  if (schema.type === 'null') return { 204: { description: 'It is done.', headers: headers(always) } }
  const hasVersion = pointedAt(schema, schemas).properties?.version !== undefined
  const names = [...always, ...(hasVersion ? ['ETag'] : []), ...(operation.location ? ['Location'] : [])]
  return {
    [operation.location ? 201 : 200]: {
      description: operation.location ? 'What was made.' : 'The answer.',
      headers: headers(names),
      content: { 'application/json': { schema } },
    },
  }
}

const headers = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name.replaceAll('-', '')}` }]),
  )

function problemsOf(codes: readonly Code[]): Record<string, unknown> {
  return Object.fromEntries(
    [...byStatus(codes)].map(([status, some]) => [status, problemResponse(status, some)]),
  )
}

function problemResponse(status: number, codes: readonly Code[]) {
  const further = [
    'Request-Id',
    ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }],
  }
  return {
    description: `${STATUS_TITLES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headers(further),
    content: { 'application/problem+json': { schema } },
  }
}

function problemSchema(): Schema {
  const text = (description: string): Schema => ({ type: 'string', description })
  return {
    title: 'Problem',
    description: 'What went wrong, as RFC 9457 has it. Some codes bring members of their own.',
    type: 'object',
    properties: {
      type: { ...text('Where the code is described'), format: 'uri' },
      title: text('What the code means'),
      status: { type: 'integer' },
      detail: text('What to do about it'),
      code: { ...text('For programs'), enum: Object.keys(CODES) },
      requestId: { ...text('As in Request-Id; the log of the service has it too'), format: 'uuid' },
      errors: {
        type: 'array',
        description: 'The fields at fault',
        items: {
          type: 'object',
          properties: { path: text('Where in the input, with dots'), message: text('What is wrong there') },
          required: ['path', 'message'],
        },
      },
      required: {
        type: 'array',
        description: 'Scopes of which one would do (insufficient_scope)',
        items: { type: 'string' },
      },
      allowed: {
        type: 'array',
        description: 'What the status can change to (invalid_transition)',
        items: { type: 'string' },
      },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    additionalProperties: true,
  }
}

/** What many operations point at. */
function shared() {
  const header = (description: string, schema: Schema = { type: 'string' }) => ({ description, schema })
  return {
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key, `comply_` and 32 characters, or an OAuth access token. It belongs to one organization.',
      },
    },
    parameters: {
      IfMatch: {
        name: 'If-Match',
        in: 'header',
        description: 'The version that was read, as in ETag; another one refuses the change with 412.',
        schema: { type: 'string' },
      },
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'The same key and body within 24 hours get the first answer again, and happen once.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    },
    headers: {
      RequestId: header('Of this answer; on every one.', { type: 'string', format: 'uuid' }),
      RateLimitPolicy: header('The calls of a window: `"default";q=500;w=600`.'),
      RateLimit: header('The calls left, and the seconds until the window ends: `"default";r=499;t=600`.'),
      ETag: header('The version of the record, for If-Match.'),
      Location: header('The path of what was made.'),
      WWWAuthenticate: header('What kind of credential is asked for, and which scope would help.'),
      RetryAfter: header('Seconds to wait.', { type: 'integer' }),
    },
  }
}

const sorted = <T>(map: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))
