import { z } from 'zod'
import type { Channel } from '../../../model/channel.ts'
import type { RequestContext } from '../../caller/request-context.ts'
import { statement } from '../../database/connect.ts'
import { gateTransaction, type Transaction } from '../../database/transaction.ts'
import { jobKind } from '../../jobs/job-kind.ts'
import { MAILS, mailNow, sendMail } from '../../jobs/send-mail.ts'
import { startJobAlone, startJobOfNone } from '../../jobs/start-job.ts'
import { type AuditEvent, entryOfStranger, insertEntry } from '../../journal/audit.ts'
import { passwordChangedMail, passwordResetMail } from '../../mail/messages.ts'
import { operation } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { findLogin, forgetCredentials, type Login, lockLogin, setPasswordByLink } from '../first-proof.ts'
import { findPerson } from '../known-person.ts'
import { type Link, linkInvalid, makeLink, peekLink, useLink } from '../one-time-links.ts'
import { hashNewPassword, knownOf, password } from '../passwords.ts'
import { email } from '../people.ts'
import { endOthers } from '../sessions.ts'
import { countAttempt, forgetAttempts, forgetMails, takeBackMail } from '../sign-in-rate-limiter.ts'
import { ALSO_ENDED, revokePrograms } from './revoke-programs.ts'

/**
 * A new password for who has lost theirs, by a link: to their mailbox where the service sends mail, else from an
 * admin (password-reset-links.ts) or from the operator.
 *
 * It replaces the password and nothing else they prove: who has a second factor is still asked for it, since no
 * session is begun here; everybody signs in with the new password. It ends every session, because whoever had the
 * old password may have one; apps and keys where they ask for it.
 */
const token = z.string().min(1).max(100)

export const requestPasswordReset = operation({
  name: 'requestPasswordReset',
  title: 'Ask for a link to choose a new password',
  by: 'anybody',
  input: z.strictObject({ email }),
  output: z.object({}),
  run: async ({ parts, requestContext }, { email }) => {
    if (!parts.mail)
      throw new Refusal(
        'conflict',
        'This service sends no mail: ask an admin of your organization for a link.',
      )
    const concerned = async () => (await findPerson(parts, email)) ?? { typed: email }
    const { isWave } = await countAttempt(parts, 'mail', email, requestContext).catch(async (error) => {
      if (error instanceof Refusal) parts.signIns.note(requestContext, await concerned(), TOO_MANY)
      throw error
    })
    // A job for everybody, so the answer is the same and as fast. Where strangers have asked for many, no more are
    // sent for them: the links of the last hour are in the mailbox, and each is still good.
    const { devices: _devices, ...from } = requestContext
    const asked = { email, isWave, requestContext: from }
    if ((await startJobAlone(parts, mailPasswordReset, asked)) === null)
      await takeBackMail(parts, 'mail', email)
    return { body: {} }
  },
})

export const getPasswordReset = operation({
  name: 'getPasswordReset',
  title: 'Read whose password a link is for',
  by: 'anybody',
  input: z.strictObject({ token }),
  output: z.object({ email: z.string() }),
  run: async ({ parts }, { token }) => {
    const link = await peekLink(parts, 'password_reset', token)
    const { rows } = await parts.database.gate.query<Login>(findLogin(accountOf(link)))
    return { body: { email: loginOf(link, rows[0]).email } }
  },
})

export const resetPassword = operation({
  name: 'resetPassword',
  title: 'Choose a new password',
  by: 'anybody',
  input: z.strictObject({ token, password, ...ALSO_ENDED }),
  output: z.object({ state: z.literal('sign_in') }),
  run: async ({ parts, requestContext }, { token, password, ...also }) => {
    const link = await peekLink(parts, 'password_reset', token) // before a password is hashed for it
    const known = await knownOf(parts.database, accountOf(link))
    const hash = await hashNewPassword(password, known, 'password')
    const { email } = await gateTransaction(parts.database.tenant, async (tx) => {
      const found = await lockLogin(tx, accountOf(link))
      const login = loginOf(await useLink(parts, tx, 'password_reset', token), found)
      const isAnew = await replacePassword(tx, link, login, hash)
      await revokePrograms(tx, accountOf(link), also, ({ organizationId }, event) =>
        entryOfStranger(organizationId, requestContext, event),
      )
      await note(tx, requestContext, link, login, isAnew)
      if (parts.mail) await startJobOfNone(parts, tx, sendMail, passwordChangedMail(login.email))
      return login
    })
    await forgetAttempts(parts, 'password', email, requestContext)
    await forgetMails(parts, email)
    return { body: { state: 'sign_in' as const } }
  },
})

