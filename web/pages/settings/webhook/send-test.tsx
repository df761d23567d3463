import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readAgain } from '../../../client/use-answer.ts'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { TextLink } from '../../../components/links.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { Section } from '../../../components/section.tsx'
import { AttemptView } from '../../../components/webhooks/attempt.tsx'
import { StatusChip } from '../../../components/webhooks/chip.tsx'
import { endpoint } from '../../../copy/webhooks.ts'

const words = endpoint.testing

/** Sends a test, and shows its attempt as it goes. */
export function SendTest({ id, isMain }: { id: string; isMain: boolean }) {
  const guarded = useGuardedCall()
  const testing = useMutation({
    mutationFn: () => guarded('testWebhookEndpoint', { id }),
    onSettled: () => readAgain('listWebhookDeliveries', 'listWebhookEndpoints', 'getWebhookEndpointHealth'),
  })
  const attempt = testing.data?.attempts[0]
  return (
    <Section
      title={words.title}
      text={words.text}
      action={
        <Button
          variant={isMain ? 'filled' : 'default'}
          disabled={testing.isPending}
          onClick={() => testing.mutate()}
        >
          {testing.data ? words.again : endpoint.test}
        </Button>
      }
    >
      <div role="status">{testing.isPending && <Sending />}</div>
      <ProblemAlert error={testing.error} />
      {testing.data && attempt && !testing.isPending && (
        <Paper withBorder p="md">
          <Stack gap="sm">
            <Group gap="sm">
              <StatusChip status={testing.data.status} />
              <TextLink to="/settings/deliveries/$id" params={{ id: testing.data.id }}>
                {words.open}
              </TextLink>
            </Group>
            <AttemptView attempt={attempt} />
          </Stack>
        </Paper>
      )}
    </Section>
  )
}

function Sending() {
  const [since] = useState(Date.now)
  const [now, setNow] = useState(since)
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(ticking)
  }, [])
  return (
    <Text size="sm" aria-hidden={now > since || undefined}>
      {words.sending(((now - since) / 1_000).toFixed(1))}
    </Text>
  )
}
