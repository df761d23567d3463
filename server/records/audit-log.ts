import { sql } from 'kysely'
import { z } from 'zod'
import { moment } from '../../kinds/fields.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import { hex } from '../journal/seal.ts'
import { capability, operation } from '../operation.ts'
import { historyEntry } from './history.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from './paging.ts'

const ORDER: Order = { sort: '-time', column: sql.ref('a.time'), id: sql.ref('a.id'), descending: true }
const instant = moment().optional()
const repeated = z.array(z.string().min(1).max(200)).min(1).max(50).optional()

const auditEntry = historyEntry
  .extend({
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
  needs: capability('settings.manage'),
  writes: false,
  title: 'Read the audit log',
  input: z.strictObject({
    ...PAGE,
    from: instant.describe('At or after'),
    to: instant.describe('Before'),
    action: repeated.describe('Such as risk.update'),
    outcome: z
      .array(z.enum(['success', 'denied', 'failed']))
      .min(1)
      .optional(),
    channel: repeated,
    actorId: repeated.describe('A user, or the key they acted through'),
    actingUserId: repeated.describe('The person behind it, whatever they acted through'),
    subjectType: repeated,
    subjectId: repeated,
    requestId: repeated,
  }),
  output: pageOf(auditEntry),
  run: async ({ tx }, { limit, cursor, from, to, ...wanted }) => {
    const place = readCursor(cursor, ORDER.sort)
    const conditions = [
      sql`a.organization_id = ${tx.organizationId}`,
      ...(from ? [sql`a.time >= ${from}::timestamptz`] : []),
      ...(to ? [sql`a.time < ${to}::timestamptz`] : []),
      ...Object.entries(wanted).flatMap(([field, values]) =>
        values ? [sql`${sql.raw(COLUMNS[field as keyof typeof COLUMNS])} = any(${values})`] : [],
      ),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read(
      build(sql`select a.id, a.time, a.actor, a.channel, a.client, a.tool, a.action, a.outcome, a.subject, a.changes, a.reason,
          a.request_id, a.ip, a.user_agent, s.seq, s.hash as seal_hash, s.sealed_at
        from audit_entries a
        left join audit_seals s on s.organization_id = a.organization_id and s.entry_id = a.id
       where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(rows, limit, ORDER.sort, entryOf, (row) => ({
      value: row.time as string,
      id: row.id as string,
    }))
  },
})

const COLUMNS = {
  action: 'a.action',
  outcome: 'a.outcome',
  channel: 'a.channel',
  actorId: "a.actor->>'id'",
  actingUserId: "a.actor->>'actingUserId'",
  subjectType: 'a.subject_type',
  subjectId: 'a.subject_id',
  requestId: 'a.request_id',
} as const

const entryOf = ({
  request_id,
  user_agent,
  seq,
  seal_hash,
  sealed_at,
  ...row
}: Row): z.input<typeof auditEntry> => {
  const seal = seq === null ? null : { seq, hash: hex(seal_hash as Buffer), sealedAt: sealed_at }
  return { ...row, requestId: request_id, userAgent: user_agent, seal } as never
}
