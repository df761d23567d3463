import { Group, Text } from '@mantine/core'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Uploads } from '../../../model/kind.ts'
import { type CallName, call, type Input } from '../../client/calls.ts'
import { readRecordsAgain, recordCall } from '../../client/records.ts'
import { uploadFiles } from '../../client/uploads.ts'
import { registerWords } from '../../copy/records.ts'
import { uploads as words } from '../../copy/uploads.ts'
import { ChooseFiles, DropZone, UploadList } from '../uploads.tsx'

/** A place where files are dropped, of which each becomes a record, called as the file is. */
export function Drafts({ kind, uploads }: { kind: DescribedKind; uploads: Uploads }) {
  const take = (files: File[]) =>
    uploadFiles(kind.page, files, async ({ id, name }) => {
      // Sent again where the line breaks: the id of the file tells that it is there already.
      const externalId = `upload:${id}`
      const [there] = (await recordCall(kind, 'list', { externalId: [externalId], limit: 1 })).data
      const title = name.replace(/\.[^.]+$/, '') || name
      const record = there ?? (await recordCall(kind, 'create', { [kind.named]: title, externalId }))
      await call(uploads.add as CallName, { id: record.id, fileIds: [id] } as Input<CallName>)
      void readRecordsAgain(kind)
    })
  return (
    <DropZone take={take} text={words.dropped(registerWords(kind).many)}>
      <Group justify="space-between" gap="xs" wrap="wrap" mb="xs">
        <Text size="sm" c="dimmed">
          {words.dropped(registerWords(kind).many)}
        </Text>
        <ChooseFiles take={take} />
      </Group>
      <UploadList place={kind.page} />
    </DropZone>
  )
}
