import { z } from 'zod'
import { statement } from '../../database/connect.ts'
import { gateTransaction } from '../../database/transaction.ts'
import { operation, type Parts } from '../../operation.ts'
import { homeOf } from '../known-person.ts'
import { beginSession, type Entrance } from '../sessions.ts'
import { peekTicket, takeTicket } from '../sign-in/sign-in-tickets.ts'
import { authenticationAnswer, ceremony, ceremonyBegun } from './passkey-answers.ts'
import { CEREMONY_MINUTES, type Ceremony, newCeremony, takeCeremony } from './passkey-ceremonies.ts'
import { relyingParty, webauthn } from './passkey-party.ts'
import { countPasskeyUse, noteCopy, provePasskey } from './passkey-proof.ts'

/**
 * Signing in with a passkey, which stands for both factors: the device is had, and its person was verified by
 * it. Without a ticket the authenticator says who it is, so there is nothing to ask about who is known here.
 */
export const beginPasskeySignIn = operation({
  name: 'beginPasskeySignIn',
  title: 'Begin to sign in with a passkey',
  by: 'anybody',
  input: z.strictObject({ ticket: z.string().min(1).max(100).optional() }),
  output: ceremonyBegun,
  run: async ({ parts }, { ticket }) => {
    if (ticket === undefined)
      return { body: await askForPasskey(parts, { purpose: 'sign_in', userId: null, ticketHash: null }) }
    const { accountId: userId, hash: ticketHash } = await peekTicket(parts, ticket)
    return { body: await askForPasskey(parts, { purpose: 'second_factor', userId, ticketHash }) }
  },
})

export const signInWithPasskey = operation({
  name: 'signInWithPasskey',
  title: 'Sign in with a passkey',
  by: 'anybody',
  input: z.strictObject({ ceremony, response: authenticationAnswer }),
  output: z.object({ state: z.literal('signed_in') }),
  run: async ({ parts, requestContext, session }, { ceremony, response }) => {
    const waiting = await takeCeremony(parts, ['sign_in', 'second_factor'], ceremony)
    const proof = await provePasskey(parts, requestContext, waiting, response)
    const { ticketHash } = waiting
    const entrance = await gateTransaction(parts.database.tenant, async (tx): Promise<Entrance | null> => {
      if (!(await countPasskeyUse(tx, proof))) return null
      if (ticketHash) return { ...(await takeTicket(tx, ticketHash)), secondFactor: 'passkey' }
      return { accountId: proof.person.id, organizationId: homeOf(proof.person), method: 'passkey' }
    })
    if (!entrance) throw await noteCopy(parts, requestContext, proof)
    return {
      body: { state: 'signed_in' as const },
      cookies: { session: await beginSession(parts, requestContext, entrance, session) },
    }
  },
})

/** A challenge to answer; where it is known who is asked, with the passkeys they have. */
export async function askForPasskey(
  parts: Parts,
  ceremony: Ceremony,
): Promise<z.input<typeof ceremonyBegun>> {
  const begun = newCeremony(parts, ceremony)
  const own = ceremony.userId === null ? [] : (await parts.database.gate.query(listOwn(ceremony.userId))).rows
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(parts.config).id,
    challenge: begun.challenge,
    timeout: CEREMONY_MINUTES * 60_000,
    userVerification: 'required',
    allowCredentials: own,
  })
  await parts.database.gate.query(begun.keep)
  return { ceremony: begun.ceremony, options: { ...options } }
}

const listOwn = statement(
  'select credential_id as id, transports from passkeys where user_id = $1 order by created_at, id',
)
