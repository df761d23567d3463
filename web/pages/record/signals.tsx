import { Anchor, Group, Text } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconRotateClockwise,
} from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callsOf } from '../../../model/calls.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { recordCall } from '../../client/records.ts'
import { pagesQuery } from '../../client/use-pages.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { record } from '../../copy/record.ts'
import styles from './record.module.css'

const words = record.signals

type Signal = Awaited<ReturnType<typeof recordCall<'signals'>>>['data'][number]
type Delivery = NonNullable<Signal['deliveries']>[number]

/** The signals that left for this record, and what became of each at each endpoint. */
export function Signals({ kind, id }: { kind: DescribedKind; id: string }) {
  const signals = useInfiniteQuery({
    ...pagesQuery([callsOf(kind).signals, { id }], (from) => recordCall(kind, 'signals', { id, ...from })),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.pages[0]?.data) ? SOON : false),
  })
  return (
    <Loaded query={signals} lines={4}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data)
        if (rows.length === 0) return <Text size="sm">{words.none}</Text>
        return (
          <>
            <DataTable
              label={words.title}
              rows={rows}
              columns={[
                { label: words.type, cell: ({ type }) => type },
                { label: words.deliveries, cell: Deliveries },
                { label: words.when, cell: ({ time }) => <Moment at={time} /> },
              ]}
            />
            <MorePages of={signals} />
          </>
        )
      }}
    </Loaded>
  )
}

const SOON = 3_000

const isUnderWay = (signals: readonly Signal[] | undefined): boolean =>
  signals?.some(({ deliveries }) => deliveries?.some(({ status }) => status === 'pending')) ?? false

/** Null to who may not read webhooks. */
function Deliveries({ deliveries, endpointsOff }: Pick<Signal, 'deliveries' | 'endpointsOff'>) {
  const none = !deliveries ? words.hidden : deliveries.length === 0 ? words.noDeliveries : null
  const told = endpointsOff ? words.off(endpointsOff) : none
  return (
    <Group gap="md">
      {deliveries?.map((delivery) => (
        <DeliveryLink key={delivery.id} {...delivery} />
      ))}
      {told && (
        <Text size="sm" c="dimmed">
          {told}
        </Text>
      )}
    </Group>
  )
}

const SHAPES = {
  pending: IconCircleDashed,
  waiting_for_retry: IconRotateClockwise,
  delivered: IconCircleCheck,
  failed: IconCircleX,
  not_sent: IconCircleMinus,
}

function DeliveryLink({ id, status, attemptCount }: Delivery) {
  const Shape = SHAPES[status]
  return (
    <Anchor
      component={Link}
      to={`/settings/deliveries/${id}` as '/'}
      size="sm"
      className={styles.delivery}
      data-status={status}
    >
      <Shape size={14} aria-hidden /> {words.statuses[status]}
      <Text span size="xs" c="dimmed">
        {words.attempts(attemptCount, status)}
      </Text>
    </Anchor>
  )
}
