import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import type { Membership } from './sign-in-events.ts'

/** Somebody who signs in, or is asked who they are: how, and where it leads. */
export interface KnownPerson {
  readonly id: string
  readonly email: string
  readonly passwordHash: string | null
  readonly hasSecondFactor: boolean
  /** Where they may go: active there, the last place first. */
  readonly organizations: readonly string[]
  /**
   * Those that the login belongs to, whether they may go there just now or not, and who they are there: for the audit
   * log. Who only invited them is told nothing.
   */
  readonly memberOf: readonly Membership[]
  /** The database's clock. */
  readonly now: string
}

/** The person of an e-mail, or null; one who is disabled is nobody. */
export async function findPerson(parts: Parts, email: string): Promise<KnownPerson | null> {
  const { rows } = await parts.database.gate.query(find(email))
  return (rows[0] as KnownPerson | undefined) ?? null
}

/** The same for whom a second factor names. */
export async function findPersonById(parts: Parts, accountId: string): Promise<KnownPerson | null> {
  const { rows } = await parts.database.gate.query(findById(accountId))
  return (rows[0] as KnownPerson | undefined) ?? null
}

/**
 * Where somebody goes who has just proved who they are.
 * @throws {Refusal} `sign_in_failed` where they are active nowhere
 */
export function homeOf(person: KnownPerson): string {
  const [home] = person.organizations
  if (home !== undefined) return home
  throw new Refusal(
    'sign_in_failed',
    'You are active in no organization: open the link of your invitation, or ask an admin.',
  )
}

const PERSON = `
  select u.id, u.email, u.password_hash as "passwordHash", u.has_second_factor as "hasSecondFactor",
         array(select m.organization_id from members m join organizations o on o.id = m.organization_id
                where m.account_id = u.id and m.status = 'active' and o.status = 'active'
                order by m.organization_id = u.last_organization_id desc nulls last, m.created_at, m.organization_id)
           as organizations,
         (select coalesce(json_agg(json_build_object('organizationId', m.organization_id, 'userId', m.user_id)
                                   order by m.created_at, m.organization_id), '[]')
            from members m where m.account_id = u.id and m.status in ('active', 'disabled')) as "memberOf",
         clock_now() as now
    from users u
   where u.disabled_at is null`

const find = statement(`${PERSON} and lower(u.email) = lower($1)`)
const findById = statement(`${PERSON} and u.id = $1`)
