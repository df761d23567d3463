import { sql } from 'kysely'
import { z } from 'zod'
import { flag, text as words } from '../../model/fields.ts'
import { mentionedIn } from '../../model/mentions.ts'
import { nameOf } from '../../model/roles.ts'
import { actingUserOf, actorOf } from '../caller/caller.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { audit, type Subject } from '../journal/audit.ts'
import { andAuditors, capability, nothing, operation, person, type TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import {
  type AnyRecord,
  readNeedsOf,
  recordOfAnyKind,
  refuseUnlessReadable,
  TO_READ,
  TO_WRITE,
  writeNeedsOf,
} from '../records/any-record.ts'
import { refuseArchived } from '../records/archived.ts'
import { behind, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER } from '../records/schemas.ts'
import { notFound, Refusal } from '../refusal.ts'
import { type CommentFile, fileIds, filesOf, giveFiles } from './comment-files.ts'
import { COLUMNS, type CommentRow, comment, isOwn, lockComment, shownComments } from './comment-record.ts'
import { KEPT_AT_MOST, withMentions } from './mentions.ts'
import { tellOfComment } from './tell.ts'

/*
 * Comments on a record of any kind. What one says is nowhere but in it and in what it said before: the audit log tells
 * that there was one, and neither signals nor search nor mails know its words.
 */

const OF_RECORD = '/v1/records/{recordId}/comments'
const ONE = '/v1/comments/{id}'
const AT_MOST = 2_000

const recordId = ID.describe('The id of a record of any kind')
const text = words('Text', KEPT_AT_MOST).describe(
  'Markdown, of 10,000 letters beside the names of whom it mentions. `@[name](usr_…)` mentions somebody who may read the record: they are told',
)
const isResolved = flag('Resolved').describe('Nothing is left to do about it')

const ORDER = {
  sort: 'createdAt',
  column: sql.ref('c.created_at'),
  id: sql.ref('c.id'),
  descending: false,
} as const

export const listComments = operation({
  name: 'listComments',
  method: 'GET',
  path: OF_RECORD,
  needs: TO_READ,
  needsFor: ({ recordId }) => readNeedsOf(recordId),
  writes: false,
  title: 'List the comments on a record',
  description: 'The oldest first.',
  input: z.strictObject({ recordId, ...PAGE }),
  output: pageOf(comment),
  run: async (context, { recordId, limit, cursor }) => {
    await recordOfAnyKind(context, recordId)
    const { tx } = context
    const place = readCursor(cursor, ORDER.sort)
    const rows = await tx.read<CommentRow>(
      build(sql`
        select ${sql.raw(COLUMNS)} from comments c
         where c.organization_id = ${tx.organizationId} and c.record_id = ${recordId}
           ${place ? sql`and ${behind(ORDER, place)}` : sql``} ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    const shown = page(
      rows,
      limit,
      ORDER.sort,
      (row) => row,
      ({ createdAt, id }) => ({ value: createdAt, id }),
    )
    return { ...shown, data: await shownComments(context, shown.data) }
  },
})

export const createComment = operation({
  name: 'createComment',
  method: 'POST',
  path: OF_RECORD,
  needs: andAuditors(TO_WRITE),
  needsFor: ({ recordId }) => [
    ...readNeedsOf(recordId),
    ...writeNeedsOf(recordId).map((needs) => andAuditors(needs)),
  ],
  writes: true,
  title: 'Comment on a record',
  description: 'Its owners, those who commented before and those it mentions are told.',
  input: z.strictObject({ recordId, text, fileIds: fileIds.optional() }),
  output: comment,
  example: { recordId: 'risk_01k9f8qxk2e9mbz6w0h5t4v3ra', text: 'Is **this** still open?' },
  refusals: ['conflict', 'file_upload_not_allowed'],
  location: ({ id }) => `/v1/comments/${id}`,
  run: async (context, { recordId, text: given, fileIds = [] }) => {
    const { tx, caller } = context
    const commented = await recordOfAnyKind(context, recordId)
    refuseArchived(commented.kind, commented.record)
    if (caller.limitedView === 'auditor') await refuseUnasked(context, recordId)
    const [{ text, mentioned }, [counted], time] = await Promise.all([
      withMentions(context, commented, given),
      tx.read<{ count: number }>(count(tx.organizationId, recordId)),
      tx.now,
    ])
    if (counted!.count >= AT_MOST)
      throw new Refusal('conflict', `There are ${AT_MOST} comments on this record already: delete some.`)
    const row: CommentRow = {
      ...{ id: newId('cmt'), recordId, text, version: 1 },
      ...{ createdBy: actorOf(caller), createdByUser: actingUserOf(caller), createdAt: time },
      ...{ editedAt: null, editedBy: null, resolvedAt: null, resolvedBy: null },
    }
    tx.write(
      insert(
        tx.organizationId,
        row.id,
        recordId,
        text,
        JSON.stringify(row.createdBy),
        row.createdByUser,
        time,
      ),
    )
    if (fileIds.length > 0) await giveFiles(context, row.id, fileIds)
    audit(tx, caller, { time, action: 'comment.create', subject: subjectOf(row, commented) })
    await tellOfComment(context, commented, mentioned)
    return (await shownComments(context, [row]))[0]!
  },
})

/**
 * An auditor says something where somebody has asked them: by a mention on the record.
 * @throws {Refusal} `capability_required`
 */
async function refuseUnasked({ tx, caller }: TransactionContext, recordId: string): Promise<void> {
  const naming = await tx.read<{ text: string }>(textsNaming(tx.organizationId, recordId, caller.userId))
  if (naming.some(({ text }) => mentionedIn(text).includes(caller.userId))) return
  throw new Refusal(
    'capability_required',
    'You are here as an auditor, who comments where somebody asked: let one of them mention you in a comment on this record.',
  )
}

/** Mentions among them are told by how they are written. */
const textsNaming = statement(`
  select text from comments
   where organization_id = $1 and record_id = $2 and position($3::text in text) > 0`)

export const updateComment = operation({
  name: 'updateComment',
  method: 'PATCH',
  path: ONE,
  needs: TO_WRITE,
  writes: true,
  title: 'Edit a comment, or resolve it',
  description:
    'Its text and its files are changed by whoever wrote it alone; what it said before stays to be read.',
  input: z.strictObject({
    id: ID,
    ifMatch: IF_MATCH,
    text: text.optional(),
    fileIds: fileIds.optional().describe('Those that it is to have; what it has may stay'),
    isResolved: isResolved.optional(),
  }),
  example: { id: 'cmt_01k9f8qxk2e9mbz6w0h5t4v3ra', isResolved: true },
  headers: IF_MATCH_HEADER,
  output: comment,
  refusals: ['version_mismatch', 'conflict', 'field_not_permitted', 'file_upload_not_allowed'],
  run: async (context, { id, ifMatch, text: given, fileIds, isResolved }) => {
    const { tx, caller } = context
    const before = await lockComment(context, id)
    refuseUnlessReadable(context, before.recordId, 'write')
    if (ifMatch !== undefined && ifMatch !== before.version)
      throw new Refusal('version_mismatch', 'It was changed since you read it: read it again.')
    const commented = await recordOfAnyKind(context, before.recordId)
    refuseArchived(commented.kind, commented.record)
    const time = await tx.now
    const isEdit = given !== undefined && given !== before.text
    const there = fileIds ? ((await filesOf(tx, [id])).get(id) ?? []) : []
    const isOther = fileIds !== undefined && !isSame(fileIds, there)
    if ((isEdit || isOther) && !isOwn(caller, before))
      throw new Refusal('field_not_permitted', 'Only whoever wrote a comment edits it: answer it instead.')
    const { text, mentioned } = isEdit
      ? await withMentions(context, commented, given, before.text)
      : { text: before.text, mentioned: [] }
    const isMoved = isResolved !== undefined && isResolved !== (before.resolvedAt !== null)
    if (text === before.text && !isMoved && !isOther) return (await shownComments(context, [before]))[0]!
    const after: CommentRow = {
      ...before,
      text,
      version: before.version + 1,
      ...(text === before.text && !isOther ? {} : { editedAt: time, editedBy: actorOf(caller) }),
      ...(isMoved
        ? { resolvedAt: isResolved ? time : null, resolvedBy: isResolved ? actorOf(caller) : null }
        : {}),
    }
    if (isOther) await giveFiles(context, id, fileIds, there)
    if (text !== before.text) tx.write(keepVersion(tx.organizationId, id, before.version, before.text, time))
    tx.write(
      update(
        ...[tx.organizationId, id, text, after.version, after.editedAt, after.resolvedAt],
        after.resolvedBy && JSON.stringify(after.resolvedBy),
        after.editedBy && JSON.stringify(after.editedBy),
      ),
    )
    audit(tx, caller, {
      time,
      action: 'comment.update',
      subject: subjectOf(after, commented),
      changes: {
        ...(isMoved ? { resolved: { from: !isResolved, to: isResolved } } : {}),
        ...(isOther ? { files: { from: there.length, to: fileIds.length } } : {}),
      },
    })
    if (mentioned.length > 0) await tellOfComment(context, commented, mentioned, { isEdit: true })
    return (await shownComments(context, [after]))[0]!
  },
})

export const deleteComment = operation({
  name: 'deleteComment',
  method: 'DELETE',
  path: ONE,
  needs: person(...TO_WRITE.anyOf),
  writes: true,
  title: 'Delete a comment',
  description: 'With all that it said before. By whoever wrote it, and by admins.',
  input: z.strictObject({ id: ID }),
  output: nothing,
  refusals: ['conflict'],
  annotations: { destructive: true, idempotent: true },
  run: async (context, { id }) => {
    const { tx, caller } = context
    const before = await lockComment(context, id)
    refuseUnlessReadable(context, before.recordId, 'write')
    if (!isOwn(caller, before)) refuseUnlessAllowed(capability('settings.manage'), caller, {})
    const [commented, time] = await Promise.all([recordOfAnyKind(context, before.recordId), tx.now])
    refuseArchived(commented.kind, commented.record)
    tx.write(remove(tx.organizationId, id))
    audit(tx, caller, { time, action: 'comment.delete', subject: subjectOf(before, commented) })
    return null
  },
})

const version = z
  .object({ version: z.int(), text: z.string(), replacedAt: timestamp })
  .meta({ id: 'CommentVersion', title: 'What a comment said' })

export const listCommentVersions = operation({
  name: 'listCommentVersions',
  method: 'GET',
  path: `${ONE}/versions`,
  needs: TO_READ,
  writes: false,
  title: 'List what a comment said before',
  input: z.strictObject({ id: ID }),
  output: z.object({ data: z.array(version) }).meta({ id: 'CommentVersions' }),
  run: async (context, { id }) => {
    const { tx } = context
    const [row] = await tx.read<{ recordId: string }>(find(tx.organizationId, id))
    if (!row) throw notFound()
    refuseUnlessReadable(context, row.recordId, 'read')
    return { data: await tx.read<z.output<typeof version>>(versions(tx.organizationId, id)) }
  },
})

const isSame = (ids: readonly string[], files: readonly CommentFile[]): boolean =>
  ids.length === files.length && files.every(({ id }) => ids.includes(id))

/** The log names the comment by its record: what it says stands nowhere else. */
const subjectOf = ({ id }: CommentRow, { kind, record }: AnyRecord): Subject => ({
  type: 'comment',
  id,
  reference: record.reference as string,
  title: nameOf(kind, record),
})

const count = statement(
  'select count(*)::int as count from comments where organization_id = $1 and record_id = $2',
)
const find = statement('select record_id as "recordId" from comments where organization_id = $1 and id = $2')
const insert = statement(`
  insert into comments (organization_id, id, record_id, text, created_by, created_by_user, created_at)
  values ($1, $2, $3, $4, $5, $6, $7)`)
const update = statement(`
  update comments set text = $3, version = $4, edited_at = $5, resolved_at = $6, resolved_by = $7,
         edited_by = $8
   where organization_id = $1 and id = $2`)
const remove = statement('delete from comments where organization_id = $1 and id = $2')
const keepVersion = statement(`
  insert into comment_versions (organization_id, comment_id, version, text, replaced_at)
  values ($1, $2, $3, $4, $5)`)
const versions = statement(`
  select version, text, replaced_at as "replacedAt" from comment_versions
   where organization_id = $1 and comment_id = $2 order by version desc limit 200`)
