import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyableText } from '../../../parts/copyable-text.tsx'
import { auditLog as words } from '../../../words/audit-log.ts'
import styles from './entries.module.css'
import { channelOf, type Entry } from './entries.tsx'
import type { Filter } from './filter.ts'

/** All of an entry: from what to what, and by whom through what. Each name leads to more of the same. */
export function Details({
  entry,
  people,
  only,
}: {
  entry: Entry
  people: ReadonlyMap<string, string>
  only: (filter: Filter) => void
}) {
  const { id, actor, subject, changes, reason, client, tool, channel, ip, userAgent, requestId } = entry
  const { facts } = words
  return (
    <Stack className={styles.details} gap="sm">
      {changes && Object.keys(changes).length > 0 && <Changes {...changes} />}
      <dl className={styles.facts}>
        <Fact label={facts.subject} only={() => only({ subjectId: subject.id })}>
          {subject.type} <CopyableText>{subject.id}</CopyableText>
        </Fact>
        <Fact label={facts.actor} only={() => only({ actorId: actor.id })}>
          <bdi>{actor.displayName}</bdi> <CopyableText>{actor.id}</CopyableText>
        </Fact>
        {actor.actingUserId && actor.actingUserId !== actor.id && (
          <Fact label={facts.person} only={() => only({ actingUserId: actor.actingUserId! })}>
            {people.get(actor.actingUserId)} <CopyableText>{actor.actingUserId}</CopyableText>
          </Fact>
        )}
        <Fact label={facts.channel}>{channelOf(channel)}</Fact>
        <Fact label={facts.client}>{client}</Fact>
        <Fact label={facts.tool}>{tool}</Fact>
        <Fact label={facts.reason}>{reason}</Fact>
        <Fact label={facts.ip}>{ip}</Fact>
        <Fact label={facts.userAgent}>{userAgent}</Fact>
        {requestId && (
          <Fact label={facts.request} only={() => only({ requestId })}>
            <CopyableText>{requestId}</CopyableText>
          </Fact>
        )}
        <Fact label={facts.entry}>
          <CopyableText>{id}</CopyableText>
        </Fact>
      </dl>
    </Stack>
  )
}

function Fact({ label, only, children }: { label: string; only?: () => void; children: ReactNode }) {
  if (children === null) return null
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {children}
        {only && (
          <Button
            variant="subtle"
            size="compact-xs"
            ml={4}
            aria-label={words.onlyLabel(label)}
            onClick={only}
          >
            {words.only}
          </Button>
        )}
      </dd>
    </>
  )
}

function Changes(changes: NonNullable<Entry['changes']>) {
  const { label, field, from, to } = words.changes
  return (
    <table className={styles.changes} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{field}</th>
          <th scope="col">{from}</th>
          <th scope="col">{to}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(changes).map(([name, moved]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <bdi>{shown(moved.from)}</bdi>
            </td>
            <td>
              <bdi>{shown(moved.to)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const LONGEST = 2_000

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.nothing
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? text.slice(0, LONGEST) + words.cut : text
}
