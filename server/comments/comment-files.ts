import { z } from 'zod'
import { idOf } from '../../model/fields.ts'
import { type Streamed, streamed } from '../bytes.ts'
import { isPerson } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { contentOf, FILE_COLUMNS, type FileRow, fileOf, fileRecord } from '../files/file-record.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { mayReadOn, TO_READ } from '../records/any-record.ts'
import { invalid, notFound, Refusal } from '../refusal.ts'

/*
 * The files of a comment. Whoever sends one has finished it by themselves, so nobody hands on what evidence has; they are
 * given to whoever may read the record, once the scanner has found nothing, and to nobody for their own id alone.
 */

export const FILES_AT_MOST = 20

export const fileIds = z
  .array(idOf('fil').meta({ title: 'File' }))
  .max(FILES_AT_MOST)
  .meta({ title: 'Files' })
  .describe('The ids of files that you have finished; a key sends none')

export const commentFile = fileRecord
  .pick({ id: true, name: true, type: true, bytes: true, status: true })
  .meta({ id: 'CommentFile', title: 'File of a comment' })

export type CommentFile = z.output<typeof commentFile>

/** By the comment that has them, in their order. */
export async function filesOf(
  tx: Transaction,
  commentIds: readonly string[],
): Promise<ReadonlyMap<string, CommentFile[]>> {
  if (commentIds.length === 0) return new Map()
  const rows = await tx.read<Row>(readAll(tx.organizationId, commentIds))
  const grouped = Map.groupBy(rows, ({ commentId }) => commentId as string)
  return new Map([...grouped].map(([id, files]) => [id, files.map(shown)]))
}

const shown = (row: Row): CommentFile => {
  const { id, name, type, bytes, status } = fileOf(row)
  return { id, name, type, bytes, status }
}

/**
 * Gives a comment these files and no others.
 * @param there those that it has
 * @throws {Refusal} `file_upload_not_allowed` for a program; `validation_failed` for one that the caller has not
 *   finished, or that is infected
 */
export async function giveFiles(
  { tx, caller }: TransactionContext,
  commentId: string,
  wanted: readonly string[],
  there: readonly CommentFile[] = [],
): Promise<void> {
  const ids = [...new Set(wanted)]
  const had = new Set(there.map(({ id }) => id))
  const added = ids.filter((id) => !had.has(id))
  if (added.length > 0 && !isPerson(caller))
    throw new Refusal('file_upload_not_allowed', 'Only people send files: leave fileIds out.')
  const rows = added.length > 0 ? await tx.read<Row>(readOwn(tx.organizationId, added, caller.userId)) : []
  const own = new Map(rows.map((row) => [row.id as string, row]))
  for (const id of added) {
    const row = own.get(id)
    if (!row)
      throw invalid({ path: 'fileIds', message: `${id} is no file that you have finished: send it first` })
    if (row.scan === 'infected')
      throw invalid({ path: 'fileIds', message: `${row.name} is infected: send one that is not` })
  }
  tx.write(letGo(tx.organizationId, commentId, ids))
  tx.write(point(tx.organizationId, commentId, ids))
}

export const downloadCommentFile = operation({
  name: 'downloadCommentFile',
  method: 'GET',
  path: '/v1/comment-files/{id}/content',
  needs: TO_READ,
  writes: false,
  isAside: true,
  answers: 'link',
  title: 'Download a file of a comment',
  description: 'Answers a link that gives the bytes once, within five minutes.',
  input: z.strictObject({
    id: idOf('fil').meta({ title: 'File', refersTo: 'fil' }).describe('As a comment has it'),
  }),
  output: streamed,
  refusals: ['file_not_ready', 'file_refused'],
  run: async (context, { id }): Promise<Streamed> => {
    const { tx, caller } = context
    const rows = await tx.read<Row>(readOne(tx.organizationId, id))
    const row = rows.find(({ recordId }) => mayReadOn(caller, recordId as string))
    if (!row) throw notFound()
    return contentOf(context, fileOf(row) as FileRow)
  },
})

const FROM = `
  from comment_files p
  join comments m on m.organization_id = p.organization_id and m.id = p.comment_id
  join files f on f.organization_id = p.organization_id and f.id = p.file_id
  left join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id`

const readAll = statement(`
  select p.comment_id as "commentId", ${FILE_COLUMNS} ${FROM}
   where p.organization_id = $1 and p.comment_id = any($2::text[]) order by p.comment_id, p.place`)

const readOne = statement(`
  select m.record_id as "recordId", ${FILE_COLUMNS} ${FROM}
   where p.organization_id = $1 and p.file_id = $2`)

/** Held until the transaction ends, so that no sweep takes them meanwhile. */
const readOwn = statement(`
  select f.id, f.name, c.scan from files f
    join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where f.organization_id = $1 and f.id = any($2::text[]) and f.created_by_user_id = $3
     for key share of f`)

const letGo = statement(`
  delete from comment_files
   where organization_id = $1 and comment_id = $2 and not file_id = any($3::text[])`)

const point = statement(`
  insert into comment_files (organization_id, comment_id, file_id, place)
  select $1, $2, w.id, w.place from unnest($3::text[]) with ordinality w (id, place)
      on conflict do nothing`)
