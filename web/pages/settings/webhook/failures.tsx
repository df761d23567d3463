import { Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { TextLink } from '../../../components/links.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { type Endpoint, OutcomeChip } from '../../../components/webhooks/chip.tsx'
import type { Health } from '../../../components/webhooks/day-chart.tsx'
import { FailureCount } from '../../../components/webhooks/failure-count.tsx'
import { endpoint as all } from '../../../copy/webhooks.ts'

const words = all.failures

type Row = Health['failures'][number] & { id: string }

/** The failures in a row: those that may turn it off, or did. */
export function Failures({
  endpoint: { enabled, disabledReason, consecutiveFailures },
  health,
}: {
  endpoint: Endpoint
  health: UseQueryResult<Health>
}) {
  const tripped = !enabled && disabledReason === 'failures'
  const count = health.data?.failures.length ?? consecutiveFailures
  if (count === 0) return null
  return (
    <Section
      title={tripped ? words.tripped : words.title}
      text={tripped ? words.trippedText : words.text(count)}
      action={<FailureCount failures={consecutiveFailures} />}
    >
      <Loaded query={health} lines={count + 1}>
        {({ failures }) => <Told failures={failures} />}
      </Loaded>
    </Section>
  )
}

function Told({ failures }: { failures: Health['failures'] }) {
  const rows = failures
    .map((failure) => ({ ...failure, id: `${failure.deliveryId} ${failure.number}` }))
    .sort((one, other) => other.at.localeCompare(one.at))
  return (
    <>
      <Causes rows={rows} />
      <DataTable label={words.list} rows={rows} columns={COLUMNS} />
    </>
  )
}

/** Ten attempts often fail alike, so what to look at is said once for each way. */
function Causes({ rows }: { rows: readonly Row[] }) {
  const ways = [...Map.groupBy(rows, ({ outcome }) => outcome)].map(([outcome, all]) => ({
    outcome,
    count: all.length,
    likelyCause: all[0]!.likelyCause,
  }))
  return (
    <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {ways.map(({ outcome, count, likelyCause }) => (
        <li key={outcome}>
          <Text size="sm" maw="72ch">
            <b>{words.cause(count, rows.length)}</b> {likelyCause}
          </Text>
        </li>
      ))}
    </Stack>
  )
}

const COLUMNS: Column<Row>[] = [
  { label: words.columns.at, cell: ({ at }) => <Moment isExact at={at} /> },
  {
    label: words.columns.answer,
    cell: ({ outcome, statusCode }) => <OutcomeChip outcome={outcome} statusCode={statusCode} />,
  },
  { label: words.columns.meaning, cell: ({ meaning }) => meaning },
  {
    label: words.columns.delivery,
    cell: ({ deliveryId, number }) => (
      <TextLink to="/settings/deliveries/$id" params={{ id: deliveryId }}>
        {words.attempt(number)}
      </TextLink>
    ),
  },
]
