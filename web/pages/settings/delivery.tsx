import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { call, type Output } from '../../client/calls.ts'
import { isProblem } from '../../client/problem.ts'
import { queries } from '../../client/queries.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ButtonLink, TextLink } from '../../components/links.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Section } from '../../components/section.tsx'
import { AttemptCount } from '../../components/webhooks/attempt-count.tsx'
import { StatusChip } from '../../components/webhooks/chip.tsx'
import { Countdown } from '../../components/webhooks/countdown.tsx'
import { Facts } from '../../components/webhooks/facts.tsx'
import { deliveries, delivery as words } from '../../copy/deliveries.ts'
import { RequestView } from './delivery/request-view.tsx'
import { subjectOf } from './delivery/subject.tsx'
import { Timeline } from './delivery/timeline.tsx'

type Delivery = Output<'getWebhookDelivery'>

const WHILE_IT_GOES = 2_000
const OTHERWISE = 15_000

/** One delivery: what was sent, how often, and what came of it. It follows what happens while it is looked at. */
export function DeliveryPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const asked = useQuery({
    queryKey: ['getWebhookDelivery', { id }],
    queryFn: () => call('getWebhookDelivery', { id }),
    refetchInterval: ({ state: { data } }) => (data && !isFinished(data) ? WHILE_IT_GOES : OTHERWISE),
  })
  return (
    <Stack gap="lg">
      <TextLink to="/settings/deliveries">{words.back}</TextLink>
      {isProblem(asked.error, 'not_found') ? (
        <PageHead title={words.missing.title} text={words.missing.text} />
      ) : (
        <Loaded query={asked} lines={6} title={words.title}>
          {(delivery) => <Shown delivery={delivery} />}
        </Loaded>
      )}
    </Stack>
  )
}

function Shown({ delivery }: { delivery: Delivery }) {
  const { id, type, status } = delivery
  const guarded = useGuardedCall()
  const sending = useMutation({
    mutationFn: () => guarded('redeliverWebhookDelivery', { id }),
    onSuccess: (after) => {
      queries.setQueryData(['getWebhookDelivery', { id }], after)
      void readAgain('listWebhookDeliveries', 'getWebhookEndpointHealth')
    },
  })
  return (
    <Stack gap="lg">
      <PageHead
        title={type}
        action={
          <Group gap="xs">
            {delivery.attempts.some(({ headers }) => headers) && (
              <ButtonLink variant="default" to="/settings/signature-bench" search={{ delivery: id }}>
                {words.check}
              </ButtonLink>
            )}
            {isFinished(delivery) && (
              <Button loading={sending.isPending} onClick={() => sending.mutate()}>
                {words.redeliver}
              </Button>
            )}
          </Group>
        }
      />
      <ProblemAlert error={sending.error} />
      <DeliveryFacts delivery={delivery} />
      {status === 'waiting_for_retry' && (
        <Text size="sm" c="dimmed">
          {words.unfinished}
        </Text>
      )}
      <Section title={words.timeline.title}>
        <Timeline delivery={delivery} />
      </Section>
      <Section title={words.request.title}>
        <RequestView request={delivery.request} />
      </Section>
    </Stack>
  )
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { id, endpointId, status, createdAt, attemptCount, nextAttemptAt, signalId, run } = delivery
  const { data: endpoints } = useAnswer('listWebhookEndpoints', {})
  const subject = subjectOf(delivery.request.body)
  const address = endpoints?.data.find((one) => one.id === endpointId)?.address
  return (
    <Paper withBorder p="md">
      <Facts
        facts={[
          ...(subject ? ([[words.subject, subject]] as const) : []),
          [deliveries.columns.status, <StatusChip key="status" status={status} />],
          [words.attempts, <AttemptCount key="attempts" attemptCount={attemptCount} status={status} />],
          [
            words.next,
            status === 'waiting_for_retry' && nextAttemptAt ? (
              <Countdown key="next" until={nextAttemptAt} />
            ) : (
              words.none
            ),
          ],
          [
            words.endpoint,
            <TextLink
              key="endpoint"
              to="/settings/webhooks/$id"
              params={{ id: endpointId }}
              style={{ overflowWrap: 'anywhere' }}
            >
              {address ?? endpointId}
            </TextLink>,
          ],
          [words.created, <Moment key="created" isExact at={createdAt} />],
          ...(signalId
            ? ([[words.signal, <CopyableText key="signal">{signalId}</CopyableText>]] as const)
            : []),
          ...(run ? ([[words.run, <CopyableText key="run">{run.runId}</CopyableText>]] as const) : []),
          [
            words.id,
            <div key="id">
              <CopyableText>{id}</CopyableText>
              <Text size="xs" c="dimmed" maw="72ch">
                {words.idText}
              </Text>
            </div>,
          ],
        ]}
      />
    </Paper>
  )
}

const isFinished = ({ status }: Delivery) => status !== 'pending' && status !== 'waiting_for_retry'
