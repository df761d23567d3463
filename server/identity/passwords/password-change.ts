import { z } from 'zod'
import { refuseUnconfirmedIdentity } from '../../caller/identity-requirements.ts'
import { callerOfSession } from '../../caller/session.ts'
import { statement } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { audit, entry } from '../../journal/audit.ts'
import { anySession, operation } from '../../operation.ts'
import { invalid, Refusal } from '../../refusal.ts'
import { KNOWN } from '../hashing-turns.ts'
import { findPerson } from '../known-person.ts'
import { hashNewPassword, isPassword, knownOf, password } from '../passwords.ts'
import { endOthers, rotateSession } from '../sessions.ts'
import { countAttempt, forgetAttempts } from '../sign-in-rate-limiter.ts'
import { ALSO_ENDED, revokePrograms } from './revoke-programs.ts'

/**
 * A new password of one's own; every other session of the person ends with the old one, and apps and keys where they
 * ask for it. It counts as having just proved who one is: so where there is a second factor, that has been proved
 * before (confirmIdentity).
 *
 * It is open to who has yet to set up the second factor that the organization asks for. A thief of the password could
 * set up one of their own and then change it, so to wait for the factor would keep no thief out; it would keep the
 * owner from replacing a password that has leaked.
 */
export const changePassword = operation({
  name: 'changePassword',
  title: 'Change your password',
  by: 'session',
  needs: anySession(),
  input: z.strictObject({
    currentPassword: z.string().min(1).max(256),
    newPassword: password,
    ...ALSO_ENDED,
  }),
  output: z.object({}),
  run: async ({ parts, requestContext, session }, { currentPassword, newPassword, ...also }) => {
    if (session.providerId)
      throw new Refusal(
        'identity_unconfirmed',
        'You came in through the sign-in of your organization: sign in with your own password to change it.',
        { provider: true },
      )
    const caller = callerOfSession(session, requestContext)
    const person = await findPerson(parts, session.email)
    if (person?.hasSecondFactor) refuseUnconfirmedIdentity(caller)
    const trier = { ...requestContext, sessionId: session.id }
    await countAttempt(parts, 'password', session.email, trier)
    if (!(await isPassword(currentPassword, person?.passwordHash ?? null, KNOWN)))
      throw invalid({ path: 'currentPassword', message: 'this is not your password: type it again' })
    await forgetAttempts(parts, 'password', session.email, trier)
    const known = await knownOf(parts.database, session.accountId)
    const hash = await hashNewPassword(newPassword, known, 'newPassword')
    await transaction(parts.database.tenant, session.organizationId, async (tx) => {
      tx.writeAsGate(setPassword(session.accountId, hash))
      tx.writeAsGate(endOthers(session.accountId, session.id))
      await revokePrograms(tx, session.accountId, also, (member, event) =>
        entry({ ...caller, ...member }, event),
      )
      audit(tx, caller, {
        time: await tx.now,
        action: 'user.change_password',
        subject: { type: 'user', id: session.userId, title: session.name },
      })
    })
    return { body: {}, cookies: await rotateSession(parts, session, { authenticated: true }) }
  },
})

export const setPassword = statement('update users set password_hash = $2 where id = $1')
