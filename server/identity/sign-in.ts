import { z } from 'zod'
import type { RequestContext } from '../caller/request-context.ts'
import { startJobAlone } from '../jobs/start-job.ts'
import { operation, type Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { enter, entered } from './entrance.ts'
import { KNOWN } from './hashing-turns.ts'
import { findPerson, homeOf, type KnownPerson } from './known-person.ts'
import { mailed, mailSignInLink } from './mailed-sign-in.ts'
import { isPassword } from './passwords.ts'
import { email } from './people.ts'
import { type Counted, countAttempt, forgetAttempts, isUnderWave } from './sign-in-rate-limiter.ts'

/**
 * Signing in with e-mail and password.
 *
 * An attempt is counted before anything is done for it. Then a password is hashed whether the e-mail is known
 * or not, and every failure has the same words: neither the answer nor its time tells who is known here. Who
 * has a second factor gets no session yet, but a ticket for the second step (entrance.ts). While strangers guess
 * at an account, the way in for one of them leads through the mailbox (sign-in-rate-limiter.ts has the reasons).
 */
export const signIn = operation({
  name: 'signIn',
  title: 'Sign in with e-mail and password',
  by: 'anybody',
  input: z.strictObject({ email, password: z.string().min(1).max(256) }),
  output: z.union([...entered.options, mailed]),
  run: async ({ parts, requestContext, session }, { email, password }) => {
    const { isWave, isOwn } = await countPassword(parts, requestContext, email)
    const person = await findPerson(parts, email)
    const isRight = await isPassword(
      password,
      person?.passwordHash ?? null,
      isOwn ? KNOWN : { strangerAt: email.toLowerCase() },
    )
    if (!isRight)
      parts.signIns.note(
        requestContext,
        person ?? { typed: email },
        person ? WRONG_PASSWORD : UNKNOWN_ACCOUNT,
      )
    if (parts.mail && (await goesByMail(parts, person, isRight, { isWave, isOwn }))) {
      if (isRight && person) {
        parts.signIns.note(requestContext, person, ASKED_FOR_LINK)
        // Nobody learns from the time that it takes whether the password was right.
        parts.jobs.behind(startJobAlone(parts, mailSignInLink, { id: person.id, email: person.email }))
      }
      return { body: { state: 'mailed' as const } }
    }
    if (!isRight || !person) throw notRight()
    await forgetAttempts(parts, 'password', email, requestContext)
    const proved = { accountId: person.id, organizationId: homeOf(person), method: 'password' } as const
    const by = person.passwordHash === null ? {} : { passwordHash: person.passwordHash }
    return enter(parts, requestContext, { ...proved, ...by }, session)
  },
})

/**
 * Counts a try of a password, and tells of what it is refused for and of the wave that it begins.
 * @throws {Refusal} `rate_limited`
 */
export async function countPassword(
  parts: Parts,
  requestContext: RequestContext,
  email: string,
): Promise<Counted> {
  const concerned = async () => (await findPerson(parts, email)) ?? { typed: email }
  try {
    const counted = await countAttempt(parts, 'password', email, requestContext)
    if (counted.beginsWave) parts.signIns.wave(requestContext, await concerned())
    return counted
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limited')
      parts.signIns.note(requestContext, await concerned(), TOO_MANY)
    throw error
  }
}

/**
 * Whether a sign-in is to be finished by mail. In a wave of passwords everybody hears so, whether theirs was right
 * or not, but for who goes on to a second factor; and in a wave of codes, those who would go on to one.
 */
async function goesByMail(
  parts: Parts,
  person: KnownPerson | null,
  isRight: boolean,
  { isWave, isOwn }: Pick<Counted, 'isWave' | 'isOwn'>,
): Promise<boolean> {
  if (isOwn) return false
  if (isRight && person?.hasSecondFactor) return isUnderWave(parts, 'second_factor', person.id)
  return isWave
}

export const WRONG_PASSWORD = {
  action: 'session.begin',
  outcome: 'failed',
  reason: 'wrong_password',
} as const
/** Only ever told to the operators: who signs in hears the same of both. */
const UNKNOWN_ACCOUNT = { action: 'session.begin', outcome: 'failed', reason: 'unknown_account' } as const
const TOO_MANY = { action: 'session.begin', outcome: 'denied', reason: 'too_many_attempts' } as const
const ASKED_FOR_LINK = { action: 'user.request_sign_in_link', outcome: 'success', reason: null } as const

const notRight = () =>
  new Refusal('sign_in_failed', 'E-mail or password is not right: check both, or choose a new password.')
