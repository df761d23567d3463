import { z } from 'zod'
import { mentionedIn, withNames } from '../../model/mentions.ts'
import { actorOf, type Caller, isCapable, isPerson } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import { commentFile, filesOf } from './comment-files.ts'

/* A comment as callers see it. */

const somebody = z.object({ type: z.string(), id: z.string(), displayName: z.string() })

export const comment = z
  .object({
    id: z.string(),
    recordId: z.string(),
    text: z.string().describe('Markdown; `@[name](usr_…)` mentions somebody'),
    files: z.array(commentFile),
    version: z.int(),
    createdBy: somebody.meta({ id: 'Commenter' }),
    createdAt: timestamp,
    editedAt: timestamp.nullable(),
    editedBy: somebody
      .nullable()
      .meta({ id: 'CommentEditor' })
      .describe('Who edited it last: what a program wrote, whoever it acts for may edit'),
    resolvedAt: timestamp.nullable(),
    resolvedBy: somebody.nullable().meta({ id: 'ResolvedBy' }),
    isOwn: z.boolean().describe('Whether the caller wrote it: nobody else edits it'),
    mayDelete: z.boolean(),
  })
  .meta({ id: 'Comment', title: 'Comment' })

export interface CommentRow {
  readonly id: string
  readonly recordId: string
  readonly text: string
  readonly version: number
  readonly createdBy: z.output<typeof somebody>
  readonly createdByUser: string | null
  readonly createdAt: string
  readonly editedAt: string | null
  readonly editedBy: z.output<typeof somebody> | null
  readonly resolvedAt: string | null
  readonly resolvedBy: z.output<typeof somebody> | null
}

export const COLUMNS = `c.id, c.record_id as "recordId", c.text, c.version, c.created_by as "createdBy",
  c.created_by_user as "createdByUser", c.created_at as "createdAt", c.edited_at as "editedAt",
  c.edited_by as "editedBy", c.resolved_at as "resolvedAt", c.resolved_by as "resolvedBy"`

/** Comments as a caller sees them, who are mentioned by the names they have now. */
export async function shownComments(
  { tx, caller }: TransactionContext,
  rows: readonly CommentRow[],
): Promise<z.output<typeof comment>[]> {
  const ids = new Set(rows.flatMap(({ text }) => mentionedIn(text)))
  const [named, files] = await Promise.all([
    ids.size > 0 ? tx.read<{ id: string; name: string }>(names(tx.organizationId, [...ids])) : [],
    filesOf(
      tx,
      rows.map(({ id }) => id),
    ),
  ])
  const nameOf = new Map(named.map(({ id, name }) => [id, name]))
  return rows.map(({ createdByUser, ...row }) => {
    const own = isOwn(caller, { ...row, createdByUser })
    return {
      ...row,
      text: withNames(row.text, (id) => nameOf.get(id)),
      files: files.get(row.id) ?? [],
      isOwn: own,
      mayDelete: isPerson(caller) && (own || isCapable(caller, 'settings.manage')),
    }
  })
}

/** A person's own is what a program of theirs wrote too; a program's, what it wrote itself. */
export const isOwn = (caller: Caller, { createdBy, createdByUser }: Author): boolean =>
  isPerson(caller) ? createdByUser === caller.userId : createdBy.id === actorOf(caller).id

type Author = Pick<CommentRow, 'createdBy' | 'createdByUser'>

/** One comment, locked. @throws {Refusal} `not_found` */
export async function lockComment({ tx }: TransactionContext, id: string): Promise<CommentRow> {
  const [row] = await tx.read<CommentRow>(lock(tx.organizationId, id))
  if (!row) throw notFound()
  return row
}

const names = statement(
  'select user_id as id, name from members where organization_id = $1 and user_id = any($2::text[])',
)
const lock = statement(
  `select ${COLUMNS} from comments c where c.organization_id = $1 and c.id = $2 for no key update`,
)
