import { Text } from '@mantine/core'
import type { Output } from '../../../client/calls.ts'
import { AttemptView } from '../../../components/webhooks/attempt.tsx'
import { Countdown } from '../../../components/webhooks/countdown.tsx'
import { delivery as words } from '../../../copy/deliveries.ts'
import styles from './timeline.module.css'

/** What will happen, and beneath it what did, newest first. */
export function Timeline({ delivery }: { delivery: Output<'getWebhookDelivery'> }) {
  const { attempts, status, nextAttemptAt } = delivery
  if (attempts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.timeline.none}
      </Text>
    )
  return (
    <ol className={styles.timeline} reversed aria-label={words.timeline.title}>
      {status === 'waiting_for_retry' && nextAttemptAt && (
        <li data-outcome="next">
          <Text size="sm">
            {words.timeline.next} <Countdown until={nextAttemptAt} />
          </Text>
        </li>
      )}
      {status === 'failed' && (
        <li data-outcome="next">
          <Text size="sm" c="dimmed">
            {words.timeline.last}
          </Text>
        </li>
      )}
      {attempts.map((attempt) => (
        <li key={attempt.number} data-outcome={lookOf(attempt.outcome)}>
          <AttemptView attempt={attempt} />
        </li>
      ))}
    </ol>
  )
}

function lookOf(outcome: string | null): 'next' | 'good' | 'bad' {
  if (outcome === null) return 'next'
  return outcome === 'success' ? 'good' : 'bad'
}
