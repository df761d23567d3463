import { z } from 'zod'
import { gateTransaction } from '../database/transaction.ts'
import { jobKind } from '../jobs/job-kind.ts'
import { MAILS, mailNow } from '../jobs/send-mail.ts'
import { signInMail } from '../mail/messages.ts'
import { operation } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { enter, entered } from './entrance.ts'
import { findPersonById, homeOf } from './known-person.ts'
import { linkInvalid, makeLink, peekLink, useLink } from './one-time-links.ts'
import { countSignInMail, forgetAttempts, forgetMails, takeBackMail } from './sign-in-rate-limiter.ts'

/**
 * The way in through the mailbox, while strangers guess at an account (sign-in-rate-limiter.ts): the password was
 * right, and a link shows that it was the person who gave it. Links of the last hour stand beside each other, so that
 * whoever has the password cannot make the owner's worthless by asking for more.
 */
export const mailSignInLink = jobKind({
  ...MAILS,
  name: 'mailSignInLink',
  title: 'Mail a link to finish signing in',
  input: z.object({ id: z.string(), email: z.string() }),
  run: async ({ parts, input: { id, email } }) => {
    if (!(await countSignInMail(parts, email))) return undefined
    const { address, hours } = await gateTransaction(parts.database.tenant, async (tx) =>
      makeLink(parts, tx, { purpose: 'sign_in', accountId: id, byMail: true }),
    )
    const failed = await mailNow(parts, signInMail(email, { address, hours }))
    if (failed) await takeBackMail(parts, 'sign_in_mail', email)
    return failed
  },
})

export const signInByLink = operation({
  name: 'signInByLink',
  title: 'Finish signing in by a link from the mailbox',
  by: 'anybody',
  input: z.strictObject({ token: z.string().min(1).max(100) }),
  output: entered,
  run: async ({ parts, requestContext, session }, { token }) => {
    const { accountId } = await peekLink(parts, 'sign_in', token)
    const person = accountId === null ? null : await findPersonById(parts, accountId)
    if (!person?.passwordHash) throw linkInvalid('sign_in')
    const { id, email, passwordHash } = person
    const organizationId = homeOf(person)
    // A new password ends such links: one that comes in between is seen by the link or by the hash.
    await gateTransaction(parts.database.tenant, (tx) => useLink(parts, tx, 'sign_in', token))
    await forgetAttempts(parts, 'password', email, requestContext)
    await forgetMails(parts, email)
    return enter(
      parts,
      requestContext,
      { accountId: id, organizationId, method: 'link', passwordHash },
      session,
    )
  },
})

/** What a stranger is told in a wave, whether the password was right or not. */
export const mailed = z.object({
  state: z
    .literal('mailed')
    .describe('If the password was right, a link to finish signing in is in the mailbox'),
})

/** Where signing in cannot be finished by mail from here. */
export const signInFirst = () =>
  new Refusal(
    'sign_in_failed',
    'Many wrong passwords were tried for this account lately: sign in first, then open this link again.',
  )
