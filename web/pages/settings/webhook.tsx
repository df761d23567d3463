import { Button, Group, Paper, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Output } from '../../client/calls.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { TextLink } from '../../components/links.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { SecretBox } from '../../components/secret-box.tsx'
import { Section } from '../../components/section.tsx'
import type { Endpoint } from '../../components/webhooks/chip.tsx'
import { DayChart } from '../../components/webhooks/day-chart.tsx'
import { ReceiverCode } from '../../components/webhooks/receiver-code.tsx'
import { times } from '../../copy/times.ts'
import { endpoints, endpoint as words } from '../../copy/webhooks.ts'
import { EndpointFacts } from './webhook/endpoint-facts.tsx'
import { Failures } from './webhook/failures.tsx'
import { LatestDeliveries } from './webhook/latest-deliveries.tsx'
import { OffAlert } from './webhook/off-alert.tsx'
import { SendTest } from './webhook/send-test.tsx'
import { EndpointForm } from './webhooks/endpoint-form.tsx'

const EVERY = 5_000
const HEALTH_EVERY = 15_000

/** One endpoint: how it does, why it went off, and everything that can be done with it. */
export function WebhookPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const listed = useAnswer('listWebhookEndpoints', {}, { refetchInterval: EVERY })
  return (
    <Stack gap="lg">
      <TextLink to="/settings/webhooks">{words.back}</TextLink>
      <Loaded query={listed} lines={6} title={endpoints.columns.address}>
        {({ data, signalTypes }) => {
          const endpoint = data.find((one) => one.id === id)
          if (endpoint) return <Shown endpoint={endpoint} signalTypes={signalTypes} />
          return <PageHead title={words.missing.title} text={words.missing.text} />
        }}
      </Loaded>
    </Stack>
  )
}

type Asked = 'edit' | 'turnOff' | 'rotate' | 'remove'

function Shown({
  endpoint,
  signalTypes,
}: {
  endpoint: Endpoint
  signalTypes: Output<'listWebhookEndpoints'>['signalTypes']
}) {
  const { id, address, enabled } = endpoint
  const { deliveries } = useSignedIn()
  const guarded = useGuardedCall()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const health = useAnswer('getWebhookEndpointHealth', { id }, { refetchInterval: HEALTH_EVERY })
  const change = async (changes: Partial<Endpoint>) => {
    await guarded('updateWebhookEndpoint', { id, ...changes })
    await readAgain('listWebhookEndpoints', 'getWebhookEndpointHealth', 'listWebhookDeliveries')
    setAsked(null)
  }
  const turningOn = useMutation({ mutationFn: () => change({ enabled: true }) })
  const rotate = async () => {
    const rotated = await guarded('rotateWebhookEndpointSecret', { id })
    setSecret(rotated.secret)
  }
  const remove = async () => {
    await guarded('deleteWebhookEndpoint', { id })
    await readAgain('listWebhookEndpoints', 'listWebhookDeliveries')
    await navigate({ to: '/settings/webhooks' })
  }
  const close = () => setAsked(null)
  return (
    <Stack gap="lg">
      <PageHead
        title={address}
        {...(endpoint.description ? { text: endpoint.description } : {})}
        action={
          <Group gap="xs">
            <Button variant="default" onClick={() => setAsked('edit')}>
              {words.edit}
            </Button>
            {enabled ? (
              <Button variant="default" onClick={() => setAsked('turnOff')}>
                {words.turnOff}
              </Button>
            ) : (
              <Button loading={turningOn.isPending} onClick={() => turningOn.mutate()}>
                {words.turnOn}
              </Button>
            )}
          </Group>
        }
      />
      <ProblemAlert error={turningOn.error} />
      <OffAlert endpoint={endpoint} />
      <Failures endpoint={endpoint} health={health} />
      <SendTest id={id} isMain={enabled} />
      <Section title={words.day.title}>
        <Paper withBorder p="md">
          <Loaded query={health}>{(data) => <DayChart health={data} />}</Loaded>
        </Paper>
      </Section>
      <LatestDeliveries id={id} />
      <EndpointFacts endpoint={endpoint} signalTypes={signalTypes} />
      <Section
        title={words.secret.title}
        text={words.secret.text}
        action={
          <Button variant="default" onClick={() => setAsked('rotate')}>
            {words.rotate}
          </Button>
        }
      />
      <Section
        title={words.removal.section}
        text={words.removal.sectionText}
        action={
          <Button variant="outline" color="red" onClick={() => setAsked('remove')}>
            {words.remove}
          </Button>
        }
      />
      {asked === 'edit' && (
        <EndpointForm endpoint={endpoint} signalTypes={signalTypes} save={change} close={close} />
      )}
      {asked === 'turnOff' && (
        <DangerDialog
          title={words.turningOff.title(address)}
          text={words.turningOff.text}
          verb={words.turningOff.submit}
          act={() => change({ enabled: false })}
          close={close}
        />
      )}
      {asked === 'rotate' && (
        <DangerDialog
          title={words.rotation.title}
          text={words.rotation.text(address, times.length(deliveries.retriedForMs))}
          verb={words.rotation.submit}
          act={rotate}
          close={close}
        />
      )}
      {asked === 'remove' && (
        <DangerDialog
          title={words.removal.title(address)}
          text={words.removal.text}
          verb={words.removal.submit}
          act={remove}
          close={close}
        />
      )}
      {secret !== null && (
        <SecretBox
          title={endpoints.secret.rotatedTitle}
          label={endpoints.secret.label}
          secret={secret}
          close={() => setSecret(null)}
        >
          <ReceiverCode />
        </SecretBox>
      )}
    </Stack>
  )
}
