import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { draftOf } from '../../model/uploads.ts'
import { actorOf } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import type { Piece } from '../jobs/job-kind.ts'
import { audit } from '../journal/audit.ts'
import { createRecord } from '../records/create-record.ts'
import type { ArchiveEntry } from './archive/read-archive.ts'
import { FILE_COLUMNS, type FileRow, fileOf } from './file-record.ts'
import { keyOfContent } from './keys.ts'
import { refuseUnlessRoom, takeTurnOfRoom } from './room.ts'
import { scanContent } from './scan-file.ts'

const evidence = kinds.evidence as unknown as Kind

/** How many files of an archive are done. */
export interface Place {
  readonly done: number
}

/** A file of an archive whose bytes are in the store, as the content of this id. */
export interface StoredEntry extends ArchiveEntry {
  readonly id: string
  /** Its media type. */
  readonly type: string
}

/** What was taken out of an archive. */
interface Taken {
  /** What the archive is called. */
  readonly archive: string
  readonly stored: readonly StoredEntry[]
  /** What of it is left out. */
  readonly left: readonly { readonly name: string; readonly why: string }[]
  /** How many files it has that are taken. */
  readonly total: number
}

/**
 * Writes the rows of files whose bytes are in the store, and a draft of evidence for each.
 * @returns null once all are done
 * @throws {Refusal} `storage_full`, as of a file that is begun
 */
export async function keepEntries(
  piece: Piece<Place>,
  { archive, stored, left, total }: Taken,
): Promise<Place | null> {
  const { tx, caller, parts, place } = piece
  const done = (place?.done ?? 0) + stored.length
  if (!place) for (const { name, why } of left) piece.error({ message: `${name}: ${why}` })
  void tx.read(takeTurnOfRoom(tx.organizationId))
  await refuseUnlessRoom(tx, parts.config, bytesOf(stored))
  const time = await tx.now
  for (const entry of stored) {
    const file = await keepFile(piece, entry)
    if (file.status === 'infected') {
      piece.error({ message: `${entry.path}: The virus scanner has found something in it.` })
      continue
    }
    const { id, name, type, sha256 } = file
    audit(tx, caller, {
      time,
      action: 'file.upload',
      subject: { type: 'file', id, title: name },
      changes: { sha256: { from: null, to: sha256 }, bytes: { from: null, to: entry.bytes } },
    })
    const record = await createRecord(piece, evidence, {
      given: {
        title: titleOf(name),
        description: `Taken out of ${archive}: ${entry.path}`,
        owner: { type: 'user', refId: caller.userId },
        ...draftOf(evidence.uploads!, type),
      },
      set: { files: [{ id, name, bytes: entry.bytes, type, sha256, uploadedAt: time }] },
    })
    tx.write(point(tx.organizationId, record.id as string, id))
  }
  piece.progress(done, total)
  return done < total ? { done } : null
}

export const bytesOf = (entries: readonly ArchiveEntry[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes, 0)

/** What a file is called, without its ending. */
const titleOf = (name: string): string =>
  (name.replace(/\.[^.]+$/, '') || name).slice(0, LONGEST).toWellFormed()
const LONGEST = 200

/** The row of a file whose bytes are there. Of bytes that the organization has already, those are let go. */
async function keepFile(piece: Piece<Place>, entry: StoredEntry): Promise<FileRow> {
  const { tx, caller, parts } = piece
  const { id, name, type, bytes, sha256 } = entry
  const scan = parts.config.filesScan ? 'waiting' : 'unscanned'
  const actor = JSON.stringify(actorOf(caller))
  const [row] = await tx.read<Row>(
    insert(tx.organizationId, id, name, type, bytes, sha256, scan, actor, caller.userId),
  )
  const file = fileOf(row!)
  const isKnown = file.contentId !== id
  if (file.status === 'scanning' && !isKnown) await scanContent(parts, tx, id)
  if (isKnown)
    tx.afterCommit(() => {
      const key = keyOfContent(tx.organizationId, id)
      // What stays is found by the sweep.
      parts.files.remove(key).catch((err) => parts.log.warn({ err, key }, 'bytes that are there twice stay'))
    })
  return file
}

const insert = statement(`
  with content as (
    insert into file_contents as c (organization_id, id, sha256, bytes, type, scan, scan_started_at, created_at)
    values ($1, $2, $6, $5, $4, $7, clock_now(), clock_now())
    on conflict (organization_id, sha256) do update set
      scan = case when c.scan = 'unscanned' then excluded.scan else c.scan end
    returning c.id, c.scan),
  made as (
    insert into files as f (organization_id, id, name, type, bytes, sha256, part_bytes, content_id, created_at,
      created_by, created_by_user_id, finished_at)
    select $1, $2, $3, $4, $5, $6, 1, c.id, clock_now(), $8, $9, clock_now() from content c
    returning f.*)
  select ${FILE_COLUMNS} from made f join content c on c.id = f.content_id`)

const point = statement(`
  insert into evidence_files (organization_id, evidence_id, file_id) values ($1, $2, $3)`)
