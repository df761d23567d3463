import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Uploads } from '../../../model/kind.ts'
import { type CallName, call, type Input, type Output } from '../../client/calls.ts'
import type { AnyRecord } from '../../client/records.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import styles from '../../components/uploads.module.css'
import { WebLink } from '../../components/web-link.tsx'
import { actorName } from '../../copy/journal.ts'
import { uploads } from '../../copy/uploads.ts'
import { FileRow } from './file-row.tsx'
import { type FilesNow, useFilesNow } from './use-files-now.ts'

const words = uploads.revisions

type Revision = Output<'listEvidenceRevisions'>['data'][number]

/** What was kept of a record each time it was sent to a reviewer, the latest first and open. */
export function Revisions({ uploads, record }: { uploads: Uploads; record: AnyRecord }) {
  const { list, current } = uploads.revisions!
  const files = useFilesNow(uploads, record)
  const { id } = record
  const revisions = useQuery({
    // What was decided on them comes with another state.
    queryKey: [list, { id }, record[current], record[uploads.state]],
    queryFn: () =>
      call(list as CallName, { id } as Input<CallName>) as unknown as Promise<{ data: Revision[] }>,
  })
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <Text size="xs" c="dimmed" mb="xs">
        {words.text}
      </Text>
      <ProblemAlert error={files.error} />
      <Loaded query={revisions} lines={2}>
        {({ data }) =>
          data.map((revision, place) => (
            <details key={revision.id} className={styles.revision} open={place === 0}>
              <summary>
                <b>{words.one(revision.number)}</b>{' '}
                <Text span size="xs" c="dimmed">
                  <bdi>{actorName(revision.submittedBy)}</bdi> · <Moment at={revision.submittedAt} />
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  {revision.decision ? (
                    <>
                      {words.outcome[revision.decision.outcome]}{' '}
                      <bdi>{actorName(revision.decision.decidedBy)}</bdi> ·{' '}
                      <Moment at={revision.decision.decidedAt} />
                    </>
                  ) : (
                    words.open
                  )}
                </Text>
              </summary>
              <Whole revision={revision} now={files} />
            </details>
          ))
        }
      </Loaded>
    </section>
  )
}

function Whole({
  revision: { number, sha256, url, text, files, decision },
  now,
}: {
  revision: Revision
  now: FilesNow
}) {
  return (
    <>
      {files.length > 0 && (
        <ul className={styles.files} aria-label={words.files(number)}>
          {files.map((file) => (
            <FileRow key={file.id} file={file} files={now} />
          ))}
        </ul>
      )}
      <dl className={styles.facts}>
        {decision?.reason && (
          <>
            <dt>{words.reason}</dt>
            <dd className={styles.said}>{decision.reason}</dd>
          </>
        )}
        {url !== null && (
          <>
            <dt>{words.url}</dt>
            <dd>
              <WebLink url={url} />
            </dd>
          </>
        )}
        {text !== null && (
          <>
            <dt>{words.said}</dt>
            <dd className={styles.said}>{text}</dd>
          </>
        )}
        <dt>{words.sha256}</dt>
        <dd>
          <CopyableText>{sha256}</CopyableText>
        </dd>
      </dl>
    </>
  )
}
