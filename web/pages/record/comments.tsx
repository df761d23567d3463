import { Stack, Text } from '@mantine/core'
import { mentionedIn } from '../../../model/mentions.ts'
import { call } from '../../client/calls.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { comments as words } from '../../copy/comments.ts'
import { CommentItem } from './comments/comment.tsx'
import styles from './comments/comments.module.css'
import { Composer } from './comments/composer.tsx'

/**
 * What people say about a record, the oldest first, and what one says oneself below. An auditor answers where somebody has
 * mentioned them.
 */
export function Comments({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const pages = usePages('listComments', { recordId: id })
  const { limitedView, person } = useSignedIn()
  const isAuditor = limitedView === 'auditor'
  const isAsked =
    isAuditor &&
    pages.data &&
    rowsOf(pages.data).some(({ text }) => text && mentionedIn(text).includes(person.id))
  const maySay = mayWrite || isAsked
  return (
    <Stack gap="md" maw={760}>
      <Loaded query={pages} lines={4}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <Text size="sm" c="dimmed">
              {mayWrite ? words.noneToWrite : words.none}
            </Text>
          ) : (
            <ol className={styles.list} aria-label={words.title}>
              {rowsOf(data).map((comment) => (
                <CommentItem key={comment.id} comment={comment} mayWrite={mayWrite} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <MorePages of={pages} />
      {!maySay && (
        <Text size="sm" c="dimmed">
          {isAuditor ? words.onceAsked : words.readOnly}
        </Text>
      )}
      {maySay && (
        <Composer
          recordId={id}
          submit={words.send}
          send={async (text, fileIds) => {
            await call('createComment', { recordId: id, text, ...(fileIds.length > 0 && { fileIds }) })
            await readAgain('listComments')
          }}
        />
      )}
    </Stack>
  )
}
