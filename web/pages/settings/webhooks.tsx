import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../client/calls.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { NewKey } from '../../components/api-keys/new-key.tsx'
import { CodeSample } from '../../components/code-sample.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { TextLink } from '../../components/links.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { SecretBox } from '../../components/secret-box.tsx'
import { Section } from '../../components/section.tsx'
import { type Endpoint, EndpointChip } from '../../components/webhooks/chip.tsx'
import { DaySparkline } from '../../components/webhooks/day-chart.tsx'
import { FailureCount } from '../../components/webhooks/failure-count.tsx'
import { ReceiverCode } from '../../components/webhooks/receiver-code.tsx'
import { times } from '../../copy/times.ts'
import { endpoints as words } from '../../copy/webhooks.ts'
import { EndpointForm } from './webhooks/endpoint-form.tsx'

const MOST = 10
const EVERY = 15_000
const HEALTH_EVERY = 60_000

/** Where signals go, how each place does, and how to add one. */
export function WebhooksPage() {
  const [isAdding, setIsAdding] = useState(false)
  const [isMakingKey, setIsMakingKey] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const guarded = useGuardedCall()
  const listed = useAnswer('listWebhookEndpoints', {}, { refetchInterval: EVERY })
  const isFull = (listed.data?.data.length ?? 0) >= MOST
  const add = async (typed: Typed) => {
    const made = await guarded('createWebhookEndpoint', typed)
    setIsAdding(false)
    setSecret(made.secret)
    await readAgain('listWebhookEndpoints')
  }
  return (
    <Stack gap="lg">
      <PageHead
        title={words.title}
        text={words.text}
        action={listed.data && !isFull && <Button onClick={() => setIsAdding(true)}>{words.add}</Button>}
      />
      <Group gap="md">
        <TextLink to="/settings/deliveries">{words.log}</TextLink>
        <TextLink to="/settings/signature-bench">{words.bench}</TextLink>
        {isFull && (
          <Text size="sm" c="dimmed">
            {words.full}
          </Text>
        )}
      </Group>
      <Loaded query={listed}>
        {({ data }) =>
          data.length > 0 ? <DataTable label={words.list} rows={data} columns={COLUMNS} /> : <Empty />
        }
      </Loaded>
      <Section
        title={words.management.title}
        text={words.management.text}
        action={
          <Button variant="default" onClick={() => setIsMakingKey(true)}>
            {words.management.create}
          </Button>
        }
      >
        <TextLink to="/settings/api-keys">{words.management.all}</TextLink>
      </Section>
      {isMakingKey && <NewKey purpose="webhooks" close={() => setIsMakingKey(false)} />}
      {isAdding && listed.data && (
        <EndpointForm signalTypes={listed.data.signalTypes} save={add} close={() => setIsAdding(false)} />
      )}
      {secret !== null && (
        <SecretBox
          title={words.secret.title}
          label={words.secret.label}
          secret={secret}
          close={() => setSecret(null)}
        >
          <ReceiverCode />
        </SecretBox>
      )}
    </Stack>
  )
}

interface Typed {
  address: string
  description: string | null
  signalTypes: string[]
}

function Empty() {
  return (
    <Section
      title={words.empty.title}
      text={words.empty.text(times.length(useSignedIn().deliveries.retriedForMs))}
    >
      <CodeSample label="curl">{words.empty.curl(location.origin)}</CodeSample>
    </Section>
  )
}

const COLUMNS: Column<Endpoint>[] = [
  { label: words.columns.address, cell: (endpoint) => <Name {...endpoint} /> },
  { label: words.columns.state, cell: (endpoint) => <EndpointChip endpoint={endpoint} /> },
  {
    label: words.columns.failures,
    cell: ({ consecutiveFailures }) => <FailureCount failures={consecutiveFailures} />,
  },
  { label: words.columns.day, cell: ({ id }) => <LastDay id={id} /> },
  { label: words.columns.types, cell: ({ signalTypes }) => words.types(signalTypes.length) },
]

function Name({ id, address, description }: Endpoint) {
  return (
    <div>
      <TextLink to="/settings/webhooks/$id" params={{ id }} fw={500} style={{ overflowWrap: 'anywhere' }}>
        {address}
      </TextLink>
      {description && (
        <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          {description}
        </Text>
      )}
    </div>
  )
}

/** What it did is no reason for the list to wait. */
function LastDay({ id }: { id: string }) {
  const { data } = useAnswer('getWebhookEndpointHealth', { id }, { refetchInterval: HEALTH_EVERY })
  return data ? <DaySparkline health={data as Output<'getWebhookEndpointHealth'>} /> : null
}
