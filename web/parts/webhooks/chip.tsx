import { Badge } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClockHour4,
} from '@tabler/icons-react'
import type { Output } from '../../client/calls.ts'
import { deliveries, endpoints } from '../../words/webhooks.ts'

export type DeliveryStatus = Output<'getWebhookDelivery'>['status']
export type Endpoint = Output<'listWebhookEndpoints'>['data'][number]

const GOOD = { Shape: IconCircleCheck, color: 'var(--good)' }
const BAD = { Shape: IconCircleX, color: 'var(--mantine-color-error)' }
const UNDER_WAY = { Shape: IconCircleDashed, color: 'var(--mantine-color-anchor)' }
const WAITS = { Shape: IconClockHour4, color: 'var(--waits)' }
const QUIET = { Shape: IconCircleMinus, color: 'var(--mantine-color-dimmed)' }

const STATUSES = {
  pending: UNDER_WAY,
  waiting_for_retry: WAITS,
  delivered: GOOD,
  failed: BAD,
  not_sent: QUIET,
} as const

/** A status: its shape, its colour and its word. */
export function StatusChip({ status }: { status: DeliveryStatus }) {
  return <Chip {...STATUSES[status]}>{deliveries.statuses[status]}</Chip>
}

export function EndpointChip({ endpoint: { enabled, disabledReason } }: { endpoint: Endpoint }) {
  if (enabled) return <Chip {...GOOD}>{endpoints.states.on}</Chip>
  const failed = disabledReason === 'failures'
  return <Chip {...(failed ? BAD : QUIET)}>{failed ? endpoints.states.failures : endpoints.states.off}</Chip>
}

export function OutcomeChip({ outcome, statusCode }: { outcome: string | null; statusCode: number | null }) {
  const look = outcome === null ? UNDER_WAY : outcome === 'success' ? GOOD : BAD
  return <Chip {...look}>{statusCode ?? (outcome ? deliveries.noAnswer : deliveries.sending)}</Chip>
}

function Chip({ Shape, color, children }: typeof GOOD & { children: string | number }) {
  return (
    <Badge
      variant="default"
      tt="none"
      fw={500}
      radius={6}
      style={{ flex: 'none', minWidth: 'max-content' }}
      leftSection={<Shape size={14} color={color} aria-hidden style={{ display: 'block' }} />}
    >
      {children}
    </Badge>
  )
}
