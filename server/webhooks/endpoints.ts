import { z } from 'zod'
import { line } from '../../model/fields.ts'
import { describeSignalType } from '../../model/raised-signals.ts'
import { availableSignalTypes } from '../../model/signal-types.ts'
import { capability, confirmed, nothing, operation, scope } from '../operation.ts'
import { PAGE, pageOf } from '../records/paging.ts'
import { IF_MATCH, IF_MATCH_HEADER, READ_ONLY } from '../records/schemas.ts'
import { deliveryDetail } from './delivery-record.ts'
import { endpointRecord, endpointWithSecret, getEndpoint, signalTypeRow } from './endpoint-record.ts'
import { createEndpoint, deleteEndpoint, rotateSecret, updateEndpoint } from './endpoints/endpoint-changes.ts'
import { endpointHealth, readHealth } from './endpoints/endpoint-health.ts'
import { listEndpoints } from './endpoints/endpoint-list.ts'
import { acknowledgeShutOff, listUnseenShutOffs, shutOffPage } from './endpoints/shut-offs.ts'
import { sendTest } from './send-by-hand.ts'

const READ = scope('read:webhooks')
const WRITE = scope('write:webhooks')
const ALL = '/v1/webhook-endpoints'
const ONE = `${ALL}/{id}`

export const id = z
  .string()
  .min(1)
  .max(100)
  .meta({ title: 'Id' })
  .describe('The id of an endpoint: listWebhookEndpoints has it')

const address = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .meta({ title: 'Address' })
  .describe('A public https address. Redirects are not followed.')
const description = line('Description', 2_000)
  .nullable()
  .meta({ title: 'Description' })
  .describe('What it is for, in your words')
const signalTypes = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(200)
  .meta({ title: 'Signal types' })
  .describe('The types it receives, at least one. Tests and messages of workflows come whatever these are.')
const enabled = z
  .boolean()
  .meta({ title: 'On' })
  .describe('While it is `false`, signals make no delivery for it, then or later')

/** What the service sets may be sent back as it was read. */
const setByService = {
  disabledReason: READ_ONLY,
  disabledAt: READ_ONLY,
  consecutiveFailures: READ_ONLY,
  version: READ_ONLY,
  createdAt: READ_ONLY,
  updatedAt: READ_ONLY,
}

export const listWebhookEndpoints = operation({
  name: 'listWebhookEndpoints',
  method: 'GET',
  path: ALL,
  needs: READ,
  writes: false,
  title: 'List webhook endpoints',
  description: 'Without secrets, and with the signal types that this organization can subscribe to.',
  input: z.strictObject(PAGE),
  output: pageOf(endpointRecord)
    .extend({ signalTypes: z.array(signalTypeRow) })
    .meta({ id: 'WebhookEndpointPage' }),
  run: async (context, input) => ({
    ...(await listEndpoints(context, input)),
    signalTypes: availableSignalTypes(context.caller.features).map(describeSignalType),
  }),
})

export const getWebhookEndpoint = operation({
  name: 'getWebhookEndpoint',
  method: 'GET',
  path: ONE,
  needs: READ,
  writes: false,
  title: 'Read a webhook endpoint',
  description: 'Without its secret.',
  input: z.strictObject({ id }),
  output: endpointRecord,
  run: async (context, input) => (await getEndpoint(context, input.id)).record,
})

export const getWebhookEndpointHealth = operation({
  name: 'getWebhookEndpointHealth',
  method: 'GET',
  path: `${ONE}/health`,
  needs: READ,
  writes: false,
  title: 'Read how a webhook endpoint does',
  description: 'Its last day by the hour, and the failures in a row that turned it off or may do so.',
  input: z.strictObject({ id }),
  output: endpointHealth,
  run: readHealth,
})

export const createWebhookEndpoint = operation({
  name: 'createWebhookEndpoint',
  method: 'POST',
  path: ALL,
  needs: confirmed(WRITE),
  writes: 'own',
  title: 'Add a webhook endpoint',
  description: 'The answer holds the secret, this once. An organization has at most ten endpoints.',
  input: z.strictObject({
    address,
    description: description.optional(),
    signalTypes,
    enabled: enabled.default(true),
  }),
  output: endpointWithSecret,
  secret: 'secret',
  refusals: ['address_not_public', 'endpoint_limit_reached'],
  example: { address: 'https://hooks.example.com/plumbline', signalTypes: ['risk.created', 'risk.updated'] },
  location: (endpoint) => `${ALL}/${endpoint.id}`,
  run: createEndpoint,
})