const ASKED = { action: 'user.request_password_reset', outcome: 'success', reason: null } as const
const LEFT_OUT = { ...ASKED, outcome: 'denied', reason: 'too_many_mails' } as const
const TOO_MANY = { ...ASKED, outcome: 'denied', reason: 'too_many_attempts' } as const

/** There is no mail for whom nobody knows. */
export const mailPasswordReset = jobKind({
  ...MAILS,
  name: 'mailPasswordReset',
  title: 'Mail a link to choose a new password',
  input: z.object({
    email: z.string(),
    isWave: z.boolean(),
    requestContext: z.object({
      channel: z.custom<Channel>(),
      requestId: z.string(),
      ip: z.string().exactOptional(),
      userAgent: z.string().exactOptional(),
    }),
  }),
  run: async ({ parts, input: { email: asked, isWave, requestContext } }) => {
    const person = await findPerson(parts, asked)
    parts.signIns.note(requestContext, person ?? { typed: asked }, isWave ? LEFT_OUT : ASKED)
    if (isWave || !person) return undefined
    const { address, hours } = await gateTransaction(parts.database.tenant, async (tx) =>
      makeLink(parts, tx, { purpose: 'password_reset', accountId: person.id, byMail: true }),
    )
    const failed = await mailNow(parts, passwordResetMail(person.email, { address, hours }))
    if (failed) await takeBackMail(parts, 'mail', asked)
    return failed
  },
})

function accountOf({ accountId }: Link): string {
  if (accountId === null) throw linkInvalid('password_reset')
  return accountId
}

/**
 * The login that a link is for. One that an admin made is worth nothing as soon as the login opens another
 * organization: theirs was never the admin's to give.
 * @throws {Refusal} `link_invalid`
 */
function loginOf({ organizationId }: Link, login: Login | null | undefined): Login {
  const isForeign = (one: string) => organizationId !== null && one !== organizationId
  if (!login || login.organizations.some(isForeign)) throw linkInvalid('password_reset')
  return login
}

/**
 * What nobody has shown to be theirs goes with the first proof of the mailbox, or the word of the operator.
 * @returns whether it went
 */
async function replacePassword(
  tx: Transaction,
  { accountId, organizationId, byMail }: Link,
  login: Login,
  hash: string,
): Promise<boolean> {
  const isFirstProof = !login.isProven && (byMail || organizationId === null)
  if (isFirstProof) await forgetCredentials(tx, accountId!)
  else tx.writeAsGate(endOthers(accountId, null))
  setPasswordByLink(tx, accountId!, hash, byMail)
  return isFirstProof
}

/** In the log of every organization that the login opens. */
async function note(
  tx: Transaction,
  requestContext: RequestContext,
  { accountId, byMail }: Link,
  login: Login,
  isAnew: boolean,
): Promise<void> {
  const way = byMail ? 'a link by mail' : 'a link that was handed over'
  const time = await tx.now
  const reason = isAnew ? `${way}; second factors and connected apps are gone` : way
  const members = await tx.readAsGate<{ organizationId: string; userId: string }>(joinedOf(accountId!))
  for (const { organizationId, userId } of members) {
    const subject = { type: 'user', id: userId, title: login.email }
    const event: AuditEvent = { time, action: 'user.reset_password', subject, reason }
    tx.writeAsGate(insertEntry(...entryOfStranger(organizationId, requestContext, event)))
  }
}

const joinedOf = statement(`
  select organization_id as "organizationId", user_id as "userId" from members
   where account_id = $1 and status in ('active', 'disabled')`)
