import { sql } from 'kysely'
import { z } from 'zod'
import { moment, momentBefore } from '../../model/fields.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import { hex } from '../journal/seal.ts'
import { andAuditors, capability, operation } from '../operation.ts'
import { historyEntry } from './history.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from './paging.ts'

const ORDER: Order = { sort: '-time', column: sql.ref('a.time'), id: sql.ref('a.id'), descending: true }
const word = z.string().min(1).max(200)
const repeated = z.array(word).min(1).max(50).optional()
/** Of what is told by its id: with these prefixes, or any where there are none. */
const ids = (...refersTo: string[]) => z.array(word.meta({ refersTo })).min(1).max(50).optional()

const auditEntry = historyEntry
  .extend({
    actor: historyEntry.shape.actor.extend({
      actingUserName: z.string().nullable().describe('The person behind it, as they are called now'),
    }),
    subject: z.object({
      type: z.string(),
      id: z.string(),
      reference: z.string().optional(),
      title: z.string().optional(),
    }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    seal: z
      .object({
        seq: z.int().describe('Its place in the chain of the organization: 1, 2, 3 …'),
        hash: z.string().describe('SHA-256 in hex: of the entry, its place and the seal before'),
        sealedAt: z.string(),
      })
      .nullable()
      .describe('Null in the first moments, until the sealer has come by'),
  })
  .meta({ id: 'AuditEntry', title: 'An entry of the audit log' })

/** Everything that was done in the organization, and what was refused; newest first. */
export const listAuditLog = operation({
  name: 'listAuditLog',
  method: 'GET',
  path: '/v1/audit-log',
  needs: andAuditors(capability('settings.manage')),
  writes: false,
  title: 'Read the audit log',
  input: z.strictObject({
    ...PAGE,
    from: moment().optional().describe('At or after'),
    to: momentBefore(),
    id: ids('aud').describe('Of entries'),
    action: repeated.describe('Such as `risk.update`, or `risk.*` for all that begin so'),
    outcome: z
      .array(z.enum(['success', 'denied', 'failed']))
      .min(1)
      .optional(),
    channel: repeated,
    actorId: ids('usr', 'key', 'app').describe('A user, or the key they acted through'),
    actingUserId: ids('usr').describe('The person behind it, whatever they acted through'),
    subjectType: repeated,
    subjectId: ids(),
    reference: repeated.describe('Of a record, as in RSK-12'),
    requestId: repeated,
  }),
  output: pageOf(auditEntry),
  run: async ({ tx }, { limit, cursor, from, to, action, ...wanted }) => {
    const place = readCursor(cursor, ORDER.sort)
    const conditions = [
      sql`a.organization_id = ${tx.organizationId}`,
      ...(from ? [sql`a.time >= ${from}::timestamptz`] : []),
      ...(to ? [sql`a.time < ${to}::timestamptz`] : []),
      ...(action ? [isAction(action)] : []),
      ...Object.entries(wanted).flatMap(([field, values]) =>
        values ? [sql`${sql.raw(COLUMNS[field as keyof typeof COLUMNS])} = any(${values})`] : [],
      ),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read(
      build(sql`select a.id, a.time, a.actor, m.name as acting_user_name, a.channel, a.client, a.tool, a.action, a.outcome, a.subject, a.changes, a.reason,
          a.request_id, a.ip, a.user_agent, s.seq, s.hash as seal_hash, s.sealed_at
        from audit_entries a
        left join audit_seals s on s.organization_id = a.organization_id and s.entry_id = a.id
        left join members m on m.organization_id = a.organization_id and m.user_id = a.actor->>'actingUserId'
       where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(rows, limit, ORDER.sort, entryOf, (row) => ({
      value: row.time as string,
      id: row.id as string,
    }))
  },
})

/** Whole, or by how they begin. */
function isAction(wanted: readonly string[]) {
  const beginnings = wanted.filter((one) => one.endsWith('.*')).map((one) => one.slice(0, -1))
  return sql`(a.action = any(${wanted}) or exists (
    select from unnest(${beginnings}::text[]) beginning where starts_with(a.action, beginning)))`
}

const COLUMNS = {
  id: 'a.id',
  outcome: 'a.outcome',
  channel: 'a.channel',
  actorId: "a.actor->>'id'",
  actingUserId: "a.actor->>'actingUserId'",
  subjectType: 'a.subject_type',
  subjectId: 'a.subject_id',
  reference: "a.subject->>'reference'",
  requestId: 'a.request_id',
} as const

const entryOf = ({
  actor,
  acting_user_name,
  request_id,
  user_agent,
  seq,
  seal_hash,
  sealed_at,
  ...row
}: Row): z.input<typeof auditEntry> => {
  const seal = seq === null ? null : { seq, hash: hex(seal_hash as Buffer), sealedAt: sealed_at }
  const named = { ...(actor as object), actingUserName: acting_user_name }
  return { ...row, actor: named, requestId: request_id, userAgent: user_agent, seal } as never
}
