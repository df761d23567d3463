import { z } from 'zod'
import { idOf, moment, momentBefore } from '../../model/fields.ts'
import { operation, scope } from '../operation.ts'
import { PAGE, pageOf } from '../records/paging.ts'
import { getDelivery, listDeliveries } from './deliveries/delivery-log.ts'
import { DELIVERY_STATUSES, deliveryDetail, deliveryRow } from './delivery-record.ts'
import { redeliver } from './send-by-hand.ts'

const READ = scope('read:webhooks')
const ALL = '/v1/webhook-deliveries'

const repeated = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(50).optional()
const id = z
  .string()
  .min(1)
  .max(200)
  .meta({ title: 'Id' })
  .describe('The id of a delivery: listWebhookDeliveries has it')

export const listWebhookDeliveries = operation({
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: ALL,
  needs: READ,
  writes: false,
  title: 'List webhook deliveries',
  description: 'Newest first, without bodies.',
  input: z.strictObject({
    ...PAGE,
    endpointId: repeated(idOf('whe')).describe('Sent to these endpoints'),
    status: repeated(z.enum(DELIVERY_STATUSES)).describe('Where they stand'),
    type: repeated(z.string().min(1).max(200)).describe('Of these signals, such as risk.created'),
    createdAfter: moment().optional().describe('At or after'),
    createdBefore: momentBefore(),
  }),
  output: pageOf(deliveryRow),
  run: listDeliveries,
})

export const getWebhookDelivery = operation({
  name: 'getWebhookDelivery',
  method: 'GET',
  path: `${ALL}/{id}`,
  needs: READ,
  writes: false,
  title: 'Read one webhook delivery',
  description: 'With its exact body and headers, and every attempt.',
  input: z.strictObject({ id }),
  output: deliveryDetail,
  run: (context, input) => getDelivery(context, input.id),
})

export const redeliverWebhookDelivery = operation({
  name: 'redeliverWebhookDelivery',
  method: 'POST',
  path: `${ALL}/{id}/redeliver`,
  needs: scope('write:webhooks'),
  writes: 'own',
  title: 'Send a finished webhook delivery again',
  description:
    'Once and now, under the same webhook-id, also to an endpoint that is off. Waits for the attempt and answers with the delivery.',
  input: z.strictObject({ id }),
  output: deliveryDetail,
  refusals: ['delivery_not_finished', 'unavailable'],
  annotations: { openWorld: true },
  run: redeliver,
})

export const deliveryOperations = {
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhookDelivery,
} as const
