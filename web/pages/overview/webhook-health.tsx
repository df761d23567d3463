import { Anchor, Group, Stack, Text } from '@mantine/core'
import type { Output } from '../../client/calls.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { Chip } from '../../components/chip.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { overview } from '../../copy/overview.ts'
import styles from './figures.module.css'

const words = overview.webhooks
const ALL = '/settings/webhooks'

type Endpoint = Output<'listWebhookEndpoints'>['data'][number]

/** The endpoints that somebody should look at: those that are off, and those on the way there. */
export function WebhookHealth() {
  const endpoints = useAnswer('listWebhookEndpoints', {})
  const all = (
    <Anchor component={AppLink} href={ALL} size="sm">
      {words.all}
    </Anchor>
  )
  return (
    <Card title={words.title} action={all}>
      <Loaded query={endpoints} lines={2}>
        {({ data }) => {
          const troubled = data.filter((one) => !one.enabled || one.consecutiveFailures > 0)
          if (data.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {words.none}{' '}
                <Anchor component={AppLink} href={ALL} size="sm">
                  {words.add}
                </Anchor>
              </Text>
            )
          if (troubled.length === 0) return <Text size="sm">{words.well(data.length)}</Text>
          return (
            <>
              <Text size="sm">{words.some(troubled.length, data.length)}</Text>
              <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
                {troubled.map((one) => (
                  <Troubled key={one.id} {...one} />
                ))}
              </Stack>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Troubled({ id, address, enabled, disabledReason, consecutiveFailures }: Endpoint) {
  const isTurnedOff = !enabled && disabledReason !== 'failures'
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="baseline">
      <Chip look={isTurnedOff ? 'quiet' : 'bad'}>{enabled ? words.failing : words.off}</Chip>
      <div style={{ minWidth: 0 }}>
        <AppLink href={`${ALL}/${id}`} className={styles.plain} style={{ overflowWrap: 'anywhere' }}>
          {address}
        </AppLink>
        <Text size="xs" c="dimmed">
          {enabled
            ? words.failures(consecutiveFailures)
            : isTurnedOff
              ? words.turnedOff
              : words.offByFailures}
        </Text>
      </div>
    </Group>
  )
}
