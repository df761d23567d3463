import { kindAtPath } from '../../model/family.ts'
import type { AnyOperation } from '../operation.ts'
import { openToPrograms } from '../operations.ts'
import type { Code } from '../refusal.ts'
import { componentName, pointedAt, type Schema, schemaOf } from './json-schemas.ts'
import { ABOUT, aboutTag, SECURITY } from './openapi/about.ts'
import {
  HEADERS,
  headerName,
  PROBLEM,
  pointToResponse,
  problemResponse,
  type Response,
  successOf,
} from './openapi/answers.ts'
import { bodyOf, type RequestBody } from './openapi/bodies.ts'
import { describeOnce, shareFields } from './openapi/brevity.ts'
import { type Examples, recordedExamples } from './openapi/examples.ts'
import {
  type Parameter,
  type Pointer,
  parameterNames,
  parametersOf,
  pointToParameter,
} from './openapi/parameters.ts'
import {
  type Callbacks,
  signalsToEndpoint,
  WEBHOOK_PARAMETERS,
  WEBHOOK_RESPONSES,
  type Webhook,
  webhooksOf,
} from './openapi/webhooks.ts'

/**
 * The OpenAPI 3.1 document: a reading of the list of operations, as the REST door is. It has what bearers may
 * call; what only a person may do is refused to every key and token, and would be noise here.
 *
 * It is written for what generates clients from it, and to be short. What can be told once stands in the components
 * under a name of its own: each body, answer, parameter and header, and a choice that several fields have in common.
 * Errors are one answer, because every call refuses alike.
 */
export interface OpenApi {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    contact: { name: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  security: { bearer: [] }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, PathOperation>>
  webhooks: Record<string, { post: Webhook }>
  components: Components
}

export interface Components {
  securitySchemes: Record<string, unknown>
  schemas: Record<string, Schema>
  responses: Record<string, Response>
  parameters: Record<string, Parameter>
  headers: Record<string, { description: string; schema: Schema }>
}

export interface PathOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  'x-required-scopes': readonly string[]
  /** What it can refuse with that does not follow from its form. */
  'x-problem-codes'?: readonly Code[]
  parameters?: Pointer[]
  requestBody?: RequestBody
  responses: Record<string, Pointer>
  callbacks?: Callbacks
}

/** @param examples of the answers and signals, by the name of their schema */
export function openApiOf(
  operations: readonly AnyOperation[],
  examples: Examples = recordedExamples,
): OpenApi {
  const callable = openToPrograms(operations)
  const components: Components = {
    securitySchemes: SECURITY,
    schemas: {},
    responses: { ...WEBHOOK_RESPONSES },
    parameters: { ...WEBHOOK_PARAMETERS },
    headers: Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [headerName(name), header])),
  }
  components.responses[PROBLEM] = problemResponse(components.schemas, examples)
  const point = parameterPointers(callable, components)
  const paths: OpenApi['paths'] = {}
  for (const operation of callable) {
    paths[operation.path] ??= {}
    paths[operation.path]![operation.method.toLowerCase()] = describe(operation, point, components, examples)
  }
  const webhooks = webhooksOf(components.schemas, examples)
  const added = callable.find(({ name }) => name === 'createWebhookEndpoint')
  if (added)
    paths[added.path]![added.method.toLowerCase()]!.callbacks = signalsToEndpoint(
      webhooks,
      components.schemas,
    )
  describeFieldsOnce(paths, components)
  shareFields(components.schemas)
  renameParameters(paths, components)
  const { securitySchemes, schemas, responses, parameters, headers } = components
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version: '1',
      description: ABOUT,
      contact: { name: 'Whoever runs this service' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: tagsOf(operations).map((name) => ({ name, description: aboutTag(name) })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      schemas: sorted(schemas),
      responses: sorted(responses),
      parameters: sorted(parameters),
      headers,
    },
  }
}

/** The words under which operations are found, in their order. */
export const tagsOf = (operations: readonly AnyOperation[]): string[] => [
  ...new Set(openToPrograms(operations).map(tagOf)),
]

/** The word under which an operation is found: the first of its path. */
export const tagOf = ({ path }: AnyOperation): string =>
  (kindAtPath(path)?.path ?? path.slice('/v1/'.length)).split('/')[0]!

/** What is sent to a call has the fields of its answer: those say what they mean. */
function describeFieldsOnce(paths: OpenApi['paths'], { schemas, responses }: Components): void {
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const sent = operation.requestBody?.content['application/json']?.schema.$ref
    const [answer] = Object.values(operation.responses).map(({ $ref }) => responses[componentName($ref)])
    const answered = answer?.content?.['application/json']?.schema.$ref
    if (sent && answered)
      schemas[componentName(sent)] = describeOnce(
        schemas[componentName(sent)]!,
        schemas[componentName(answered)]!,
      )
  }
}

/** A parameter and a schema of one name would be one type in Go. */
function renameParameters(paths: OpenApi['paths'], { parameters, schemas }: Components): void {
  const taken = new Set(Object.keys(schemas).map((name) => name.toLowerCase()))
  const named = new Map(
    Object.keys(parameters).flatMap((name) =>
      taken.has(name.toLowerCase()) ? [[name, `${name}Parameter`] as const] : [],
    ),
  )
  for (const [name, other] of named) {
    parameters[other] = parameters[name]!
    delete parameters[name]
  }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const pointer of operation.parameters ?? []) {
      const other = named.get(componentName(pointer.$ref))
      if (other) pointer.$ref = pointToParameter(other).$ref
    }
}

type Pointing = (operation: AnyOperation) => Pointer[]

/** Puts the parameters of all operations into the components. @returns from an operation to what points at its own */
function parameterPointers(operations: readonly AnyOperation[], components: Components): Pointing {
  const uses = operations.flatMap((operation) => {
    const input = pointedAt(schemaOf(operation.input, 'input', components.schemas), components.schemas)
    const [subject, call] = [tagOf(operation), operation.name]
    return parametersOf(operation, input).map((parameter) => ({ parameter, subject, call }))
  })
  const named = parameterNames(uses)
  for (const use of uses) components.parameters[named(use)] = use.parameter
  return ({ name }) => uses.filter(({ call }) => call === name).map((use) => pointToParameter(named(use)))
}

function describe(
  operation: AnyOperation,
  point: Pointing,
  components: Components,
  examples: Examples,
): PathOperation {
  const { name, title, description, needs } = operation
  const refusals: readonly Code[] = [
    ...new Set<Code>([...(operation.refusals ?? []), ...(operation.on?.when ? ['conflict' as const] : [])]),
  ]
  const scopes = needs.anyOf
  const parameters = point(operation)
  const requestBody = bodyOf(operation, components.schemas)
  const { statuses, response } = successOf(operation, components.schemas, components.responses, examples)
  return {
    operationId: name,
    summary: title,
    description: description ?? scopesInWords(scopes),
    tags: [tagOf(operation)],
    'x-required-scopes': scopes,
    ...(refusals.length > 0 ? { 'x-problem-codes': refusals } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, response])),
      '4XX': pointToResponse(PROBLEM),
      default: pointToResponse(PROBLEM),
    },
  }
}

const scopesInWords = (scopes: readonly string[]): string =>
  scopes.length === 0 ? 'Any valid credential will do.' : `Needs \`${scopes.join('` or `')}\`.`

const sorted = <T>(map: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))
