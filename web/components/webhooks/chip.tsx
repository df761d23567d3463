import type { Output } from '../../client/calls.ts'
import { deliveries } from '../../copy/deliveries.ts'
import { endpoints } from '../../copy/webhooks.ts'
import { Chip, type Look } from '../chip.tsx'

export type DeliveryStatus = Output<'getWebhookDelivery'>['status']
export type Endpoint = Output<'listWebhookEndpoints'>['data'][number]

const STATUSES: Record<DeliveryStatus, Look> = {
  pending: 'underWay',
  waiting_for_retry: 'waits',
  delivered: 'good',
  failed: 'bad',
  not_sent: 'quiet',
}

export function StatusChip({ status }: { status: DeliveryStatus }) {
  return <Chip look={STATUSES[status]}>{deliveries.statuses[status]}</Chip>
}

export function EndpointChip({ endpoint: { enabled, disabledReason } }: { endpoint: Endpoint }) {
  if (enabled) return <Chip look="good">{endpoints.states.on}</Chip>
  const failed = disabledReason === 'failures'
  return (
    <Chip look={failed ? 'bad' : 'quiet'}>{failed ? endpoints.states.failures : endpoints.states.off}</Chip>
  )
}

export function OutcomeChip({ outcome, statusCode }: { outcome: string | null; statusCode: number | null }) {
  const look = outcome === null ? 'underWay' : outcome === 'success' ? 'good' : 'bad'
  return <Chip look={look}>{statusCode ?? (outcome ? deliveries.noAnswer : deliveries.sending)}</Chip>
}
