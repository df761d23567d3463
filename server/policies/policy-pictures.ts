import type { Values } from '../../model/complaint.ts'
import {
  PICTURE_BYTES_AT_MOST,
  PICTURE_PIXELS_AT_MOST,
  PICTURE_SIDE_AT_MOST,
  PICTURE_TYPES,
  PICTURES_AT_MOST,
  picturesIn,
  withHashes,
} from '../../model/policy-pictures.ts'
import { isPerson } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import { contentOf, FILE_COLUMNS, type FileRow, fileOf } from '../files/file-record.ts'
import { PICTURE_HEAD_BYTES, pictureSize } from '../files/picture-size.ts'
import type { TransactionContext } from '../operation.ts'
import { invalid, notFound, Refusal } from '../refusal.ts'

/*
 * The pictures that the text of a version shows. Each is a file that somebody sent for this policy: the version holds it,
 * and its bytes stay as long as the version does. Which bytes they are is settled when the version is submitted, as the
 * rest of the text is (model/policy-pictures.ts).
 */

/**
 * The ids of the pictures of a text that is about to be kept, held until the transaction ends.
 * @throws {Refusal} `validation_failed` for one that is none of this policy's and of the caller, or no picture
 */
export async function usablePictures(context: TransactionContext, given: Values): Promise<readonly string[]> {
  const { tx, caller } = context
  const ids = typeof given.content === 'string' ? picturesIn(given.content) : []
  if (ids.length === 0) return ids
  if (ids.length > PICTURES_AT_MOST)
    throw complaint(`shows ${ids.length} pictures: ${PICTURES_AT_MOST} are the most`)
  // A program sends none, also not those of whom it acts for.
  const sender = isPerson(caller) ? caller.userId : null
  const rows = await tx.read<Row>(findUsable(tx.organizationId, ids, sender, given.policyId as string))
  for (const id of ids) {
    const row = rows.find((one) => one.id === id)
    if (!row)
      throw complaint(
        `shows ${id}, which is no picture of this policy: put it in with the editor, or leave it out`,
      )
    if (!row.isHeld) await refuseOther(context, fileOf(row))
  }
  return ids
}

/** @throws {Refusal} `validation_failed` for what is no picture, or too large a one */
async function refuseOther({ tx, parts }: TransactionContext, file: FileRow): Promise<void> {
  const { name, type, bytes, status } = file
  if (status === 'infected') throw complaint(`shows ${name}, which is infected: leave it out`)
  if (!(PICTURE_TYPES as readonly string[]).includes(type))
    throw complaint(`shows ${name}, which is neither a PNG nor a JPEG: turn it into one of these`)
  if (bytes > PICTURE_BYTES_AT_MOST)
    throw complaint(
      `shows ${name}, which has ${bytes} bytes: ${PICTURE_BYTES_AT_MOST} are the most. Make it smaller`,
    )
  // Its bytes are there while they are scanned, and its head is given to nobody.
  const { open } = contentOf({ tx, parts }, { ...file, status: 'ready' })
  const head = await read(open({ from: 0, to: Math.min(bytes, PICTURE_HEAD_BYTES) - 1 }))
  const size = pictureSize(head)
  if (!size) throw complaint(`shows ${name}, which cannot be read as a picture: save it anew, and send that`)
  const { width, height } = size
  if (Math.max(width, height) > PICTURE_SIDE_AT_MOST || width * height > PICTURE_PIXELS_AT_MOST)
    throw complaint(`shows ${name}, which is ${width} × ${height} large: make it smaller`)
}

const complaint = (message: string): Refusal => invalid({ path: 'content', message })

/** A text as others read it: with the hashes of its pictures. */
export async function settlePictures(
  { tx }: TransactionContext,
  versionId: string,
  text: string,
): Promise<string> {
  const ids = picturesIn(text)
  if (ids.length === 0) return text
  const pictures = (await tx.read<Row>(findHeld(tx.organizationId, versionId, ids))).map(fileOf)
  for (const { name, status } of pictures) {
    if (status === 'scanning')
      throw new Refusal('file_not_ready', `The picture ${name} is being scanned: submit it in a moment.`)
    if (status === 'infected')
      throw new Refusal(
        'file_refused',
        `The virus scanner found something in the picture ${name}: put another in its place.`,
      )
  }
  return withHashes(text, new Map(pictures.map(({ id, sha256 }) => [id, sha256])))
}

/**
 * A picture of a version, or one that the caller has sent and whose text is not saved yet.
 * @throws {Refusal} `not_found`
 */
export async function readPicture(
  { tx, caller }: TransactionContext,
  versionId: string,
  id: string,
): Promise<FileRow> {
  const sender = isPerson(caller) ? caller.userId : null
  const [row] = await tx.read<Row>(findShown(tx.organizationId, versionId, id, sender))
  if (!row) throw notFound()
  return fileOf(row)
}

/** A picture of a version on paper. */
export interface ReadPicture {
  readonly fileId: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

/**
 * Begins to read the pictures of a version; their bytes are asked for once the transaction is over.
 * @throws {Refusal} `conflict` where they are too much for one file
 */
export async function picturesOf(
  context: TransactionContext,
  versionId: string,
  text: string,
): Promise<() => Promise<ReadPicture[]>> {
  const { tx } = context
  const ids = picturesIn(text)
  const files =
    ids.length === 0 ? [] : (await tx.read<Row>(findHeld(tx.organizationId, versionId, ids))).map(fileOf)
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > EXPORTED_BYTES_AT_MOST)
    throw new Refusal(
      'conflict',
      'Its pictures are too much for one file: make them smaller in its next version.',
    )
  const opened = files.map((file) => ({ fileId: file.id, open: contentOf(context, file).open }))
  return async () => {
    const pictures: ReadPicture[] = []
    for (const { fileId, open } of opened) {
      const bytes = await read(open())
      const size = pictureSize(bytes)
      if (size) pictures.push({ fileId, ...size, bytes })
    }
    return pictures
  }
}

const EXPORTED_BYTES_AT_MOST = 20 * 1024 * 1024

async function read(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const IS_OF_POLICY = `exists (
  select from policy_version_files p
    join policy_versions v on v.organization_id = p.organization_id and v.id = p.version_id
   where p.organization_id = f.organization_id and p.file_id = f.id and v.policy_id = $4)`

const findUsable = statement(`
  select ${FILE_COLUMNS}, ${IS_OF_POLICY} as "isHeld"
    from files f join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where f.organization_id = $1 and f.id = any($2) and (f.created_by_user_id = $3 or ${IS_OF_POLICY})
     for key share of f`)

const findHeld = statement(`
  select ${FILE_COLUMNS}
    from policy_version_files p
    join files f on f.organization_id = p.organization_id and f.id = p.file_id
    join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where p.organization_id = $1 and p.version_id = $2 and f.id = any($3)`)

const findShown = statement(`
  select ${FILE_COLUMNS}
    from policy_versions v
    join files f on f.organization_id = v.organization_id and f.id = $3
    join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where v.organization_id = $1 and v.id = $2 and (f.created_by_user_id = $4 or exists (
     select from policy_version_files p
      where p.organization_id = v.organization_id and p.version_id = v.id and p.file_id = f.id))`)
