import { z } from 'zod'
import { camel } from '../../../model/calls.ts'
import { everyKind } from '../../../model/kinds/index.ts'
import { SIGNAL_TYPES, type SignalType } from '../../../model/signal-types.ts'
import { signalBody } from '../../journal/signal-body.ts'
import { signalDataSchema } from '../../records/signal-data.ts'
import { componentName, pointTo, type Schema, schemaOf } from '../json-schemas.ts'
import { pointToResponse, type Response } from './answers.ts'
import type { Examples } from './examples.ts'
import { type Parameter, type Pointer, pointToParameter } from './parameters.ts'

/** What arrives at an endpoint for one type of signal, and what it answers. */
export interface Webhook {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: []
  parameters: Pointer[]
  requestBody: { required: true; content: { 'application/json': { schema: Schema; example: unknown } } }
  responses: Record<string, Pointer>
}

/** One for each type that something raises, by the type: those of the kinds, and the test. */
export function webhooksOf(
  schemas: Record<string, Schema>,
  examples: Examples,
): Record<string, { post: Webhook }> {
  const told = [
    ...everyKind.flatMap((kind) =>
      kind.signals.map((event) => {
        const type = `${kind.name}.${event}` as SignalType
        return { type, ...SIGNAL_TYPES[type], data: signalDataSchema(kind, event) as z.ZodType }
      }),
    ),
    { ...TEST, data: z.object({ message: z.string() }) },
  ]
  return Object.fromEntries(
    told.map(({ type, label, description, data }) => {
      const schema = schemaOf(signalBody(type, data), 'output', schemas)
      const webhook: Webhook = {
        operationId: `${camel(type.replace('.', '_'))}Signal`,
        summary: label,
        description,
        tags: ['webhook-endpoints'],
        security: [],
        parameters: Object.keys(WEBHOOK_PARAMETERS).map(pointToParameter),
        requestBody: {
          required: true,
          content: { 'application/json': { schema, example: examples[componentName(schema.$ref!)] } },
        },
        responses: { '2XX': pointToResponse('Received'), default: pointToResponse('NotReceived') },
      }
      return [type, { post: webhook }]
    }),
  )
}

/**
 * What is sent to an endpoint, where it is added: so what only webhooks point at belongs to a path as well, without which
 * some generators (oapi-codegen 2.8.2) leave its types out and use them all the same.
 */
export function signalsToEndpoint(
  webhooks: Record<string, { post: Webhook }>,
  schemas: Record<string, Schema>,
): Callbacks {
  const bodies = Object.values(webhooks).map(({ post }) => post.requestBody.content['application/json'])
  schemas.AnySignal = {
    description: 'A signal of any type',
    oneOf: bodies.map(({ schema }) => schema),
  }
  const post = {
    summary: 'Signal',
    description: 'Each type is described among the webhooks.',
    security: [] as [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map(pointToParameter),
    requestBody: { required: true, content: { 'application/json': { schema: pointTo('AnySignal') } } },
    responses: { '2XX': pointToResponse('Received'), default: pointToResponse('NotReceived') },
  } as const
  return { signal: { '{$request.body#/address}': { post } } }
}

export type Callbacks = Record<string, Record<string, Record<string, object>>>

const TEST = {
  type: 'webhook.test',
  label: 'Test',
  description: 'Somebody sent a test to the endpoint, which comes whatever it subscribes to.',
}

const header = (name: string, description: string, pattern: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern },
})

export const WEBHOOK_PARAMETERS: Readonly<Record<string, Parameter>> = {
  WebhookId: header(
    'webhook-id',
    'The id of the delivery, the same on every attempt: skip one that was seen in the last two days.',
    '^\\S+$',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was sent, in seconds since 1970: refuse one more than five minutes from your clock.',
    '^\\d+$',
  ),
  WebhookSignature: header(
    'webhook-signature',
    `One or more \`v1,\` and a signature in base64, with spaces between. It is good if any of them is the HMAC-SHA256 of
\`webhook-id.webhook-timestamp.body\`, of the bytes as they came, with the key that stands in base64 behind \`whsec_\` in
the secret of the endpoint (Standard Webhooks).`.replaceAll('\n', ' '),
    '^v1,',
  ),
}

export const WEBHOOK_RESPONSES: Readonly<Record<string, Response>> = {
  Received: {
    description:
      'It was received: any 2xx within 10 seconds, also to a type that is not known. Answer first, and work later.',
  },
  NotReceived: {
    description:
      `Anything else, a redirect too, is a failure. The same delivery is sent again after 30 seconds, 2 and 10
minutes, 1, 6 and 24 hours, unless this service was set up otherwise. Ten failures in a row turn the endpoint off.`.replaceAll(
        '\n',
        ' ',
      ),
  },
}
