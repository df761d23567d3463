import { Alert, Group, Text } from '@mantine/core'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Uploads } from '../../../model/kind.ts'
import { type CallName, call, type Input } from '../../client/calls.ts'
import { type AnyRecord, countAgain, keepRecord } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { uploadFiles } from '../../client/uploads.ts'
import { writtenDay } from '../../components/day.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import styles from '../../components/uploads.module.css'
import { ChooseFiles, DropZone, UploadList } from '../../components/uploads.tsx'
import { uploads as words } from '../../copy/uploads.ts'
import { FileRow } from './file-row.tsx'
import { useFilesNow } from './use-files-now.ts'

/** The files of a record: what there is, what is on its way, and, where it may be changed, room for more. */
export function Files({
  kind,
  uploads,
  record,
  editable,
}: {
  kind: DescribedKind
  uploads: Uploads
  record: AnyRecord
  editable: boolean
}) {
  const now = useFilesNow(uploads, record)
  const { files, error } = now
  const isSettled = uploads.settled.includes(String(record[uploads.state]))
  const mayChange = editable && !isSettled
  const keep = async (name: string, input: Values) => {
    const after = await call(name as CallName, input as Input<CallName>)
    keepRecord(kind, after as unknown as AnyRecord)
    void countAgain(kind)
    return null
  }
  const take = (chosen: File[]) =>
    uploadFiles(record.id, chosen, ({ id }) => keep(uploads.add, { id: record.id, fileIds: [id] }))
  return (
    <DropZone take={mayChange ? take : undefined} text={words.drop}>
      <section aria-label={words.title}>
        <Group justify="space-between" gap="xs" wrap="nowrap" mb="xs">
          <h2>{words.title}</h2>
          {mayChange && <ChooseFiles take={take} />}
        </Group>
        <Request uploads={uploads} record={record} />
        <ProblemAlert error={error} />
        {files.length === 0 ? (
          <Text size="sm" c="dimmed">
            {mayChange ? `${words.none} ${words.drop}` : words.none}
          </Text>
        ) : (
          <ul className={styles.files} aria-label={words.title}>
            {files.map((file) => (
              <FileRow
                key={file.id}
                file={file}
                files={now}
                remove={
                  mayChange ? () => keep(uploads.remove, { id: record.id, fileId: file.id }) : undefined
                }
              />
            ))}
          </ul>
        )}
        {editable && isSettled && (
          <Text size="xs" c="dimmed" mt={4}>
            {words.settled}
          </Text>
        )}
        <UploadList place={record.id} />
      </section>
    </DropZone>
  )
}

/** Who is asked for them, and until when, as long as they are with whoever is asked. */
function Request({ uploads: { asked, state }, record }: { uploads: Uploads; record: AnyRecord }) {
  const { person } = useSignedIn()
  const from = asked && (record[asked.from] as { refId: string; displayName: string } | null)
  const until = asked && record[asked.until]
  if (!from || !until || !asked.states.includes(String(record[state]))) return null
  const { text, back } = words.requested
  return (
    <Alert
      variant="light"
      mb="sm"
      title={from.refId === person.id ? words.requested.you : words.requested.other(from.displayName)}
    >
      <Text size="sm">{(record[state] === asked.back ? back : text)(writtenDay(String(until)))}</Text>
    </Alert>
  )
}
