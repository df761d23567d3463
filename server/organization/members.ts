import { z } from 'zod'
import { line } from '../../model/fields.ts'
import type { LimitedView } from '../../model/limited-view.ts'
import type { Role } from '../../model/scopes.ts'
import { type Row, statement } from '../database/connect.ts'
import { type IfMatch, lockedRow } from '../database/locked-row.ts'
import type { Transaction } from '../database/transaction.ts'
import { lockMembers } from '../identity/member-lock.ts'
import { timestamp } from '../output.ts'
import { invalid, notFound, Refusal } from '../refusal.ts'

/**
 * Who belongs to an organization, and the rules that hold among them. Whoever changes one takes their turn first
 * (identity/member-lock.ts).
 */
export const MEMBER_FIELDS = {
  name: line('Name'),
  role: z.enum(['admin', 'editor', 'viewer']).meta({ title: 'Role' }),
  isAuditor: z
    .boolean()
    .meta({ title: 'Auditor' })
    .describe(
      'A viewer who reads every record and the audit log, and writes nothing but comments where asked; keys, connected apps, endpoints and legal holds are for admins to show',
    ),
  selfServiceOnly: z
    .boolean()
    .meta({ title: 'Self-service only' })
    .describe('A viewer who sees their own tasks and assets, what they have to acknowledge, and no more'),
} as const

export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: MEMBER_FIELDS.role,
    isAuditor: MEMBER_FIELDS.isAuditor,
    selfServiceOnly: MEMBER_FIELDS.selfServiceOnly,
    status: z.enum(['invited', 'active', 'disabled']),
    mfaEnabled: z.boolean(),
    lastLoginAt: timestamp.nullable(),
    personnelId: z.string().nullable().describe('The directory entry of the same human'),
    createdAt: timestamp,
    updatedAt: timestamp,
    version: z.int(),
  })
  .meta({ id: 'User', title: 'User' })

export type User = z.output<typeof user>

/**
 * Columns of a user as the API shows one, of `members m`, `users u` and `personnel p`. Of somebody who has not
 * joined, nothing shows of what they do elsewhere.
 */
export const USER_COLUMNS = `m.user_id as id, u.email, m.name, m.role,
  m.limited_view is not distinct from 'auditor' as "isAuditor",
  m.limited_view is not distinct from 'self_service' as "selfServiceOnly", m.status,
  m.status <> 'invited' and u.has_second_factor as "mfaEnabled",
  case when m.status <> 'invited' then greatest(u.last_login_at, (
    select max(i.last_used_at) from sign_in_identities i
     where i.organization_id = m.organization_id and i.user_id = m.user_id)) end as "lastLoginAt",
  p.id as "personnelId", m.created_at as "createdAt", m.updated_at as "updatedAt", m.version`

export const USERS = `members m join users u on u.id = m.account_id
  left join personnel p on p.organization_id = m.organization_id and p.user_id = m.user_id`

/** @throws {Refusal} `not_found` */
export async function readUser(tx: Transaction, id: string): Promise<User> {
  const [row] = await tx.read<Row & User>(select(tx.organizationId, id))
  if (!row) throw notFound()
  const { write_time: _, ...record } = row
  return record
}

/**
 * The account that a user of the organization signs in with.
 * @throws {Refusal} `not_found`
 */
export async function accountOf(tx: Transaction, id: string): Promise<string> {
  const [row] = await tx.read<{ account_id: string }>(account(tx.organizationId, id))
  if (!row) throw notFound()
  return row.account_id
}

/**
 * Reads a user to change them: no other member of the organization changes until the transaction ends.
 * @param ifMatch the version the caller read, where they sent one
 * @returns the user, and the moment of the change
 */
export async function lockUser(
  tx: Transaction,
  id: string,
  ifMatch?: IfMatch,
): Promise<{ before: User; time: string }> {
  const [, rows] = await Promise.all([lockMembers(tx), tx.read<Row & User>(select(tx.organizationId, id))])
  return lockedRow<User>(rows, ifMatch)
}

/**
 * @param before a user about to lose the role or the place, under `lockUser`
 * @throws {Refusal} `last_admin` where no other active admin would be left
 */
export async function refuseLastAdmin(tx: Transaction, before: User): Promise<void> {
  if (before.role !== 'admin' || before.status !== 'active') return
  const rows = await tx.read(otherAdmin(tx.organizationId, before.id))
  if (rows.length === 0)
    throw new Refusal('last_admin', `${before.name} is the only active admin: make another user admin first.`)
}

/**
 * The limited view that a member has by their flags, which are for viewers, and of which each has one at most.
 * @throws {Refusal} `validation_failed`
 */
export function limitedViewOf({ role, isAuditor, selfServiceOnly }: Flags): LimitedView | null {
  const [flag, view] = isAuditor
    ? (['isAuditor', 'auditor'] as const)
    : (['selfServiceOnly', 'self_service'] as const)
  if (isAuditor && selfServiceOnly)
    throw invalid({ path: 'selfServiceOnly', message: 'an auditor reads everything: give one of the two' })
  if (!isAuditor && !selfServiceOnly) return null
  if (role !== 'viewer')
    throw invalid({ path: flag, message: `is for viewers: make it false, or give the role viewer` })
  return view
}

type Flags = Pick<User, 'role' | 'isAuditor' | 'selfServiceOnly'>

const RANK: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 }

export const isDemotion = (from: Role, to: Role): boolean => RANK[to] < RANK[from]

const select = statement(`
  select greatest(clock_now(), m.updated_at + interval '1 millisecond') as write_time, ${USER_COLUMNS}
    from ${USERS}
   where m.organization_id = $1 and m.user_id = $2 and m.status <> 'removed'`)

const account = statement('select account_id from members where organization_id = $1 and user_id = $2')

const otherAdmin = statement(`
  select from members m join users u on u.id = m.account_id
   where m.organization_id = $1 and m.user_id <> $2 and m.role = 'admin' and m.status = 'active'
     and u.disabled_at is null
   limit 1`)
