import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { type Row, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { jobKind } from '../jobs/job-kind.ts'
import { type Parts, person, type TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { type ArchiveEntry, listArchive, takeEntries, Unreadable } from './archive/read-archive.ts'
import { placeForArchive } from './archives-left.ts'
import { fileRefused, refuseDisguised, typeOf } from './file-type.ts'
import { bytesOf, keepEntries, type Place, type StoredEntry } from './keep-entries.ts'
import { keyOfContent } from './keys.ts'
import { refuseUnlessRoom } from './room.ts'
import { ChangedBytes, unchanged } from './unchanged.ts'

/**
 * An archive is taken apart as a job: each file in it becomes a draft of evidence, called as the file is. Archives within
 * it stay as they are. What is no file, or none that would be taken by itself, is left out and told.
 *
 * Some of its files are taken out at a time: their bytes are put into the store first, and then one transaction writes
 * their rows and the evidence. So a kill leaves bytes that no row knows, which the sweep finds, and each file is there
 * once. What is in the archive is found anew each time, and is the same each time.
 */
const AT_ONCE = 50
const BYTES_AT_ONCE = 64 * 1024 * 1024

interface Judged {
  readonly taken: readonly (ArchiveEntry & { readonly type: string })[]
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

const Input = z.strictObject({ fileId: z.string(), name: z.string().optional() })

export const takeArchiveApart = jobKind<typeof Input, Place>({
  name: 'takeArchiveApart',
  title: 'Unpack an archive',
  about: ({ name }) => name,
  isTold: true,
  input: Input,
  needs: person('write:evidence'),
  perOrganization: 1,
  waitingAtMost: 100,
  waitingAtMostEach: 20,
  keptDays: 30,
  run: async ({ job, input, parts, step, handBack, transaction }) => {
    const archive = await transaction((context) => readArchive(context, job.id, input.fileId))
    if (!archive) return { failed: 'The archive is not there any more, or infected: send another one.' }
    const path = placeForArchive()
    try {
      await pipeline(
        unchanged(parts.files.open(keyOfContent(job.organizationId, archive.contentId)), archive),
        createWriteStream(path, { flags: 'wx', mode: 0o600 }),
      )
      const { taken, left } = await judge(parts.config, path)
      if (taken.length + left.length === 0) return { failed: 'There is no file in it.' }
      const next = nextOf(taken, archive.done)
      // Before any of them is put into the store, and once more when it is this archive's turn.
      await transaction(({ tx }) => refuseUnlessRoom(tx, parts.config, bytesOf(next)))
      const stored = await store(parts, job.organizationId, path, next)
      const place = await step((piece) =>
        keepEntries(piece, { archive: archive.name, stored, left, total: taken.length }),
      ).catch(async (error) => {
        // Nothing is written then. Of any other end nobody knows that, and what is left is found by the sweep.
        if (error instanceof Refusal)
          for (const { id } of stored) await parts.files.remove(keyOfContent(job.organizationId, id))
        throw error
      })
      if (place === null) return undefined
    } catch (error) {
      if (error instanceof Unreadable || error instanceof ChangedBytes) return { failed: error.message }
      throw error
    } finally {
      await rm(path, { force: true })
    }
    return handBack()
  },
})

async function readArchive(
  { tx }: TransactionContext,
  jobId: string,
  fileId: string,
): Promise<{ id: string; name: string; contentId: string; sha256: string; done: number } | null> {
  const [row] = await tx.read<Row>(read(tx.organizationId, fileId, jobId))
  if (!row) return null
  const { name, contentId, sha256, place } = row as unknown as {
    name: string
    contentId: string
    sha256: string
    place: Place | null
  }
  return { id: fileId, name, contentId, sha256, done: place?.done ?? 0 }
}

/** Its files, as if each were sent by itself. */
async function judge(config: Config, path: string): Promise<Judged> {
  const { entries, left } = await listArchive(path)
  const judged = entries.map((entry) => {
    try {
      return { taken: { ...entry, type: typeOfEntry(config, entry) } }
    } catch (error) {
      if (error instanceof Refusal) return { left: { name: entry.path, why: error.message } }
      throw error
    }
  })
  return {
    taken: judged.flatMap(({ taken }) => taken ?? []),
    left: [...left, ...judged.flatMap(({ left }) => left ?? [])],
  }
}

/** @throws {Refusal} `file_refused` */
function typeOfEntry(config: Config, { name, bytes, head }: ArchiveEntry): string {
  const type = typeOf(config, { name })
  if (bytes > config.fileMaxBytes)
    throw fileRefused(`A file may have ${config.fileMaxBytes} bytes, and this one has ${bytes}.`)
  refuseDisguised(name, Buffer.from(head, 'base64'))
  return type
}

/** Those that are taken out together: one, however large, and as many more as are not much. */
function nextOf<Entry extends ArchiveEntry>(entries: readonly Entry[], from: number): Entry[] {
  const next: Entry[] = []
  let bytes = 0
  for (const entry of entries.slice(from, from + AT_ONCE)) {
    bytes += entry.bytes
    if (next.length > 0 && bytes > BYTES_AT_ONCE) break
    next.push(entry)
  }
  return next
}

async function store(
  { files }: Parts,
  organizationId: string,
  path: string,
  entries: Judged['taken'],
): Promise<StoredEntry[]> {
  const stored: StoredEntry[] = []
  if (entries.length === 0) return stored
  const types = new Map(entries.map(({ index, type }) => [index, type]))
  await takeEntries(path, entries, async (entry, bytes) => {
    const id = newId('fil')
    await files.put(keyOfContent(organizationId, id), bytes, entry.bytes)
    stored.push({ ...entry, id, type: types.get(entry.index)! })
  })
  return stored
}

/** As long as whoever started the job has it. */
const read = statement(`
  select f.name, f.content_id as "contentId", f.sha256, j.place
    from files f join jobs j on j.organization_id = f.organization_id and j.id = $3
    join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where f.organization_id = $1 and f.id = $2 and c.scan <> 'infected'`)
