import { Group, Text } from '@mantine/core'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Uploads } from '../../../model/kind.ts'
import { ownerOf } from '../../../model/roles.ts'
import { type CallName, call, type Input, type Output } from '../../client/calls.ts'
import { readRecordsAgain, recordCall } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { type SentFile, type Then, uploadFiles } from '../../client/uploads.ts'
import { registerWords } from '../../copy/records.ts'
import { uploads as words } from '../../copy/uploads.ts'
import { ChooseFiles, DropZone, UploadList } from '../uploads.tsx'

/** A place where files are dropped, of which each becomes a record, called as the file is; also those in an archive. */
export function Drafts({ kind, uploads }: { kind: DescribedKind; uploads: Uploads }) {
  const { person } = useSignedIn()
  const owner = ownerOf(kind)
  const owned = owner ? { [owner]: { type: 'user', refId: person.id } } : {}
  const then: Then = async (sent, tell) => {
    if (uploads.takeApart === undefined || sent.type !== ARCHIVE) return addDraft(kind, uploads, sent, owned)
    tell('apart')
    return takeApart(uploads.takeApart, sent.id, () => void readRecordsAgain(kind))
  }
  const take = (files: File[]) => uploadFiles(kind.page, files, then)
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

const ARCHIVE = 'application/zip'

async function addDraft(
  kind: DescribedKind,
  uploads: Uploads,
  { id, name }: SentFile,
  owned: Values,
): Promise<null> {
  // Sent again where the line breaks: the id of the file tells that it is there already.
  const externalId = `upload:${id}`
  const [there] = (await recordCall(kind, 'list', { externalId: [externalId], limit: 1 })).data
  const title = name.replace(/\.[^.]+$/, '') || name
  const record = there ?? (await recordCall(kind, 'create', { [kind.named]: title, externalId, ...owned }))
  await call(uploads.add as CallName, { id: record.id, fileIds: [id] } as Input<CallName>)
  void readRecordsAgain(kind)
  return null
}

type Job = Output<'takeArchiveApart'>

/** How often it is asked how far it has come, in milliseconds. */
const ASKED_EVERY = 1_000

/** Asked again where the line breaks, it goes on with the job that there is. @returns what was left out */
async function takeApart(name: string, id: string, moved: () => void): Promise<readonly string[]> {
  let job = (await call(name as CallName, { id } as Input<CallName>)) as unknown as Job
  for (let done = 0; job.endedAt === null; job = await call('getJob', { id: job.id })) {
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY))
    if (job.done > done) moved()
    done = job.done
  }
  moved()
  if (job.state !== 'succeeded') throw new Error(job.failure ?? words.stopped)
  return (job.errors ?? []).map(({ message }) => message)
}
