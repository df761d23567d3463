import { z } from 'zod'
import type { Session } from '../../caller/session.ts'
import { gateTransaction } from '../../database/transaction.ts'
import { anySession, type BrowserContext, operation } from '../../operation.ts'
import { invalid, Refusal } from '../../refusal.ts'
import { findPerson } from '../known-person.ts'
import { authenticationAnswer, ceremony, ceremonyBegun } from '../passkeys/passkey-answers.ts'
import { takeCeremony } from '../passkeys/passkey-ceremonies.ts'
import { countPasskeyUse, noteCopy, provePasskey } from '../passkeys/passkey-proof.ts'
import { askForPasskey } from '../passkeys/passkey-sign-in.ts'
import { isPassword } from '../passwords.ts'
import { recoveryCode } from '../second-factor/recovery-codes.ts'
import { totpCode } from '../second-factor/totp.ts'
import { oneCodeOf, takeCode } from '../second-factor.ts'
import { rotateSession } from '../sessions.ts'
import type { SignInEvent } from '../sign-in-events.ts'
import { countAttempt, forgetAttempts } from '../sign-in-rate-limiter.ts'
import type { Attempt } from './sign-in-limits.ts'
import { secondFactorsOf } from './sign-in-methods.ts'

/**
 * Proving once more who one is, for what asks for somebody who has just done so: by all that signing in would
 * ask. The password alone is not enough where there is a second factor, or a session that was taken over and
 * a password that leaked would together take the second factor away.
 */
export const confirmIdentity = operation({
  name: 'confirmIdentity',
  title: 'Prove once more who you are',
  by: 'session',
  needs: anySession(),
  input: z.strictObject({
    password: z.string().min(1).max(256).optional(),
    code: totpCode.optional(),
    recoveryCode: recoveryCode.optional(),
    ceremony: ceremony.optional(),
    response: authenticationAnswer.optional(),
  }),
  output: z.object({}),
  run: async (context, { ceremony, response, ...given }) => {
    const { parts, session } = context
    refuseVouchedFor(session)
    if (ceremony !== undefined && response !== undefined)
      await confirmByPasskey(context, { ceremony, response })
    else await confirmByPassword(context, given)
    return { body: {}, cookies: await rotateSession(parts, session, { authenticated: true }) }
  },
})

/** For confirmIdentity by a passkey of the person who is signed in. */
export const beginPasskeyConfirmation = operation({
  name: 'beginPasskeyConfirmation',
  title: 'Begin to prove by a passkey who you are',
  by: 'session',
  needs: anySession(),
  input: z.strictObject({}),
  output: ceremonyBegun,
  run: async ({ parts, session }) => {
    refuseVouchedFor(session)
    const asked = { purpose: 'confirm', userId: session.accountId, ticketHash: null } as const
    return { body: await askForPasskey(parts, asked) }
  },
})

async function confirmByPasskey(
  { parts, requestContext, session }: BrowserContext<'session'>,
  { ceremony, response }: { ceremony: string; response: z.output<typeof authenticationAnswer> },
): Promise<void> {
  const waiting = await takeCeremony(parts, ['confirm'], ceremony)
  if (waiting.userId !== session.accountId) throw notYou()
  const proof = await provePasskey(parts, requestContext, waiting, response)
  const isCounted = await gateTransaction(parts.database.tenant, (tx) => countPasskeyUse(tx, proof))
  if (!isCounted) throw await noteCopy(parts, requestContext, proof)
}

async function confirmByPassword(
  { parts, requestContext, session }: BrowserContext<'session'>,
  given: { password?: string | undefined; code?: string | undefined; recoveryCode?: string | undefined },
): Promise<void> {
  const { accountId: userId, email } = session
  const { password } = given
  if (password === undefined) throw invalid({ path: 'password', message: 'give your password, or a passkey' })
  const methods = await secondFactorsOf(parts, userId)
  if (methods.length > 0 && given.code === undefined && given.recoveryCode === undefined)
    throw new Refusal(
      'identity_unconfirmed',
      'You have a second factor: give a code beside the password, or use a passkey.',
      { methods },
    )
  const trier = { ...requestContext, sessionId: session.id }
  const note = (event: Pick<SignInEvent, 'outcome' | 'reason'>) =>
    person && parts.signIns.note(requestContext, person, { action: 'session.confirm', ...event })
  const person = await findPerson(parts, email)
  const counted = (attempt: Attempt, account: string) =>
    countAttempt(parts, attempt, account, trier).catch((error) => {
      if (error instanceof Refusal) note({ outcome: 'denied', reason: 'too_many_attempts' })
      throw error
    })
  await counted('password', email)
  if (!(await isPassword(password, person?.passwordHash ?? null))) {
    note({ outcome: 'failed', reason: 'wrong_password' })
    throw notYou()
  }
  if (methods.length > 0) {
    const code = oneCodeOf(given)
    await counted('second_factor', userId)
    const used = await gateTransaction(parts.database.tenant, (tx) => takeCode(parts, tx, userId, code))
    if (!used) {
      note({ outcome: 'failed', reason: 'wrong_code' })
      throw notYou()
    }
    await forgetAttempts(parts, 'second_factor', userId, trier)
  }
  await forgetAttempts(parts, 'password', email, trier)
}

function refuseVouchedFor({ providerId }: Session): void {
  if (providerId)
    throw new Refusal(
      'sign_in_failed',
      'You came in through the sign-in of your organization: sign in with your own password or passkey for this.',
    )
}

const notYou = () =>
  new Refusal('sign_in_failed', 'This is not your password, or not the current code: try again.')
