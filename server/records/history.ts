import { sql } from 'kysely'
import { z } from 'zod'
import { ABOUT_PEOPLE } from '../../model/audit-actions.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import { behind, type Order, orderBy, page, pageOf, readCursor } from './paging.ts'
import { mayRead } from './readable.ts'

/** How a field has moved, in entries and in signals. */
export const change = z.object({ from: z.unknown(), to: z.unknown() }).meta({ id: 'Change' })

export const HISTORY_OUTCOMES = ['success', 'denied', 'failed'] as const

/** What the audit log says of one record, newest first. */
export const historyEntry = z
  .object({
    id: z.string(),
    time: timestamp,
    actor: z.object({
      type: z.string(),
      id: z.string(),
      displayName: z.string(),
      actingUserId: z.string().nullish(),
    }),
    channel: z.string(),
    client: z.string().nullable().describe('The program that called by MCP, as it names itself'),
    tool: z.string().nullable().describe('The tool it called'),
    action: z.string(),
    outcome: z.enum(HISTORY_OUTCOMES),
    changes: z.record(z.string(), change).nullable(),
    reason: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'HistoryEntry', title: 'What happened to a record' })

export const historyPage = pageOf(historyEntry)

const personnel = kinds.personnel as unknown as Kind

const ORDER: Order = { sort: '-time', column: sql.ref('a.time'), id: sql.ref('a.id'), descending: true }

/**
 * @returns a page of entries; of a record that is gone, too, so that its end can be read
 * @throws {Refusal} `not_found` where nothing ever happened here under this id
 */
export async function recordHistory(
  { tx, caller }: TransactionContext,
  kind: Kind,
  input: { id: string; limit: number; cursor?: string | undefined },
) {
  const place = readCursor(input.cursor, ORDER.sort)
  const conditions = [
    sql`a.organization_id = ${tx.organizationId}`,
    sql`a.subject_id = ${input.id}`,
    sql`a.subject_type = ${kind.name}`,
    // A refused call changed nothing: that is for the audit log alone.
    sql`a.outcome <> 'denied'`,
    ...(mayRead(caller, personnel) ? [] : [sql`a.action <> all(${ABOUT_PEOPLE})`]),
    ...sidesOf(kind).flatMap((side) => (mayRead(caller, side.other) ? [] : [isNoLinkWith(side)])),
    ...(place ? [behind(ORDER, place)] : []),
  ]
  const rows = await tx.read(
    build(sql`select a.id, a.time, a.actor, a.channel, a.client, a.tool, a.action, a.outcome, a.changes, a.reason, a.request_id
      from audit_entries a where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${input.limit + 1}`),
  )
  if (rows.length === 0 && !place) throw notFound()
  return page(rows, input.limit, ORDER.sort, entryOf, (row) => ({
    value: row.time as string,
    id: row.id as string,
  }))
}

/** An entry of a link names the record at its other end, so it is for those who may read that. */
const isNoLinkWith = ({ kind, word }: Side) =>
  sql`(a.action <> all(${[`${kind.name}.link`, `${kind.name}.unlink`]}) or a.changes -> ${word} is null)`

type Entry = z.input<typeof historyEntry>

const entryOf = ({ request_id, ...row }: Row): Entry => ({ ...row, requestId: request_id }) as Entry
