import { z } from 'zod'
import type { RequestContext } from '../caller/request-context.ts'
import type { Session } from '../caller/session.ts'
import { statement } from '../database/connect.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { enter, entered } from '../identity/entrance.ts'
import {
  findLogin,
  forgetCredentials,
  type Login,
  lockLogin,
  setPasswordByLink,
} from '../identity/first-proof.ts'
import { KNOWN } from '../identity/hashing-turns.ts'
import { findPerson } from '../identity/known-person.ts'
import { signInFirst } from '../identity/mailed-sign-in.ts'
import { lockMembers } from '../identity/member-lock.ts'
import { type Link, linkInvalid, peekLink, useLink } from '../identity/one-time-links.ts'
import {
  hashNewPassword,
  isPassword,
  knownOf,
  password as newPassword,
  refuseGuessable,
} from '../identity/passwords.ts'
import { rotateSession } from '../identity/sessions.ts'
import { countPassword, WRONG_PASSWORD } from '../identity/sign-in.ts'
import { forgetAttempts } from '../identity/sign-in-rate-limiter.ts'
import { audit, movedBetween } from '../journal/audit.ts'
import { operation, type Parts } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { linkMember } from './link-people.ts'
import { MEMBER_FIELDS } from './members.ts'

/**
 * Accepting an invitation.
 *
 * Whoever adds an e-mail says nothing about whose it is, and a link may pass through other hands. So a link
 * alone never opens a login that somebody uses: it asks for the password they have, or for a session of
 * theirs. It lets choose a password only where it went to the mailbox and nobody has shown before that the
 * mailbox is theirs (first-proof.ts), or where nobody has ever got in by that login.
 */
const token = z.string().min(1).max(100)

export const getInvitation = operation({
  name: 'getInvitation',
  title: 'Read what an invitation is for',
  by: 'anybody',
  input: z.strictObject({ token }),
  output: z.object({
    email: z.string(),
    organizationName: z.string(),
    name: z.string(),
    hasPassword: z
      .boolean()
      .nullable()
      .describe(
        'Whether it asks for the password they have, or for a new one; null where the link was handed over, as whoever made it learns nothing of the person',
      ),
  }),
  run: async ({ parts }, { token }) => {
    const { login, member, byMail, choosesPassword } = await read(parts, token)
    const { organizationName, name } = member
    const hasPassword = byMail ? !choosesPassword : null
    return { body: { email: login.email, organizationName, name, hasPassword } }
  },
})

export const acceptInvitation = operation({
  name: 'acceptInvitation',
  title: 'Accept an invitation',
  by: 'anybody',
  input: z.strictObject({
    token,
    name: MEMBER_FIELDS.name.optional(),
    /** A new one, or theirs; who is signed in already needs none. */
    password: z.string().min(1).max(256).optional(),
  }),
  output: entered,
  run: async ({ parts, requestContext, session }, { token, name, password }) => {
    const invited = await read(parts, token)
    const own = !invited.choosesPassword && isOwn(session, invited) ? session : null
    if (!invited.byMail && !own) chosen(password)
    const chosenBy = [...(await wordsOf(parts, invited)), name ?? '']
    // A link that was handed over tells nobody whether they are known: whatever is not their password is counted and
    // judged as a new one would be.
    if (!own && (!invited.choosesPassword || !invited.byMail))
      await confirmPassword(parts, requestContext, invited, password, chosenBy)
    const hash = invited.choosesPassword
      ? await hashNewPassword(chosen(password), chosenBy, 'password')
      : null
    await accept(parts, requestContext, token, { invited, hash, name, own })
    const { accountId, organizationId } = invited
    if (own)
      return {
        body: { state: 'signed_in' as const },
        isSameSession: true as const,
        cookies: await rotateSession(parts, own, { organizationId }),
      }
    const method = hash === null ? 'password' : 'link'
    return enter(parts, requestContext, { accountId, organizationId, method }, session)
  },
})

interface Invited {
  readonly accountId: string
  readonly organizationId: string
  readonly login: Login
  readonly member: { readonly name: string; readonly organizationName: string }
  /** Whether the link went to the mailbox alone. One that was handed over tells nobody whether they are known. */
  readonly byMail: boolean
  /** Whether the link alone lets them choose a password. */
  readonly choosesPassword: boolean
}

/** @throws {Refusal} `link_invalid`, also where there is nothing to accept any more */
async function read(parts: Parts, token: string): Promise<Invited> {
  const link = await peekLink(parts, 'invitation', token)
  const { accountId, organizationId } = link
  if (accountId === null || organizationId === null) throw linkInvalid('invitation')
  const { gate } = parts.database
  const [logins, members] = await Promise.all([
    gate.query<Login & object>(findLogin(accountId)),
    gate.query<Invited['member']>(findMember(organizationId, accountId)),
  ])
  const [login, member] = [logins.rows[0], members.rows[0]]
  if (!login || !member) throw linkInvalid('invitation')
  // A password may have come from somebody who used the link since it was looked at: then it is no more.
  if (login.passwordHash !== null) await peekLink(parts, 'invitation', token)
  return {
    accountId,
    organizationId,
    login,
    member,
    byMail: link.byMail,
    choosesPassword: choosesPassword(link, login),
  }
}

