import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { removeFactors } from './factor-changes.ts'
import { endResetsOf } from './one-time-links.ts'
import { endOthers } from './sessions.ts'

/*
 * Whose a login is.
 *
 * An e-mail is what somebody typed, until a link that went to that mailbox and nowhere else was used
 * (`users.email_proven_at`). Before that, anybody may be behind the login: whoever added the address, or
 * accepted an invitation meant for somebody else, in the hope that its owner is let in somewhere later, to
 * what both of them then could open. So with the first proof everything goes that was set up before it, and the
 * owner begins anew; and a password that was set by a link which passed through other hands takes the proof
 * away again.
 */

/** What a link is worth, and whose login it would open, read under a lock on that person. */
export interface Login {
  readonly email: string
  readonly passwordHash: string | null
  /** Whether all it opens by was set up by whoever has the mailbox. */
  readonly isProven: boolean
  /** Whether somebody has signed in with it, or may. */
  readonly isUsed: boolean
  /** The organizations where they belong, whether they may go there just now or not. */
  readonly organizations: readonly string[]
}

/** The login of a person who is not disabled, or null. */
export const findLogin = statement(`
  select u.email, u.password_hash as "passwordHash", u.email_proven_at is not null as "isProven",
         u.last_login_at is not null or cardinality(m.organizations) > 0 as "isUsed", m.organizations
    from users u
    cross join lateral (
      select array(select organization_id from members where account_id = u.id and status in ('active', 'disabled'))
        as organizations
    ) m
   where u.id = $1 and u.disabled_at is null`)

/** Takes the turn of a person: what they open their login by changes for one at a time. */
export async function lockLogin(tx: Transaction, accountId: string): Promise<Login | null> {
  await tx.readAsGate(lock(accountId))
  const [login] = await tx.readAsGate<Login>(findLogin(accountId))
  return login ?? null
}

/**
 * Forgets everything by which a person could get in, in one place. The password is not in it: whoever calls
 * this sets a new one.
 */
export async function forgetCredentials(tx: Transaction, accountId: string): Promise<void> {
  await removeFactors(tx, accountId)
  tx.writeAsGate(endOthers(accountId, null))
  tx.writeAsGate(endApps(accountId))
}

/** @param byMail whether the link by which it is set went to the mailbox alone */
export function setPasswordByLink(tx: Transaction, accountId: string, hash: string, byMail: boolean): void {
  tx.writeAsGate(set(accountId, hash, byMail))
  endResetsOf(tx, accountId)
}

const lock = statement('select from users where id = $1 for no key update')

const set = statement(
  'update users set password_hash = $2, email_proven_at = case when $3 then clock_now() end where id = $1',
)

const endApps = statement(`
  update connected_apps a set revoked_at = clock_now(), revoked_by = a.user_id
    from members m
   where m.account_id = $1 and a.organization_id = m.organization_id and a.user_id = m.user_id
     and a.revoked_at is null`)
