import { isDeepStrictEqual } from 'node:util'
import type { ActorType } from '../../model/actor-type.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { actingUserOf, actorOf, type Caller } from '../caller/caller.ts'
import { type Query, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import type { Transaction } from '../database/transaction.ts'
import { entryHash } from './seal.ts'

/** What an audit entry says was done. */
export interface AuditEvent {
  /** ISO 8601, by the database's clock. */
  readonly time: string
  readonly action: AuditAction
  readonly outcome?: 'success' | 'denied' | 'failed'
  readonly subject: Subject
  readonly changes?: Changes | null
  readonly reason?: string | null
}

export interface Subject {
  readonly type: string
  readonly id: string
  readonly reference?: string
  readonly title?: string
}

export type Changes = Record<string, { from: unknown; to: unknown }>

/** The columns of an audit entry, in the order of `AUDIT_COLUMNS`. */
export type AuditRow = unknown[]

export const AUDIT_COLUMNS = [
  'organization_id',
  'id',
  'time',
  'actor',
  'channel',
  'action',
  'outcome',
  'subject_type',
  'subject_id',
  'subject',
  'changes',
  'reason',
  'request_id',
  'ip',
  'user_agent',
  'client',
  'tool',
  'hash',
] as const

/**
 * The row of an audit entry. Its hash is of its own bytes; the chain over entries is made
 * later, by the sealer, because a chain inside the transaction would make writers queue.
 */
export function entry(caller: Caller, event: AuditEvent): AuditRow {
  const actor = { ...actorOf(caller), actingUserId: actingUserOf(caller) }
  const {
    organizationId,
    channel,
    requestId,
    ip = null,
    userAgent = null,
    client = null,
    tool = null,
  } = caller
  return hashed(organizationId, actor, channel, event, [requestId, ip, userAgent], [client, tool])
}

/** The row of an entry for what the service does by itself, with nobody calling. */
export function entryOfService(organizationId: string, part: ServicePart, event: AuditEvent): AuditRow {
  const actor = { type: 'service' satisfies ActorType, ...part, actingUserId: null }
  return hashed(organizationId, actor, 'scheduler', event, [null, null, null])
}

/** The row of an entry for somebody who is not yet known to be who they say they are. */
export function entryOfStranger(
  organizationId: string,
  requestContext: RequestOfStranger,
  event: AuditEvent,
): AuditRow {
  const actor = {
    type: 'service' satisfies ActorType,
    id: 'sign_in',
    displayName: 'Sign-in',
    actingUserId: null,
  }
  const { channel, requestId, ip = null, userAgent = null } = requestContext
  return hashed(organizationId, actor, channel, event, [requestId, ip, userAgent])
}

function hashed(
  organizationId: string,
  actor: object,
  channel: string,
  event: AuditEvent,
  requestContext: readonly [string | null, string | null, string | null],
  by: readonly [client: string | null, tool: string | null] = [null, null],
): AuditRow {
  const values = [
    organizationId,
    newId('aud'),
    event.time,
    JSON.stringify(actor),
    channel,
    event.action,
    event.outcome ?? 'success',
    event.subject.type,
    event.subject.id,
    JSON.stringify(event.subject),
    event.changes ? JSON.stringify(event.changes) : null,
    event.reason ?? null,
    ...requestContext,
    ...by,
  ].map((value) => value?.toWellFormed() ?? null) // as PostgreSQL will give it back
  return [...values, entryHash(values)]
}

/** Sends an audit entry along with a transaction, for what is no record of a kind and raises no signal. */
export const audit = (tx: Transaction, caller: Caller, event: AuditEvent): void =>
  tx.write(insertEntry(...entry(caller, event)))

export const insertEntry = statement(
  `insert into audit_entries (${AUDIT_COLUMNS.join(', ')})
   values (${AUDIT_COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})`,
)

/** As many entries as there are, in one statement: a list for each column. */
export function insertEntries(rows: readonly AuditRow[]): Query {
  return ENTRIES(...columnsOfEntries(rows))
}

const STORED: Partial<Record<(typeof AUDIT_COLUMNS)[number], string>> = {
  time: 'timestamptz',
  actor: 'json',
  subject: 'json',
  changes: 'json',
  hash: 'bytea',
}

/** As part of a statement: entries of which each column is a list, as parameters after `count`. */
export const insertOfEntries = (count: number): string =>
  `insert into audit_entries (${AUDIT_COLUMNS.join(', ')})
   select * from unnest(${AUDIT_COLUMNS.map((name, index) => `$${count + index + 1}::${STORED[name] ?? 'text'}[]`).join(', ')})`

/** Its parameters. */
export const columnsOfEntries = (rows: readonly AuditRow[]): unknown[][] =>
  AUDIT_COLUMNS.map((_, index) => rows.map((row) => row[index]))

const ENTRIES = statement(insertOfEntries(0))

/** What moved between two readings of the same thing, as an entry tells it. */
export function movedBetween(
  fields: readonly string[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const moved = fields.filter((field) => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null))
  return Object.fromEntries(
    moved.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]),
  )
}

interface RequestOfStranger {
  readonly channel: string
  readonly requestId: string
  readonly ip?: string
  readonly userAgent?: string
}

/** Which part of the service did it. */
export interface ServicePart {
  readonly id: string
  readonly displayName: string
}
