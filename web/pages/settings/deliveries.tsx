import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useAnswer } from '../../client/use-answer.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/links.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { AttemptCount } from '../../components/webhooks/attempt-count.tsx'
import { OutcomeChip, StatusChip } from '../../components/webhooks/chip.tsx'
import { Countdown } from '../../components/webhooks/countdown.tsx'
import { deliveries as words } from '../../copy/deliveries.ts'
import { Filters } from './deliveries/filters.tsx'
import { RedeliverMany } from './deliveries/redeliver-many.tsx'
import { Subject } from './deliveries/subject.tsx'
import { type DeliveryRow, useDeliveryLog } from './deliveries/use-delivery-log.ts'
import { filtersOf, useView } from './deliveries/view.ts'
import styles from './deliveries.module.css'

/** Everything that was sent, as it happens. */
export function DeliveriesPage() {
  const { view, change, clear } = useView()
  const [redelivers, setRedelivers] = useState(false)
  const { data: endpoints } = useAnswer('listWebhookEndpoints', {})
  const { shown, rows, isLive, fresh, freshAtLeast, showFresh } = useDeliveryLog(view)
  const isFiltered = Object.keys(view).length > 0

  // Where nothing stands, nothing is moved by what comes.
  const isFirst = rows.length === 0 && fresh > 0
  useEffect(() => {
    if (isFirst) showFresh()
  })

  const addressOf = (id: string) => endpoints?.data.find((one) => one.id === id)?.address
  return (
    <Stack gap="md">
      <PageHead
        title={words.title}
        text={words.text}
        action={
          rows.length > 0 && (
            <Button variant="default" onClick={() => setRedelivers(true)}>
              {words.many.open}
            </Button>
          )
        }
      />
      <Filters view={view} change={change} clear={clear} endpoints={endpoints} />
      <Group justify="space-between" gap="xs" mih={26}>
        <Text size="xs" c="dimmed" className={isLive ? styles.live : undefined}>
          {isLive ? words.live : words.notLive}
        </Text>
        <div role="status">
          {fresh > 0 && !isFirst && (
            <Button size="compact-sm" variant="light" onClick={showFresh}>
              {words.fresh(fresh, freshAtLeast)}
            </Button>
          )}
        </div>
      </Group>
      <Loaded query={shown} lines={8}>
        {() =>
          rows.length > 0 ? (
            <DataTable label={words.list} rows={rows} columns={columnsOf(addressOf)} />
          ) : (
            <Empty isFiltered={isFiltered} />
          )
        }
      </Loaded>
      <MorePages of={shown} />
      {!shown.hasNextPage && rows.length > 10 && (
        <Text size="xs" c="dimmed" ta="center">
          {words.end}
        </Text>
      )}
      {redelivers && <RedeliverMany filters={filtersOf(view)} close={() => setRedelivers(false)} />}
    </Stack>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Text size="sm">{words.nothing}</Text>
  return (
    <Alert color="gray" title={words.empty.title}>
      <Text size="sm" maw="72ch">
        {words.empty.text}
      </Text>
      <TextLink to="/settings/webhooks">{words.empty.open}</TextLink>
    </Alert>
  )
}

const columnsOf = (addressOf: (id: string) => string | undefined): Column<DeliveryRow>[] => [
  {
    label: words.columns.type,
    cell: ({ id, type }) => (
      <TextLink to="/settings/deliveries/$id" params={{ id }} fw={500}>
        {type}
      </TextLink>
    ),
  },
  { label: words.columns.subject, cell: ({ subject }) => <Subject subject={subject} /> },
  {
    label: words.columns.status,
    cell: ({ status, nextAttemptAt }) => (
      <>
        <StatusChip status={status} />
        {status === 'waiting_for_retry' && nextAttemptAt && (
          <div className={styles.next}>
            {words.columns.next} <Countdown until={nextAttemptAt} />
          </div>
        )}
      </>
    ),
  },
  {
    label: words.columns.endpoint,
    cell: ({ endpointId }) => (
      <span className={styles.address} title={addressOf(endpointId)}>
        {addressOf(endpointId) ?? endpointId}
      </span>
    ),
  },
  {
    label: words.columns.attempts,
    cell: ({ attemptCount, status, lastAttempt }) => (
      <Group gap={6} wrap="nowrap">
        {lastAttempt && <OutcomeChip {...lastAttempt} />}
        <span className={styles.count}>
          <AttemptCount attemptCount={attemptCount} status={status} />
        </span>
      </Group>
    ),
  },
  { label: words.columns.created, cell: ({ createdAt }) => <Moment isExact at={createdAt} /> },
  {
    label: words.columns.id,
    // Its end tells it apart.
    cell: ({ id }) => (
      <CopyableText isShort shown={`…${id.slice(-8)}`}>
        {id}
      </CopyableText>
    ),
  },
]
