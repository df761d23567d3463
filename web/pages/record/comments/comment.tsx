import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../client/calls.ts'
import { readAgain, useAnswer } from '../../../client/use-answer.ts'
import type { Row } from '../../../client/use-pages.ts'
import { Chip } from '../../../components/chip.tsx'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Markdown } from '../../../components/markdown.tsx'
import { Moment } from '../../../components/moment.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { comments as words } from '../../../copy/comments.ts'
import { actorName } from '../../../copy/journal.ts'
import { Attachments } from './attachments.tsx'
import styles from './comments.module.css'
import { Composer } from './composer.tsx'

type Comment = Row<'listComments'>

/** Who said what and when, and what can be done about it. */
export function CommentItem({ comment, mayWrite }: { comment: Comment; mayWrite: boolean }) {
  const { id, recordId, text, version, createdBy, createdAt, editedAt, editedBy } = comment
  const { files, resolvedAt, isOwn, mayDelete } = comment
  const [doing, setDoing] = useState<'edit' | 'remove' | 'versions' | null>(null)
  const close = () => setDoing(null)
  const resolving = useMutation({
    mutationFn: () => call('updateComment', { id, ifMatch: version, isResolved: resolvedAt === null }),
    onSettled: () => readAgain('listComments'),
  })
  const name = actorName(createdBy)
  return (
    <li
      className={styles.comment}
      data-resolved={resolvedAt !== null || undefined}
      aria-label={words.by(name)}
    >
      <Group gap="xs" justify="space-between">
        <Group gap={6}>
          <Text size="sm" fw={600}>
            <bdi>{name}</bdi>
          </Text>
          <Text size="xs" c="dimmed">
            <Moment at={createdAt} />
            {editedAt && (
              <>
                {' · '}
                <button type="button" className={styles.edited} onClick={() => setDoing('versions')}>
                  {words.edited} <Moment at={editedAt} />
                </button>
                {editedBy && editedBy.id !== createdBy.id && (
                  <>
                    {' '}
                    {words.editedBy} <bdi>{actorName(editedBy)}</bdi>
                  </>
                )}
              </>
            )}
          </Text>
          {resolvedAt && <Chip look="good">{words.resolved}</Chip>}
        </Group>
        {mayWrite && (
          <Group gap={2}>
            <Act act={() => resolving.mutate()}>{resolvedAt ? words.reopen : words.resolve}</Act>
            {isOwn && <Act act={() => setDoing('edit')}>{words.edit}</Act>}
            {mayDelete && <Act act={() => setDoing('remove')}>{words.remove}</Act>}
          </Group>
        )}
      </Group>
      <ProblemAlert error={resolving.error} />
      {doing === 'edit' ? (
        <Composer
          recordId={recordId}
          id={id}
          text={text}
          files={files}
          submit={words.save}
          cancel={close}
          send={async (given, fileIds) => {
            await call('updateComment', { id, ifMatch: version, text: given, fileIds })
            await readAgain('listComments', 'listCommentVersions')
            close()
          }}
        />
      ) : (
        <>
          <Markdown>{text}</Markdown>
          <Attachments files={files} isSent />
        </>
      )}
      {doing === 'versions' && <Versions id={id} />}
      {doing === 'remove' && (
        <DangerDialog
          title={words.removal.title}
          text={words.removal.text}
          verb={words.removal.submit}
          close={close}
          act={async () => {
            await call('deleteComment', { id })
            await readAgain('listComments')
          }}
        />
      )}
    </li>
  )
}

function Act({ act, children }: { act: () => void; children: string }) {
  return (
    <Button size="compact-xs" variant="subtle" color="gray" onClick={act}>
      {children}
    </Button>
  )
}

function Versions({ id }: { id: string }) {
  const versions = useAnswer('listCommentVersions', { id })
  return (
    <section className={styles.versions} aria-label={words.versionsOf}>
      <Text size="xs" c="dimmed" mb={4}>
        {words.versions}
      </Text>
      <Loaded query={versions}>
        {({ data }) =>
          data.map(({ version, text, replacedAt }) => (
            <div key={version}>
              <Text size="xs" c="dimmed">
                {words.until} <Moment at={replacedAt} />
              </Text>
              <Markdown>{text}</Markdown>
            </div>
          ))
        }
      </Loaded>
    </section>
  )
}
