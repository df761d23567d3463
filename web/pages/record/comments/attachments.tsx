import { ActionIcon, Anchor, Text } from '@mantine/core'
import { IconPaperclip, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../client/calls.ts'
import { saveFrom } from '../../../client/uploads.ts'
import type { Row } from '../../../client/use-pages.ts'
import { Chip } from '../../../components/chip.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { sizeOf } from '../../../copy/sizes.ts'
import { uploads as words } from '../../../copy/uploads.ts'
import styles from './comments.module.css'

export type Attachment = Row<'listComments'>['files'][number]

/** The files of a comment, each with what it is; its name downloads it where that can be. */
export function Attachments({
  files,
  isSent = false,
  remove,
}: {
  files: readonly Attachment[]
  /** Whether a comment has them, and none is just being written. */
  isSent?: boolean
  remove?: (id: string) => void
}) {
  const saving = useMutation({
    mutationFn: async (id: string) => saveFrom((await call('downloadCommentFile', { id })).url),
  })
  if (files.length === 0) return null
  return (
    <>
      <ProblemAlert error={saving.error} />
      <ul className={styles.attachments} aria-label={words.title}>
        {files.map(({ id, name, bytes, status }) => {
          const notReady = words.notReady[status]
          return (
            <li key={id}>
              <IconPaperclip size={14} aria-hidden className={styles.clip} />
              {!isSent || notReady ? (
                <bdi className={styles.file}>{name}</bdi>
              ) : (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  className={styles.file}
                  title={words.download(name)}
                  onClick={() => saving.mutate(id)}
                >
                  <bdi>{name}</bdi>
                </Anchor>
              )}
              <Text span size="xs" c="dimmed">
                {sizeOf(bytes)}
              </Text>
              {notReady && <Chip look={status === 'infected' ? 'bad' : 'waits'}>{notReady}</Chip>}
              {remove && (
                <ActionIcon size="sm" aria-label={words.remove(name)} onClick={() => remove(id)}>
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
