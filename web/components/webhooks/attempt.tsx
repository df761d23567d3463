import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../client/calls.ts'
import { delivery as words } from '../../copy/deliveries.ts'
import { ForeignBox, ForeignText } from '../foreign-text.tsx'
import { Moment } from '../moment.tsx'
import styles from './attempt.module.css'
import { OutcomeChip } from './chip.tsx'
import { milliseconds } from './figures.ts'

export type Attempt = Output<'getWebhookDelivery'>['attempts'][number]

/** One attempt: when, how long, what came of it, what that means and where to look first. */
export function AttemptView({ attempt }: { attempt: Attempt }) {
  const { number, outcome, statusCode, sentAt, durationMs, meaning, likelyCause, counted, headers } = attempt
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {words.timeline.attempt(number)}
        </Text>
        <OutcomeChip outcome={outcome} statusCode={statusCode} />
        <Text size="xs" c="dimmed">
          <Moment isExact at={sentAt} />
          {durationMs !== null && ` · ${words.timeline.took(milliseconds(durationMs))}`}
          {outcome !== null && !counted && ` · ${words.timeline.uncounted}`}
        </Text>
      </Group>
      <Text size="sm">{meaning ?? words.timeline.underWay}</Text>
      {likelyCause && outcome !== 'success' && (
        <Text size="sm" c="dimmed" maw="72ch">
          {words.timeline.cause}: {likelyCause}
        </Text>
      )}
      {statusCode !== null && <Answer {...attempt} />}
      {headers && (
        <details className={styles.details}>
          <summary>{words.timeline.sent}</summary>
          <Headers headers={headers} label={`${words.timeline.attempt(number)}: ${words.request.headers}`} />
        </details>
      )}
    </Stack>
  )
}

/** What a receiver answered, which may be anything: shown as text, whatever it is. */
function Answer({ number, responseBody, responseBodyBase64, responseTruncated }: Attempt) {
  const [view, setView] = useState('text')
  const label = `${words.timeline.attempt(number)}: ${words.answer.title}`
  if (!responseBody)
    return (
      <Text size="sm" c="dimmed">
        {words.answer.title}: {words.answer.empty}
      </Text>
    )
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {words.answer.title}
        </Text>
        {responseBodyBase64 !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label={words.answer.view}
            value={view}
            onChange={setView}
            data={[
              { value: 'text', label: words.answer.text },
              { value: 'hex', label: words.answer.hex },
            ]}
          />
        )}
      </Group>
      <ForeignBox label={label}>
        {view === 'hex' && responseBodyBase64 !== undefined ? hexOf(responseBodyBase64) : responseBody}
      </ForeignBox>
      {(responseTruncated || responseBodyBase64 !== undefined) && (
        <Text size="xs" c="dimmed">
          {responseTruncated && words.answer.truncated}{' '}
          {responseBodyBase64 !== undefined && words.answer.notText}
        </Text>
      )}
    </Stack>
  )
}

export function Headers({ headers, label }: { headers: Record<string, string>; label: string }) {
  return (
    <table className={styles.headers} aria-label={label}>
      <tbody>
        {Object.entries(headers).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <ForeignText>{value}</ForeignText>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const A_LINE = 16

function hexOf(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const lines = []
  for (let at = 0; at < bytes.length; at += A_LINE) {
    const line = [...bytes.subarray(at, at + A_LINE)]
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const seen = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${at.toString(16).padStart(4, '0')}  ${hex.padEnd(A_LINE * 3)} ${seen}`)
  }
  return lines.join('\n')
}
