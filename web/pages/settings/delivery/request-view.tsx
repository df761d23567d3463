import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useState } from 'react'
import type { Output } from '../../../client/calls.ts'
import { CopyableText } from '../../../components/copyable-text.tsx'
import { ForeignBox } from '../../../components/foreign-text.tsx'
import { Headers } from '../../../components/webhooks/attempt.tsx'
import { number } from '../../../components/webhooks/figures.ts'
import { buttons } from '../../../copy/buttons.ts'
import { delivery } from '../../../copy/deliveries.ts'

const words = delivery.request

/** The request as it was last sent: address, headers, and the body to the byte. */
export function RequestView({ request }: { request: Output<'getWebhookDelivery'>['request'] }) {
  const { method, address, headers, body } = request
  const [view, setView] = useState<'pretty' | 'raw'>('pretty')
  const { copy, copied } = useClipboard({ timeout: 1_500 })
  const pretty = prettyOf(body)
  const shown = view === 'pretty' && pretty !== null ? pretty : body
  return (
    <Stack gap="sm">
      <Text size="sm">
        {method} <CopyableText>{address}</CopyableText>
      </Text>
      {Object.keys(headers).length > 0 ? (
        <Headers headers={headers} label={words.headers} />
      ) : (
        <Text size="sm" c="dimmed">
          {words.noHeaders}
        </Text>
      )}
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {words.body}
          </Text>
          <Text size="xs" c="dimmed">
            {words.bytes(number(new TextEncoder().encode(body).length))}
          </Text>
        </Group>
        <Group gap="xs">
          {pretty !== null && (
            <SegmentedControl
              size="xs"
              aria-label={words.view}
              value={view}
              onChange={setView}
              data={[
                { value: 'pretty' as const, label: words.pretty },
                { value: 'raw' as const, label: words.raw },
              ]}
            />
          )}
          <Button variant="default" size="compact-sm" onClick={() => copy(body)}>
            {copied ? buttons.copied : words.copy}
          </Button>
        </Group>
      </Group>
      <ForeignBox label={words.body}>{shown}</ForeignBox>
      {view === 'pretty' && pretty !== null && (
        <Text size="xs" c="dimmed">
          {words.prettyNote}
        </Text>
      )}
    </Stack>
  )
}

function prettyOf(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return null
  }
}