const choosesPassword = ({ byMail }: Link, { isProven, isUsed, passwordHash }: Login): boolean =>
  byMail ? !isProven : passwordHash === null && !isUsed

function chosen(password: string | undefined): string {
  const parsed = newPassword.safeParse(password ?? '')
  if (!parsed.success) throw invalid({ path: 'password', message: parsed.error.issues[0]!.message })
  return parsed.data
}

/**
 * The words that a password is not made of. Where the link was handed over, they are those that whoever made it knows:
 * what else the person is called, and where, would show in what is refused.
 */
function wordsOf(parts: Parts, { accountId, login, member, byMail }: Invited): Promise<string[]> {
  return byMail
    ? knownOf(parts.database, accountId)
    : Promise.resolve([login.email, member.name, member.organizationName])
}

/** A session through the sign-in of one organization vouches for nothing elsewhere. */
const isOwn = (session: Session | null, { accountId }: Invited): boolean =>
  session !== null && session.accountId === accountId && session.providerId === null

/** Counted as signing in is: whoever has a link must not get to guess. */
async function confirmPassword(
  parts: Parts,
  requestContext: RequestContext,
  { login, byMail, choosesPassword }: Invited,
  password: string | undefined,
  known: readonly string[],
): Promise<void> {
  if (password === undefined)
    throw invalid({ path: 'password', message: 'required: the one you sign in with, or sign in first' })
  const { isWave, isOwn } = await countPassword(parts, requestContext, login.email)
  if (isWave && parts.mail) throw signInFirst()
  const turn = isOwn ? KNOWN : { strangerAt: login.email.toLowerCase() }
  if (!(await isPassword(password, login.passwordHash, turn))) {
    if (!byMail) await refuseGuessable(password, known, 'password')
    if (choosesPassword) return forgetAttempts(parts, 'password', login.email, requestContext)
    const person = await findPerson(parts, login.email)
    if (person) parts.signIns.note(requestContext, person, WRONG_PASSWORD)
    throw new Refusal(
      'sign_in_failed',
      'This is not the password you sign in with: give that one, or choose a new one on the sign-in page first.',
    )
  }
  await forgetAttempts(parts, 'password', login.email, requestContext)
}

interface Acceptance {
  readonly invited: Invited
  /** Of a password that was chosen. */
  readonly hash: string | null
  readonly name: string | undefined
  /** The session that speaks for the person. */
  readonly own: Session | null
}

/** Uses the link up and lets the person in, if what was found without a lock still stands. */
async function accept(
  parts: Parts,
  requestContext: RequestContext,
  token: string,
  { invited, hash, name = invited.member.name, own }: Acceptance,
): Promise<void> {
  const { accountId, organizationId } = invited
  await transaction(parts.database.tenant, organizationId, async (tx) => {
    await lockMembers(tx)
    const login = await lockLogin(tx, accountId)
    const link = await useLink(parts, tx, 'invitation', token)
    if (!login) throw linkInvalid('invitation')
    if (choosesPassword(link, login) !== (hash !== null) || login.passwordHash !== invited.login.passwordHash)
      throw movedOn()
    if (own && !(await isAlive(tx, own))) throw movedOn()
    if (hash !== null) {
      await forgetCredentials(tx, accountId)
      setPasswordByLink(tx, accountId, hash, link.byMail)
    }
    const [member] = await tx.read<Joined>(join(organizationId, accountId, name))
    if (!member) throw linkInvalid('invitation')
    const credential = { type: 'session', id: own?.id ?? '', name } as const
    audit(
      tx,
      { ...requestContext, ...member, organizationId, accountId, credential, granted: new Set() },
      {
        time: member.time,
        action: 'user.accept_invitation',
        subject: { type: 'user', id: member.userId, title: name },
        changes: movedBetween(
          ['name', 'status'],
          { name: invited.member.name, status: 'invited' },
          { name, status: 'active' },
        ),
        reason: link.byMail ? 'a link by mail' : 'a link that was handed over',
      },
    )
    await linkMember(parts, tx, member.userId)
  })
}

const movedOn = () =>
  new Refusal('conflict', 'How you sign in was changed at the same moment: open the link again.')

async function isAlive(tx: Transaction, { id, accountId }: Session): Promise<boolean> {
  return (await tx.readAsGate(alive(id, accountId))).length > 0
}

interface Joined {
  userId: string
  time: string
  role: Session['role']
  limitedView: Session['limitedView']
  features: Record<string, boolean>
}

const findMember = statement(`
  select m.name, o.name as "organizationName"
    from members m join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and m.account_id = $2 and m.status = 'invited' and o.status = 'active'`)

const alive = statement('select from sessions where id = $1 and user_id = $2')

const join = statement(`
  update members m
     set status = 'active', name = $3, version = m.version + 1,
         updated_at = greatest(clock_now(), m.updated_at + interval '1 millisecond')
    from organizations o
   where m.organization_id = $1 and m.account_id = $2 and m.status = 'invited' and o.id = m.organization_id
     and o.status = 'active'
  returning m.updated_at as time, m.user_id as "userId", m.role,
    m.limited_view as "limitedView", o.features`)
