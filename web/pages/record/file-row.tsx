import { ActionIcon, Anchor, Button, Popover, Stack, Text } from '@mantine/core'
import { IconInfoCircle, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { useSignedIn } from '../../client/session.ts'
import { downloadFile } from '../../client/uploads.ts'
import { Chip } from '../../components/chip.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { Moment } from '../../components/moment.tsx'
import styles from '../../components/uploads.module.css'
import { actorName } from '../../copy/journal.ts'
import { sizeOf } from '../../copy/sizes.ts'
import { uploads as words } from '../../copy/uploads.ts'
import type { FileNow, FileOfRecord, FilesNow } from './use-files-now.ts'

/** A file: its name, which downloads it where it can be, what it is, and what can be done with it. */
export function FileRow({
  file: { id, name, bytes, sha256, uploadedAt },
  files: { nowOf, attempt, readAgain },
  remove,
}: {
  file: FileOfRecord
  files: FilesNow
  /** Takes it away; left out where that is not done. */
  remove?: (() => Promise<unknown>) | undefined
}) {
  const now = nowOf(id)
  const notReady = now && words.notReady[now.status]
  return (
    <li className={styles.file}>
      {notReady ? (
        <Text span size="sm" c="dimmed" className={styles.name}>
          <bdi>{name}</bdi>
        </Text>
      ) : (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className={styles.name}
          title={words.download(name)}
          onClick={() => attempt(downloadFile(id))}
        >
          <bdi>{name}</bdi>
        </Anchor>
      )}
      {notReady && <Chip look={now.status === 'infected' ? 'bad' : 'waits'}>{notReady}</Chip>}
      {now?.legalHold && <Chip look="quiet">{words.hold.title}</Chip>}
      <Text size="xs" c="dimmed" className={styles.about}>
        {sizeOf(bytes)} · <Moment at={uploadedAt} />
      </Text>
      <About name={name} sha256={sha256} now={now} attempt={attempt} changed={readAgain} />
      {remove && (
        <ActionIcon size="sm" aria-label={words.remove(name)} onClick={() => attempt(remove())}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

function About({
  name,
  sha256,
  now,
  attempt,
  changed,
}: {
  name: string
  sha256: string
  now: FileNow | undefined
  attempt: (work: Promise<unknown>) => void
  changed: () => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const mayHold = useSignedIn().capabilities.includes('settings.manage')
  const label = words.about.open(name)
  const hold = (id: string, legalHold: boolean) => {
    setIsOpen(false)
    attempt(call('updateFile', { id, legalHold }).then(changed))
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      shadow="sm"
      width={300}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon size="sm" aria-label={label} title={label} onClick={() => setIsOpen(!isOpen)}>
          <IconInfoCircle size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap="sm">
          <dl className={styles.facts}>
            <dt>{words.about.sha256}</dt>
            <dd>
              <CopyableText>{sha256}</CopyableText>
            </dd>
            {now && (
              <>
                <dt>{words.about.type}</dt>
                <dd>{now.type}</dd>
                <dt>{words.about.sentBy}</dt>
                <dd>
                  <bdi>{actorName(now.createdBy)}</bdi>
                </dd>
                {now.scan && (
                  <>
                    <dt>{words.about.scan}</dt>
                    <dd>{words.about.scans[now.scan]}</dd>
                  </>
                )}
              </>
            )}
          </dl>
          {now?.legalHold && <Text size="sm">{words.hold.text}</Text>}
          {now && mayHold && (
            <Button variant="default" size="compact-sm" onClick={() => hold(now.id, !now.legalHold)}>
              {now.legalHold ? words.hold.release : words.hold.put}
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
