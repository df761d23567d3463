import { Paper, Stack, Text } from '@mantine/core'
import type { Output } from '../../../client/calls.ts'
import { CopyableText } from '../../../components/copyable-text.tsx'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { type Endpoint, EndpointChip } from '../../../components/webhooks/chip.tsx'
import { Facts } from '../../../components/webhooks/facts.tsx'
import { endpoints, endpoint as words } from '../../../copy/webhooks.ts'

/** What is set for it. */
export function EndpointFacts({
  endpoint,
  signalTypes: catalogue,
}: {
  endpoint: Endpoint
  signalTypes: Output<'listWebhookEndpoints'>['signalTypes']
}) {
  const { id, address, signalTypes, createdAt, updatedAt } = endpoint
  const labelOf = (type: string) => catalogue.find((one) => one.type === type)?.label ?? type
  return (
    <Section title={words.facts.title}>
      <Paper withBorder p="md">
        <Facts
          facts={[
            [endpoints.columns.state, <EndpointChip key="state" endpoint={endpoint} />],
            [endpoints.form.address, <CopyableText key="address">{address}</CopyableText>],
            [
              words.facts.types,
              signalTypes.length === 0 ? (
                words.facts.noTypes
              ) : (
                <Stack key="types" gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
                  {signalTypes.map((type) => (
                    <li key={type}>
                      {labelOf(type)}{' '}
                      <Text span size="xs" c="dimmed">
                        <code>{type}</code>
                      </Text>
                    </li>
                  ))}
                </Stack>
              ),
            ],
            [words.facts.id, <CopyableText key="id">{id}</CopyableText>],
            [words.facts.created, <Moment key="created" isExact at={createdAt} />],
            [words.facts.updated, <Moment key="updated" isExact at={updatedAt} />],
          ]}
        />
      </Paper>
    </Section>
  )
}
