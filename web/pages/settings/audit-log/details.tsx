import { Anchor, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { nameOfSubject, pathOfActor, pathOfSubject } from '../../../client/audit-sentence.ts'
import { subjectWord } from '../../../client/journal.ts'
import { AppLink } from '../../../components/app-link.tsx'
import { Changes } from '../../../components/changes.tsx'
import { CopyableText } from '../../../components/copyable-text.tsx'
import { utcWord, ZonedMoment } from '../../../components/moment.tsx'
import { auditLog as words } from '../../../copy/audit-log.ts'
import { channelWord, credentialWord } from '../../../copy/journal.ts'
import { outcomes } from '../../../copy/outcomes.ts'
import styles from './entries.module.css'
import type { Entry } from './entry.ts'
import type { Filter } from './filter.ts'

/** All of an entry: from what to what, and by whom through what. Each name leads to more of the same. */
export function Details({
  entry,
  only,
  exportSealed,
}: {
  entry: Entry
  only: (filter: Filter) => void
  exportSealed: () => void
}) {
  const { id, time, actor, action, outcome, subject, changes, reason, client, tool, channel } = entry
  const { ip, userAgent, requestId } = entry
  const { facts } = words
  return (
    <Stack className={styles.details} gap="sm">
      <Changes type={subject.type} action={action} changes={changes} />
      <dl className={styles.facts}>
        <Fact label={facts.time}>
          <ZonedMoment at={time} />
          <span className={styles.second}>{utcWord(time)}</span>
        </Fact>
        <Fact label={facts.action} only={() => only({ action })}>
          <CopyableText>{action}</CopyableText>
        </Fact>
        <Fact label={facts.outcome}>{outcomes[outcome]}</Fact>
        {reason !== null && (
          <Fact label={facts.reason}>{words.reasonOf(action, outcome, reason) ?? reason}</Fact>
        )}
        <Fact
          label={facts.subject}
          only={() => only(subject.reference ? { reference: subject.reference } : { subjectId: subject.id })}
        >
          {subjectWord(subject.type)}{' '}
          <Named path={pathOfSubject(subject)} name={nameOfSubject(subject) ?? ''} />{' '}
          <CopyableText>{subject.id}</CopyableText>
        </Fact>
        <Fact label={facts.actor} only={() => only({ actorId: actor.id })}>
          {credentialWord(actor.type)} <Named path={pathOfActor(actor)} name={actor.displayName} />{' '}
          <CopyableText>{actor.id}</CopyableText>
        </Fact>
        {actor.actingUserId && actor.actingUserId !== actor.id && (
          <Fact label={facts.person} only={() => only({ actingUserId: actor.actingUserId! })}>
            <Named
              path={pathOfActor({ type: 'user', id: actor.actingUserId })}
              name={actor.actingUserName ?? ''}
            />{' '}
            <CopyableText>{actor.actingUserId}</CopyableText>
          </Fact>
        )}
        <Fact label={facts.channel}>{channelWord(channel)}</Fact>
        <Fact label={facts.client}>{client}</Fact>
        <Fact label={facts.tool}>{tool}</Fact>
        <Fact label={facts.ip}>{ip}</Fact>
        <Fact label={facts.userAgent}>{userAgent}</Fact>
        {requestId && (
          <Fact label={facts.request} only={() => only({ requestId })}>
            <CopyableText>{requestId}</CopyableText>
          </Fact>
        )}
        <Fact label={facts.entry}>
          <CopyableText>{id}</CopyableText>{' '}
          <Anchor component={AppLink} href={`/settings/audit-log?id=${id}`} inherit>
            {words.link}
          </Anchor>
        </Fact>
        <Fact label={facts.seal}>
          <Seal entry={entry} exportSealed={exportSealed} />
        </Fact>
      </dl>
    </Stack>
  )
}

/** Letters of a hash: enough to tell two apart. */
const SHORT = 12

/** The place of the entry in the chain of seals, and how anybody checks that the chain is whole. */
function Seal({ entry: { seal }, exportSealed }: { entry: Entry; exportSealed: () => void }) {
  return (
    <>
      {seal ? (
        <>
          {words.seal(seal.seq)}{' '}
          <CopyableText shown={`${seal.hash.slice(0, SHORT)}…`}>{seal.hash}</CopyableText>
          <span className={styles.second}>
            {words.sealed} <ZonedMoment at={seal.sealedAt} />
          </span>
        </>
      ) : (
        <>
          {words.unsealed}
          <span className={styles.second}>{words.unsealedText}</span>
        </>
      )}
      <Text span size="xs" c="dimmed" display="block">
        {words.verifyText} <code>plumbline audit verify FILE</code>{' '}
        <Button variant="subtle" size="compact-xs" mih={24} onClick={exportSealed}>
          {words.exportSealed}
        </Button>
      </Text>
    </>
  )
}

function Named({ path, name }: { path: string | null; name: string }) {
  if (path === null || name === '') return <bdi>{name}</bdi>
  return (
    <Anchor component={AppLink} href={path} inherit>
      <bdi>{name}</bdi>
    </Anchor>
  )
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
