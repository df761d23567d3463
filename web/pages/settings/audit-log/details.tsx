import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { kindOf, subjectWord } from '../../../client/journal.ts'
import { Changes } from '../../../parts/changes.tsx'
import { CopyableText } from '../../../parts/copyable-text.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { NamedRecordLink } from '../../../parts/named-record-link.tsx'
import { auditLog as words } from '../../../words/audit-log.ts'
import { channelWord } from '../../../words/journal.ts'
import styles from './entries.module.css'
import type { Entry } from './entries.tsx'
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
  const { id, time, actor, action, subject, changes, reason, client, tool, channel } = entry
  const { ip, userAgent, requestId, seal } = entry
  const { facts } = words
  return (
    <Stack className={styles.details} gap="sm">
      <Changes type={subject.type} action={action} changes={changes} />
      <dl className={styles.facts}>
        <Fact label={facts.subject} only={() => only({ subjectId: subject.id })}>
          {subjectWord(subject.type)} <SubjectName {...subject} /> <CopyableText>{subject.id}</CopyableText>
        </Fact>
        <Fact label={facts.actor} only={() => only({ actorId: actor.id })}>
          <bdi>{actor.displayName}</bdi> <CopyableText>{actor.id}</CopyableText>
        </Fact>
        {actor.actingUserId && actor.actingUserId !== actor.id && (
          <Fact label={facts.person} only={() => only({ actingUserId: actor.actingUserId! })}>
            <bdi>{people.get(actor.actingUserId)}</bdi> <CopyableText>{actor.actingUserId}</CopyableText>
          </Fact>
        )}
        <Fact label={facts.time}>
          <Moment at={time} isExact />
        </Fact>
        <Fact label={facts.action} only={() => only({ action })}>
          {action}
        </Fact>
        <Fact label={facts.channel}>{channelWord(channel)}</Fact>
        <Fact label={facts.client}>{client}</Fact>
        <Fact label={facts.tool}>{tool}</Fact>
        <Fact label={facts.reason}>{words.reason(reason)}</Fact>
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
        <Fact label={facts.seal}>
          {seal ? (
            <>
              {words.seal(seal.seq)}, <code title={seal.hash}>{seal.hash.slice(0, SHORT)}</code>,{' '}
              {words.sealed} <Moment at={seal.sealedAt} isExact />
            </>
          ) : (
            words.unsealed
          )}
        </Fact>
      </dl>
    </Stack>
  )
}

/** Letters of a hash: enough to tell two apart. */
const SHORT = 12

/** What it is called; of a record the way to it, where also a deleted one tells of its end. */
function SubjectName({ type, id, reference, title = '' }: Entry['subject']) {
  const kind = kindOf(type)
  if (kind && reference) return <NamedRecordLink kind={kind} id={id} reference={reference} name={title} />
  return <bdi>{title}</bdi>
}

function Fact({ label, only, children }: { label: string; only?: () => void; children: ReactNode }) {
  if (children === null) return null
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <bdi>{children}</bdi>
        {only && (
          <Button
            variant="subtle"
            size="compact-xs"
            mih={24}
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
