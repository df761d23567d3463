import { z } from 'zod'
import { Streamed } from '../bytes.ts'
import { isCapable, isPerson } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound, Refusal } from '../refusal.ts'
import { keyOfContent } from './keys.ts'
import { unchanged } from './unchanged.ts'

/*
 * A file as its callers see it. Whoever may read evidence sees what evidence has. A person also sees what they have sent
 * themselves, finished or not, and an admin all, since they hold what is to stay; a program that acts for one does not:
 * the file may be of a record that its scopes do not open.
 */

/** Of one part; each but the last is as large as the first. */
export const PART_BYTES_AT_MOST = 8 * 1024 * 1024
/** Of so many parts a file has at most. */
export const PARTS_AT_MOST = 10_000

export const fileRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string().describe('Its media type, by its name and what it begins with'),
    bytes: z.int(),
    sha256: z.string().describe('Of all its bytes, in hexadecimal digits'),
    status: z
      .enum(['uploading', 'scanning', 'ready', 'infected'])
      .describe('Only what is ready can be downloaded'),
    scan: z
      .enum(['unscanned', 'waiting', 'clean', 'infected'])
      .nullable()
      .describe('What the scanner said; unscanned where the service has none'),
    partBytes: z.int().describe('How large each part is, but for the last'),
    parts: z.array(z.int()).describe('The parts that came, while it is uploading'),
    legalHold: z.boolean().describe('Whether it stays, whatever becomes of the records that have it'),
    createdAt: timestamp,
    createdBy: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
  })
  .meta({ id: 'File', title: 'File' })

export type FileRecord = z.output<typeof fileRecord>

/** A file with what only the service knows of it. */
export interface FileRow extends FileRecord {
  readonly contentId: string | null
  readonly createdByUserId: string
}

/** @throws {Refusal} `not_found`, alike for one that never was and one that the caller does not see */
export async function readFile({ tx, caller }: TransactionContext, id: string): Promise<FileRow> {
  const sender = isPerson(caller) ? caller.userId : null
  const [row] = await tx.read<Row>(read(tx.organizationId, id, sender, isCapable(caller, 'settings.manage')))
  if (!row) throw notFound()
  return fileOf(row)
}

/**
 * The files that evidence or one of its revisions has, as they were sent.
 * @throws {Refusal} `not_found` where there is no such evidence
 */
export async function readFilesOf({ tx }: TransactionContext, evidenceId: string): Promise<FileRow[]> {
  const rows = await tx.read<Row>(readOf(tx.organizationId, evidenceId))
  if (rows.length === 0) throw notFound()
  return rows.filter(({ id }) => id !== null).map(fileOf)
}

/**
 * The file that a version of a policy is.
 * @throws {Refusal} `not_found` where the version is a text
 */
export async function readFileOfVersion({ tx }: TransactionContext, versionId: string): Promise<FileRow> {
  const [row] = await tx.read<Row>(readOfVersion(tx.organizationId, versionId))
  if (!row) throw notFound()
  return fileOf(row)
}

/**
 * A picture of one of these versions of a policy, by the hash that its text says of it.
 * @throws {Refusal} `not_found` where no text of them shows one with this hash
 */
export async function readPictureOfVersions(
  { tx }: TransactionContext,
  versionIds: readonly string[],
  sha256: string,
): Promise<FileRow> {
  const [row] = await tx.read<Row>(readPicture(tx.organizationId, versionIds, sha256))
  if (!row) throw notFound()
  return fileOf(row)
}

/** @throws {Refusal} `not_found` for one that somebody else sends */
export async function readOwnFile(context: TransactionContext, id: string): Promise<FileRow> {
  const file = await readFile(context, id)
  if (file.createdByUserId !== context.caller.userId) throw notFound()
  return file
}

/**
 * The bytes of a file that the caller may read; all of them, and some of them, end in an error where the file is not the
 * one that was sent.
 * @throws {Refusal} `file_not_ready` before all of it came and was scanned, `file_refused` where it is infected
 */
export function contentOf(
  { parts, tx: { organizationId } }: Pick<TransactionContext, 'parts' | 'tx'>,
  { id, name, type, bytes, sha256, status, contentId }: FileRow,
): Streamed {
  if (status === 'uploading') throw new Refusal('file_not_ready', 'The file has not been finished yet.')
  if (status === 'scanning')
    throw new Refusal('file_not_ready', 'The file is being scanned: ask again in a moment.')
  if (status === 'infected')
    throw new Refusal('file_refused', 'The virus scanner found something in this file: nobody gets it.')
  const key = keyOfContent(organizationId, contentId!)
  const open: Streamed['open'] = (range) => unchanged(parts.files.open(key), { id, sha256 }, range)
  return new Streamed({ name, type, bytes, open, mayFree: true })
}

export function fileOf(row: Row): FileRow {
  const { scan, contentId } = row as { scan: FileRecord['scan']; contentId: string | null }
  return {
    ...(row as unknown as FileRow),
    bytes: Number(row.bytes),
    status:
      contentId === null
        ? 'uploading'
        : scan === 'waiting'
          ? 'scanning'
          : scan === 'infected'
            ? 'infected'
            : 'ready',
  }
}

/** Of `f`, a file, and `c`, its content. */
export const FILE_COLUMNS = `f.id, f.name, f.type, f.bytes, f.sha256, c.scan, f.part_bytes as "partBytes",
  case when f.content_id is null then array(
    select p.number from file_parts p where p.organization_id = f.organization_id and p.file_id = f.id
     order by p.number) else '{}' end as parts,
  f.legal_hold as "legalHold", f.created_at as "createdAt", f.created_by as "createdBy", f.content_id as "contentId",
  f.created_by_user_id as "createdByUserId"`

const read = statement(`
  select ${FILE_COLUMNS} from files f
    left join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where f.organization_id = $1 and f.id = $2
     and (f.created_by_user_id = $3 or $4 or f.content_id is not null and exists (
       select from evidence_files e where e.organization_id = f.organization_id and e.file_id = f.id))`)

/** One row of nothing, where the evidence has none. */
const readOf = statement(`
  select ${FILE_COLUMNS} from evidence v
    left join evidence_files e on e.organization_id = v.organization_id and e.evidence_id = v.id
    left join files f on f.organization_id = e.organization_id and f.id = e.file_id
    left join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where v.organization_id = $1 and v.id = $2 order by f.finished_at, f.id`)

const readOfVersion = statement(`
  select ${FILE_COLUMNS}
    from policy_versions v
    join policy_version_files p on p.organization_id = v.organization_id and p.version_id = v.id
                               and p.file_id = v.file ->> 'id'
    join files f on f.organization_id = p.organization_id and f.id = p.file_id
    left join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where v.organization_id = $1 and v.id = $2`)

const readPicture = statement(`
  select ${FILE_COLUMNS}
    from policy_version_files p
    join files f on f.organization_id = p.organization_id and f.id = p.file_id
    join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where p.organization_id = $1 and p.version_id = any($2::text[]) and f.sha256 = $3 limit 1`)
