import type { Role } from '../../../model/scopes.ts'
import type { Caller } from '../../caller/caller.ts'
import type { RequestContext } from '../../caller/request-context.ts'
import { statement } from '../../database/connect.ts'
import { newId } from '../../database/ids.ts'
import type { Transaction } from '../../database/transaction.ts'
import { audit, movedBetween } from '../../journal/audit.ts'
import { lockLogin } from '../first-proof.ts'
import { lockMembers } from '../member-lock.ts'
import type { Claims } from './claims.ts'
import { domainOf } from './provider-record.ts'
import { Stopped } from './stopped.ts'

/**
 * Whom a provider means.
 *
 * A person is found by the provider's own name for them (`sub`), once that is linked. It is linked by the
 * person, from their account; or the first time they come, where the organization has proven that the domain
 * of the e-mail is its own and invited that very e-mail. An e-mail alone links nothing: the admins of one
 * organization say what its provider asserts, and must not come in as people of another.
 */
interface Member {
  readonly userId: string
  readonly accountId: string
  readonly name: string
  readonly role: Role
  readonly limitedView: Caller['limitedView']
  readonly status: 'invited' | 'active' | 'disabled' | 'removed'
  readonly features: Record<string, boolean>
}

/**
 * The account of the member that somebody is, linked and made active where this is their first time.
 * @throws {Stopped}
 */
export async function memberOf(
  tx: Transaction,
  requestContext: RequestContext,
  providerId: string,
  claims: Claims,
): Promise<string> {
  const known = await findLinked(tx, providerId, claims.subject)
  const member = known ?? (await findInvited(tx, claims))
  if (member.status === 'removed') throw new Stopped('not_invited')
  if (member.status === 'disabled') throw new Stopped('not_active')
  const caller = callerAs(tx, requestContext, member)
  if (!known) await link(tx, caller, providerId, claims)
  if (member.status === 'invited') await activate(tx, caller, member)
  tx.write(use(tx.organizationId, providerId, claims.subject, claims.email))
  return member.accountId
}

/**
 * Links an identity to the person who asks, in place of one they had.
 * @throws {Stopped} `identity_taken`
 */
export async function linkTo(
  tx: Transaction,
  caller: Caller,
  providerId: string,
  claims: Claims,
): Promise<void> {
  const known = await findLinked(tx, providerId, claims.subject)
  if (known?.userId === caller.userId) return
  if (known) throw new Stopped('identity_taken')
  tx.write(unlink(tx.organizationId, providerId, caller.userId))
  await link(tx, caller, providerId, claims)
}

async function findLinked(tx: Transaction, providerId: string, subject: string): Promise<Member | undefined> {
  const [member] = await tx.read<Member>(findBySubject(tx.organizationId, providerId, subject))
  return member
}

async function findInvited(tx: Transaction, { email }: Claims): Promise<Member> {
  if (email === null) throw new Stopped('email_unverified')
  const [[proven], [member]] = await Promise.all([
    tx.read(findProven(tx.organizationId, domainOf(email))),
    tx.read<Member>(findByEmail(tx.organizationId, email)),
  ])
  if (!proven) throw new Stopped('domain_unverified')
  if (!member) throw new Stopped('not_invited')
  return member
}

async function link(tx: Transaction, caller: Caller, providerId: string, claims: Claims): Promise<void> {
  const id = newId('idn')
  const { subject, email } = claims
  const rows = await tx.read(insert(tx.organizationId, id, providerId, subject, caller.userId, email))
  if (rows.length === 0) {
    // Somebody was quicker: the same person in another tab, or this account is another one than before.
    const quicker = await findLinked(tx, providerId, subject)
    if (quicker?.userId !== caller.userId) throw new Stopped('other_account')
    return
  }
  audit(tx, caller, {
    time: await tx.now,
    action: 'identity.link',
    subject: { type: 'user', id: caller.userId, title: caller.credential.name },
    changes: movedBetween(['providerId', 'identity'], {}, { providerId, identity: id }),
  })
}

/**
 * Coming in is how somebody who was invited becomes active; what would let them in otherwise is used up. A
 * password that their login has already would then open this organization too, and unless its owner has shown
 * that the mailbox is theirs, somebody else may have set it (first-proof.ts): they accept by their link first.
 */
async function activate(
  tx: Transaction,
  caller: Caller,
  { userId, accountId, name, status }: Member,
): Promise<void> {
  await lockMembers(tx)
  const login = await lockLogin(tx, accountId)
  if (!login || (login.passwordHash !== null && !login.isProven)) throw new Stopped('invitation_first')
  const rows = await tx.read<{ time: string }>(makeActive(tx.organizationId, userId))
  const time = rows[0]?.time
  if (time === undefined) throw new Stopped('not_active')
  tx.writeAsGate(forgetInvitation(tx.organizationId, accountId))
  audit(tx, caller, {
    time,
    action: 'user.update',
    subject: { type: 'user', id: userId, title: name },
    changes: movedBetween(['status'], { status }, { status: 'active' }),
  })
}

/** For the audit log: who came in acts for themselves. */
function callerAs(
  tx: Transaction,
  requestContext: RequestContext,
  { userId, accountId, name, role, limitedView, features }: Member,
): Caller {
  const credential = { type: 'session', id: 'sign_in', name } as const
  return {
    ...requestContext,
    organizationId: tx.organizationId,
    userId,
    accountId,
    role,
    limitedView,
    features,
    credential,
    granted: new Set(),
  }
}

const MEMBER = `
  m.user_id as "userId", m.account_id as "accountId", m.name, m.role,
  m.limited_view as "limitedView", o.features,
  case when u.disabled_at is null then m.status else 'disabled' end as status`

const findBySubject = statement(`
  select ${MEMBER}
    from sign_in_identities i
    join members m on m.organization_id = i.organization_id and m.user_id = i.user_id
    join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where i.organization_id = $1 and i.provider_id = $2 and i.subject = $3`)

const findByEmail = statement(`
  select ${MEMBER}
    from members m join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and lower(u.email) = lower($2)`)

const findProven = statement(
  'select from sign_in_domains where organization_id = $1 and domain = $2 and verified_at is not null',
)

const insert = statement(`
  insert into sign_in_identities (organization_id, id, provider_id, subject, user_id, email, created_at)
  values ($1, $2, $3, $4, $5, $6, clock_now())
  on conflict do nothing returning id`)

const unlink = statement(
  'delete from sign_in_identities where organization_id = $1 and provider_id = $2 and user_id = $3',
)

const use = statement(`
  update sign_in_identities set last_used_at = clock_now(), email = $4
   where organization_id = $1 and provider_id = $2 and subject = $3`)

const makeActive = statement(`
  update members set status = 'active', version = version + 1,
         updated_at = greatest(clock_now(), updated_at + interval '1 millisecond')
   where organization_id = $1 and user_id = $2 and status = 'invited'
  returning updated_at as time`)

const forgetInvitation = statement(
  "delete from one_time_links where purpose = 'invitation' and organization_id = $1 and user_id = $2",
)
