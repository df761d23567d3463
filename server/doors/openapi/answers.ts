import { z } from 'zod'
import type { AnyOperation } from '../../operation.ts'
import { CODES, type Code } from '../../refusal.ts'
import { componentName, pointedAt, type Schema, schemaOf } from '../json-schemas.ts'
import type { Examples } from './examples.ts'
import type { Pointer } from './parameters.ts'

export interface Response {
  description: string
  headers?: Record<string, Pointer>
  content?: Record<string, { schema: Schema; example?: unknown }>
}

/** Every call refuses alike, so one answer says it for all. */
export const PROBLEM = 'Problem'

/**
 * The answer of an operation when all went well: one for each schema there is, since it says the same wherever it is
 * given. It has what any of the calls adds to it: a `Location` where one of them makes a record.
 */
export function successOf(
  operation: AnyOperation,
  schemas: Record<string, Schema>,
  responses: Record<string, Response>,
  examples: Examples,
): { statuses: number[]; response: Pointer } {
  if (operation.answers === 'nothing') {
    responses.Done ??= { description: 'It is done.' }
    return { statuses: [204], response: pointToResponse('Done') }
  }
  if (operation.answers === 'stream') {
    responses.Bytes ??= {
      description: 'The bytes of a file.',
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    }
    return { statuses: [200], response: pointToResponse('Bytes') }
  }
  const schema = schemaOf(operation.output, 'output', schemas)
  if (!schema.$ref) throw new Error(`Give the answer of ${operation.name} a name: a meta id for its schema.`)
  const name = componentName(schema.$ref)
  const { description, properties = {} } = pointedAt(schema, schemas)
  responses[name] ??= {
    description: description ?? words(name),
    ...('version' in properties ? { headers: headersOf(['ETag']) } : {}),
    content: { 'application/json': { schema, example: examples[name] } },
  }
  if (operation.location) responses[name].headers = { ...responses[name].headers, ...headersOf(['Location']) }
  return { statuses: statusesOf(operation), response: pointToResponse(name) }
}

/** What makes something answers 201, and a PUT may find it there already. */
const statusesOf = ({ location, method }: AnyOperation): number[] =>
  !location ? [200] : method === 'PUT' ? [200, 201] : [201]

/** The answer to whatever does not succeed. */
export function problemResponse(schemas: Record<string, Schema>, examples: Examples): Response {
  const schema = schemaOf(problem, 'output', schemas)
  return {
    description: ABOUT_PROBLEMS,
    headers: headersOf(Object.keys(HEADERS).filter((name) => !OF_SUCCESS.includes(name))),
    content: {
      'application/problem+json': { schema, example: examples[PROBLEM] },
    },
  }
}

const ABOUT_PROBLEMS =
  `A problem object (RFC 9457). After any 4xx nothing was written. Any call can answer 400, 401, 403,
422, 429, 500 and 503; with a body also 413 and 415, with an id 404, with If-Match 412, with Idempotency-Key 409; and what
its \`x-problem-codes\` name. \`malformed_request\` is 400, but 431 for more than 16 KB of headers, and 408 for a request
that takes too long to arrive. 503 \`unavailable\`: too many calls are under way, in your organization or in the service,
or the database took too long; \`detail\` says which. Wait \`Retry-After\` seconds.`.replaceAll('\n', ' ')

const problem = z
  .object({
    type: z.string().meta({ format: 'uri' }).describe('Where the code is described'),
    title: z.string().describe('What the code means'),
    status: z.int(),
    detail: z.string().describe('What to do about it'),
    code: z.enum(Object.keys(CODES) as [Code, ...Code[]]).describe('For programs'),
    requestId: z
      .string()
      .meta({ format: 'uuid' })
      .describe('As in Request-Id; the log has the rest under it'),
    errors: z
      .array(
        z
          .object({ path: z.string().describe('Where in the input, with dots'), message: z.string() })
          .meta({ id: 'FieldError', title: 'What is wrong with a field' }),
      )
      .optional()
      .describe('The fields at fault (validation_failed, conflict)'),
    required: z.array(z.string()).optional().describe('Scopes of which one would do (insufficient_scope)'),
    allowed: z.array(z.string()).optional().describe('What the status can change to (invalid_transition)'),
    holder: z
      .object({ id: z.string(), reference: z.string() })
      .optional()
      .describe('The record that has the value already (conflict)'),
    mergedInto: z
      .object({ id: z.string(), reference: z.string() })
      .optional()
      .describe('The record that stands in its place (not_found)'),
    version: z.int().optional().describe('The present one (version_mismatch)'),
  })
  .loose()
  .meta({ id: PROBLEM, title: 'What went wrong, as RFC 9457 has it' })

const OF_SUCCESS = ['ETag', 'Location']

/** Headers of answers, by their names. */
export const HEADERS: Readonly<Record<string, { description: string; schema: Schema }>> = {
  'Request-Id': header('Of this answer.', { type: 'string', format: 'uuid' }),
  'RateLimit-Policy': header('The calls of a window: `"default";q=500;w=600`.'),
  RateLimit: header('The calls left, and the seconds until the window ends: `"default";r=499;t=600`.'),
  ETag: header('The version, for If-Match.'),
  Location: header('The path of what was made, where it was made.'),
  'WWW-Authenticate': header('Of 401 and 403: which credential is asked for, and which scope would help.'),
  Allow: header('Of 405: the methods that the path takes.'),
  'Retry-After': header('Of 429 and 503: seconds to wait.', { type: 'integer' }),
}

function header(description: string, schema: Schema = { type: 'string' }) {
  return { description, schema }
}

/** `RateLimitPolicy` of `RateLimit-Policy`. */
export const headerName = (name: string): string => name.replaceAll('-', '')

const headersOf = (names: readonly string[]): Record<string, Pointer> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${headerName(name)}` }]))

export const pointToResponse = (name: string): Pointer => ({ $ref: `#/components/responses/${name}` })

/** `Risk page` of `RiskPage`. */
const words = (name: string): string => name.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
