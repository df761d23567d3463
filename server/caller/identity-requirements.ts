import type { Needs } from '../../model/needs.ts'
import { Refusal } from '../refusal.ts'
import type { Caller } from './caller.ts'

/**
 * What is asked of a person beyond their rights, for call() to judge: that they have just proved who they are, and
 * the second factor that their organization asks for.
 *
 * A session may lie open on a desk, or its cookie be in other hands. So whatever reaches beyond the person and
 * outlives the session (a key, an app, a role, a member, a way in, where signals are sent) is done by somebody who
 * signed in within the last quarter of an hour, or confirms it (confirmIdentity); and so is what is the person's own
 * in every organization, which whom a provider of one vouches for may not touch at all. Of a guest it asks that the
 * mailbox is theirs where the link was sent, since a link can be forwarded. An operation says it in its `needs`. Programs and the command line prove themselves otherwise, and are never asked.
 */
export const CONFIRMED_MINUTES = 15

/**
 * @param raw the input as it came: some operations ask only for some of it
 * @returns null, or the refusal: `second_factor_required`; `identity_unconfirmed`, with `provider` where it can not
 *   be confirmed in this session, and with `signIn` where signing in once more does it
 */
export function identityRefusal(needs: Needs, caller: Caller, raw: unknown): Refusal | null {
  const { credential } = caller
  if (credential.type === 'guest')
    return isAsked(needs, raw) && !credential.isConfirmed ? unconfirmedMailbox() : null
  if (credential.type !== 'session') return null
  if (credential.lacksSecondFactor && !needs.beforeSecondFactor) return secondFactorRequired()
  if (!isAsked(needs, raw)) return null
  return (needs.ownCredential && vouchedForRefusal(caller)) || unconfirmedRefusal(caller)
}

/**
 * Asks of what no operation does the same as of what one does: linking an identity, choosing a password, letting an
 * app in.
 * @throws {Refusal} `identity_unconfirmed`
 */
export function refuseUnconfirmedIdentity(caller: Caller): void {
  const refusal = unconfirmedRefusal(caller)
  if (refusal) throw refusal
}

/**
 * Keeps what a person has beyond one organization from whom the provider of an organization vouches for: its
 * admins say who that is.
 * @throws {Refusal} `identity_unconfirmed`, with `provider`
 */
export function refuseVouchedFor(caller: Caller): void {
  const refusal = vouchedForRefusal(caller)
  if (refusal) throw refusal
}

export const secondFactorRequired = (): Refusal =>
  new Refusal(
    'second_factor_required',
    'This organization asks everybody for a second factor: set up an authenticator app or a passkey, then go on.',
  )

const unconfirmedMailbox = (): Refusal =>
  new Refusal(
    'identity_unconfirmed',
    'This asks for proof that the mailbox is yours: have a code sent there, and give it.',
  )

function isAsked({ confirmed }: Needs, raw: unknown): boolean {
  if (confirmed === undefined || confirmed === true) return confirmed === true
  const given = Object.entries(typeof raw === 'object' && raw !== null ? raw : {})
  return confirmed.some((input) =>
    typeof input === 'string'
      ? given.some(([name]) => name === input)
      : given.some(([name, value]) => name === input.name && value !== input.unless),
  )
}

function unconfirmedRefusal({ credential }: Caller): Refusal | null {
  if (credential.type !== 'session' || credential.isConfirmed !== false) return null
  if (credential.providerId)
    return new Refusal(
      'identity_unconfirmed',
      `You came in more than ${CONFIRMED_MINUTES} minutes ago: sign in once more for this.`,
      { signIn: true },
    )
  return new Refusal(
    'identity_unconfirmed',
    `You proved who you are more than ${CONFIRMED_MINUTES} minutes ago: give your password once more.`,
  )
}

function vouchedForRefusal({ credential }: Caller): Refusal | null {
  if (credential.type !== 'session' || !credential.providerId) return null
  return new Refusal(
    'identity_unconfirmed',
    'You came in through the sign-in of your organization: sign in with your own password or passkey for this.',
    { provider: true },
  )
}
