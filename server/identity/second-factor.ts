import { z } from 'zod'
import type { RequestContext } from '../caller/request-context.ts'
import { gateTransaction, type Transaction } from '../database/transaction.ts'
import { operation, type Parts } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { findPersonById } from './known-person.ts'
import { recoveryCode, takeRecoveryCode } from './second-factor/recovery-codes.ts'
import { takeTotpCode, totpCode } from './second-factor/totp.ts'
import { beginSession, type SecondFactor } from './sessions.ts'
import type { Attempt } from './sign-in/sign-in-limits.ts'
import { type Ticket, takeTicket, tryTicket } from './sign-in/sign-in-tickets.ts'
import { countAttempt, forgetAttempts } from './sign-in-rate-limiter.ts'

/**
 * The second step of signing in, by a code. What is used up (the ticket, and the code) goes in one transaction
 * that waits for the disk, so a code is taken once even by two at the same moment, and a ticket lets in once.
 */
export const signInSecondFactor = operation({
  name: 'signInSecondFactor',
  title: 'Sign in with a code, after the password',
  by: 'anybody',
  input: z.strictObject({
    ticket: z.string().min(1).max(100),
    code: totpCode.optional(),
    recoveryCode: recoveryCode.optional(),
  }),
  output: z.object({ state: z.literal('signed_in') }),
  run: async ({ parts, requestContext, session }, { ticket, ...given }) => {
    const code = oneCodeOf(given)
    const { accountId, organizationId, method, hash } = await tryTicket(parts, ticket)
    const attempt = attemptOf(code, method)
    await countCode(parts, requestContext, attempt, accountId)
    const secondFactor = await gateTransaction(parts.database.tenant, async (tx) => {
      const used = await takeCode(parts, tx, accountId, code)
      if (used) await takeTicket(tx, hash)
      return used
    })
    if (!secondFactor) {
      const person = await findPersonById(parts, accountId)
      if (person) parts.signIns.note(requestContext, person, WRONG_CODE)
      throw new Refusal('sign_in_failed', 'This code is not right, or was used already: try the next one.')
    }
    await forgetAttempts(parts, attempt, accountId, requestContext)
    const entrance = { accountId, organizationId, method, secondFactor }
    return {
      body: { state: 'signed_in' as const },
      cookies: { session: await beginSession(parts, requestContext, entrance, session) },
    }
  },
})

/** Which budget a code is counted in: codes that anybody with the password may try have one of their own. */
function attemptOf(code: GivenCode, method: Ticket['method']): Attempt {
  if ('recovery' in code) return 'recovery_code'
  return method === 'link' ? 'second_factor_by_link' : 'second_factor'
}

/** @throws {Refusal} `rate_limited`; for a stranger also where others have tried too many codes */
async function countCode(
  parts: Parts,
  requestContext: RequestContext,
  attempt: Attempt,
  accountId: string,
): Promise<void> {
  const person = async () => (await findPersonById(parts, accountId)) ?? { typed: accountId }
  try {
    const { isWave, beginsWave, retryAfter } = await countAttempt(parts, attempt, accountId, requestContext)
    if (beginsWave) parts.signIns.wave(requestContext, await person())
    if (isWave)
      throw new Refusal(
        'rate_limited',
        'Too many codes were tried for this account: use a recovery code or a passkey, or begin again with your password.',
        { retryAfter },
      )
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limited')
      parts.signIns.note(requestContext, await person(), TOO_MANY)
    throw error
  }
}

const WRONG_CODE = { action: 'session.begin', outcome: 'failed', reason: 'wrong_code' } as const
const TOO_MANY = { action: 'session.begin', outcome: 'denied', reason: 'too_many_attempts' } as const

/** What somebody gives as the second factor, where it is no passkey. */
export type GivenCode = { totp: string } | { recovery: string }

/** @throws {Refusal} `validation_failed` unless it is one of the two */
export function oneCodeOf({
  code,
  recoveryCode,
}: {
  code?: string | undefined
  recoveryCode?: string | undefined
}): GivenCode {
  if (code !== undefined && recoveryCode === undefined) return { totp: code }
  if (recoveryCode !== undefined && code === undefined) return { recovery: recoveryCode }
  throw invalid({ path: 'code', message: 'give a code of the authenticator app, or a recovery code' })
}

/** Uses a code up. @returns what it was, or null where it was not right */
export async function takeCode(
  parts: Parts,
  tx: Transaction,
  accountId: string,
  given: GivenCode,
): Promise<SecondFactor | null> {
  if ('totp' in given) return (await takeTotpCode(parts, tx, accountId, given.totp)) ? 'totp' : null
  return (await takeRecoveryCode(parts, tx, accountId, given.recovery)) ? 'recovery_code' : null
}
