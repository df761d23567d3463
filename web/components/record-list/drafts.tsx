import { Group, Text } from '@mantine/core'
import type { RefObject } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Uploads } from '../../../model/kind.ts'
import { ownerOf } from '../../../model/roles.ts'
import { draftOf } from '../../../model/uploads.ts'
import { type CallName, call, type Input, type Output } from '../../client/calls.ts'
import { queries } from '../../client/queries.ts'
import { countAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { type SentFile, type Then, uploadFiles } from '../../client/uploads.ts'
import { registerWords } from '../../copy/records.ts'
import { uploads as words } from '../../copy/uploads.ts'
import { ChooseFiles, DropVeil, UploadList, useDrop } from '../uploads.tsx'

/** Files that are dropped on the page of a list: each becomes a record, called as the file is; also those in an archive. */
export function Drafts({
  kind,
  uploads,
  page,
}: {
  kind: DescribedKind
  uploads: Uploads
  page: RefObject<HTMLElement | null>
}) {
  const { person } = useSignedIn()
  const owner = ownerOf(kind)
  const owned = owner ? { [owner]: { type: 'user', refId: person.id } } : {}
  const then: Then = async (sent, tell) => {
    if (uploads.takeApart === undefined || sent.type !== ARCHIVE) return addDraft(kind, uploads, sent, owned)
    tell('apart')
    return takeApart(uploads.takeApart, sent.id, () => readListAgain(kind))
  }
  const take = (files: File[]) => uploadFiles(kind.page, files, then)
  const isOverIt = useDrop(page, take)
  const text = words.dropped(registerWords(kind).many)
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="wrap">
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <ChooseFiles take={take} />
      </Group>
      <UploadList place={kind.page} />
      {isOverIt && <DropVeil text={text} />}
    </div>
  )
}

const ARCHIVE = 'application/zip'

async function addDraft(
  kind: DescribedKind,
  uploads: Uploads,
  { id, name, type }: SentFile,
  owned: Values,
): Promise<null> {
  const title = name.replace(/\.[^.]+$/, '') || name
  const made = { [kind.named]: title, ...owned, ...draftOf(uploads, type) }
  // Sent again where the line breaks: of one file there is one draft.
  const sending = { onceKey: `draft of ${id}` }
  const record = await call(callsOf(kind).create as CallName, made as Input<CallName>, sending)
  const added = { id: (record as { id: string }).id, fileIds: [id] }
  await call(uploads.add as CallName, added as Input<CallName>)
  readListAgain(kind)
  return null
}

/** How often the list is read again while many come, in milliseconds. */
const LIST_EVERY = 1_000
let isListDue = false

/** Reads the list again soon, with what it shows left there until then. */
function readListAgain(kind: DescribedKind): void {
  if (isListDue) return
  isListDue = true
  setTimeout(() => {
    isListDue = false
    void queries.invalidateQueries({ queryKey: [callsOf(kind).list] })
    void countAgain(kind)
  }, LIST_EVERY)
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
