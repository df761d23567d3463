import type { AuditAction } from '../../model/audit-actions.ts'
import type { Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { audit, type Changes } from '../journal/audit.ts'
import { Refusal } from '../refusal.ts'
import { endOthers } from './sessions.ts'

/**
 * Changes of what a person proves beside their password, or in its place.
 *
 * Those of one person take turns, behind a lock on their row, which beginning a session takes as well: so
 * whether they have a second factor (`users.has_second_factor`) is exact at every commit, and no session that
 * was begun without one outlives the change that asks for it. Other sessions end when the first factor comes,
 * because they were begun without it, and when any goes, because it may be a device that was lost.
 */
export interface PersonOfFactors {
  readonly email: string
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
}

/** Takes the turn of a person, to change what they prove. */
export async function lockFactors(tx: Transaction, userId: string): Promise<PersonOfFactors> {
  const [person] = await tx.readAsGate<PersonOfFactors>(lock(userId))
  return person ?? { email: '', hasPassword: false, hasSecondFactor: false }
}

export interface FactorChange {
  readonly action: AuditAction
  readonly changes?: Changes
  /** Whether a factor went. */
  readonly removes?: boolean
}

/**
 * Ends a change: what follows from it, and its audit entry in the session's organization.
 * @throws {Refusal} `conflict` where the last factor would go and an organization asks for one
 */
export async function endFactorChange(
  tx: Transaction,
  caller: Caller,
  before: PersonOfFactors,
  { action, changes = {}, removes = false }: FactorChange,
): Promise<void> {
  const { userId, accountId, credential } = caller
  const has = await settleFactors(tx, accountId)
  const moved = has !== before.hasSecondFactor
  if (moved && !has) await refuseLastFactor(tx, accountId)
  if (moved || removes) tx.writeAsGate(endOthers(accountId, credential.id))
  const all = moved ? { ...changes, mfaEnabled: { from: before.hasSecondFactor, to: has } } : changes
  audit(tx, caller, {
    time: await tx.now,
    action,
    subject: { type: 'user', id: userId, title: credential.name },
    changes: Object.keys(all).length > 0 ? all : null,
  })
}

/** Under the person's lock, which whoever turns it on takes as well: one of the two sees the other. */
async function refuseLastFactor(tx: Transaction, userId: string): Promise<void> {
  const [asking] = await tx.readAsGate<{ name: string }>(organizationAsking(userId))
  if (asking)
    throw new Refusal(
      'conflict',
      `${asking.name} asks everybody for a second factor, and this is your last: set up another one first.`,
    )
}

/** Writes down whether a person has a second factor; recovery codes go with the last one. */
export async function settleFactors(tx: Transaction, userId: string): Promise<boolean> {
  const [row] = await tx.readAsGate<{ has: boolean }>(settle(userId))
  const has = row?.has ?? false
  if (!has) tx.writeAsGate(removeRecoveryCodes(userId))
  return has
}

/**
 * Takes every factor of a person away.
 * @returns whether there was any
 */
export async function removeFactors(tx: Transaction, userId: string): Promise<boolean> {
  const [gone] = await tx.readAsGate<{ count: number }>(removeAll(userId))
  await settleFactors(tx, userId)
  return (gone?.count ?? 0) > 0
}

const organizationAsking = statement(`
  select o.name from members m join organizations o on o.id = m.organization_id
   where m.account_id = $1 and m.status = 'active' and o.status = 'active' and o.second_factor_required
   order by o.created_at limit 1`)

const lock = statement(`
  select email, password_hash is not null as "hasPassword", has_second_factor as "hasSecondFactor"
    from users where id = $1 for no key update`)

const settle = statement(`
  update users u
     set has_second_factor = exists (select from passkeys p where p.user_id = u.id)
      or exists (select from totp_secrets t where t.user_id = u.id and t.confirmed_at is not null)
   where id = $1
  returning has_second_factor as has`)

const removeRecoveryCodes = statement('delete from recovery_codes where user_id = $1')

/** With what waits for a first code or an answer, so that nothing begun before comes true after. */
const removeAll = statement(`
  with totp as (delete from totp_secrets where user_id = $1 returning 1),
       keys as (delete from passkeys where user_id = $1 returning 1),
       codes as (delete from recovery_codes where user_id = $1 returning 1),
       ceremonies as (delete from passkey_ceremonies where user_id = $1)
  select (select count(*) from totp) + (select count(*) from keys) + (select count(*) from codes) as count`)