export const updateWebhookEndpoint = operation({
  name: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: ONE,
  needs: confirmed(WRITE, 'address', 'signalTypes', { name: 'enabled', unless: false }),
  writes: 'own',
  title: 'Change a webhook endpoint',
  description:
    'Address, description or signal types, or turns it off or on. Off: what waits is never sent. On: the count of failures begins anew.',
  input: z.strictObject({
    id,
    ifMatch: IF_MATCH,
    address: address.optional(),
    description: description.optional(),
    signalTypes: signalTypes.optional(),
    enabled: enabled.optional(),
    ...setByService,
  }),
  output: endpointRecord,
  headers: IF_MATCH_HEADER,
  annotations: { idempotent: true },
  refusals: ['address_not_public'],
  example: { id: 'whe_01k9f8qxk2e9mbz6w0h5t4v3ra', enabled: true },
  run: updateEndpoint,
})

export const rotateWebhookEndpointSecret = operation({
  name: 'rotateWebhookEndpointSecret',
  method: 'POST',
  path: `${ONE}/rotate-secret`,
  needs: confirmed(WRITE),
  writes: 'own',
  title: 'Rotate the secret of a webhook endpoint',
  description: 'The answer holds the new secret, this once. The old one signs nothing any more.',
  input: z.strictObject({ id, ifMatch: IF_MATCH }),
  output: endpointWithSecret,
  headers: IF_MATCH_HEADER,
  secret: 'secret',
  annotations: { destructive: true },
  run: rotateSecret,
})

export const testWebhookEndpoint = operation({
  name: 'testWebhookEndpoint',
  method: 'POST',
  path: `${ONE}/test`,
  needs: WRITE,
  writes: 'own',
  title: 'Send a test to a webhook endpoint',
  description:
    'Sends `webhook.test` now, whatever the endpoint subscribes to, waits for the attempt and answers with the delivery.',
  input: z.strictObject({ id }),
  output: deliveryDetail,
  refusals: ['unavailable'],
  annotations: { openWorld: true },
  run: sendTest,
})

export const deleteWebhookEndpoint = operation({
  name: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: ONE,
  needs: WRITE,
  writes: true,
  title: 'Delete a webhook endpoint',
  description: 'With its delivery log. What waits is never sent.',
  input: z.strictObject({ id, ifMatch: IF_MATCH }),
  output: nothing,
  headers: IF_MATCH_HEADER,
  annotations: { destructive: true, idempotent: true },
  run: deleteEndpoint,
})

export const listWebhookShutOffs = operation({
  name: 'listWebhookShutOffs',
  method: 'GET',
  path: '/v1/webhook-shut-offs',
  needs: capability('settings.manage'),
  writes: false,
  title: 'List webhook endpoints that went off unseen',
  description: 'Those that failures turned off, and that you have not looked at since.',
  input: z.strictObject({}),
  output: shutOffPage,
  run: listUnseenShutOffs,
})

export const acknowledgeWebhookShutOff = operation({
  name: 'acknowledgeWebhookShutOff',
  method: 'POST',
  path: `${ONE}/acknowledge-shut-off`,
  needs: capability('settings.manage'),
  writes: true,
  title: 'Say that you saw why a webhook endpoint went off',
  description: 'You are not reminded of it any more; others are.',
  input: z.strictObject({ id }),
  output: nothing,
  annotations: { idempotent: true },
  run: acknowledgeShutOff,
})

export const endpointOperations = {
  listWebhookShutOffs,
  acknowledgeWebhookShutOff,
  listWebhookEndpoints,
  getWebhookEndpoint,
  getWebhookEndpointHealth,
  createWebhookEndpoint,
  updateWebhookEndpoint,
  rotateWebhookEndpointSecret,
  testWebhookEndpoint,
  deleteWebhookEndpoint,
} as const
