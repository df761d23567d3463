import type { RequestContext } from '../../caller/request-context.ts'
import { statement } from '../../database/connect.ts'
import { type Transaction, transaction } from '../../database/transaction.ts'
import { entryOfStranger, insertEntry } from '../../journal/audit.ts'
import type { Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { findPersonById, type KnownPerson } from '../known-person.ts'
import type { AuthenticationAnswer } from './passkey-answers.ts'
import { isChallengeOf, type WaitingCeremony } from './passkey-ceremonies.ts'
import { relyingParty, webauthn } from './passkey-party.ts'

/** A passkey that has just answered, and whose it is; what is left is to count it. */
export interface PasskeyProof {
  readonly person: KnownPerson
  readonly passkeyId: string
  readonly counter: number
  readonly backedUp: boolean
}

/**
 * Verifies an authenticator's answer against its ceremony (WebAuthn 3, 7.2): challenge, origin, relying party,
 * signature, that the person was verified, and that the passkey is of the person whose answer is awaited.
 * @throws {Refusal} `sign_in_failed`, the same for whatever is wrong
 */
export async function provePasskey(
  parts: Parts,
  requestContext: RequestContext,
  waiting: WaitingCeremony,
  answer: AuthenticationAnswer,
): Promise<PasskeyProof> {
  const { rows } = await parts.database.gate.query<Kept>(find(answer.id))
  const kept = rows[0]
  const person = kept && (await findPersonById(parts, kept.userId))
  if (!kept || !person) throw notAccepted()
  const proof = await holdAnswer(parts, waiting, kept, answer)
  if (!proof) {
    parts.signIns.note(requestContext, person, NOT_ACCEPTED)
    throw notAccepted()
  }
  return { person, passkeyId: kept.id, ...proof }
}

/**
 * Counts a use. An authenticator that counts at all counts upwards: a number that was there already says that
 * there are two of it. It is asked in the statement that counts, so that two at once are seen too.
 * @returns false for such a one; noteCopy then tells of it
 */
export async function countPasskeyUse(tx: Transaction, proof: PasskeyProof): Promise<boolean> {
  return (await tx.readAsGate(count(proof.passkeyId, proof.counter, proof.backedUp))).length > 0
}

/**
 * Notes in the audit log that there seem to be two of a passkey.
 * @returns the refusal to throw
 */
export async function noteCopy(
  parts: Parts,
  requestContext: RequestContext,
  { person }: PasskeyProof,
): Promise<Refusal> {
  for (const { organizationId, userId } of person.memberOf)
    await transaction(parts.database.tenant, organizationId, async (tx) => {
      const event = {
        time: await tx.now,
        action: 'session.begin',
        outcome: 'denied',
        subject: { type: 'user', id: userId, title: person.email },
        reason: 'The counter of a passkey went back: there may be a copy of it.',
      } as const
      tx.write(insertEntry(...entryOfStranger(organizationId, requestContext, event)))
    })
  return notAccepted()
}

const NOT_ACCEPTED = { action: 'session.begin', outcome: 'failed', reason: 'passkey_not_accepted' } as const

export const notAccepted = (): Refusal =>
  new Refusal('sign_in_failed', 'This passkey was not accepted here: try again, or sign in another way.')

interface Kept {
  id: string
  userId: string
  publicKey: Buffer
}

async function holdAnswer(
  parts: Parts,
  waiting: WaitingCeremony,
  kept: Kept,
  answer: AuthenticationAnswer,
): Promise<{ counter: number; backedUp: boolean } | null> {
  const { userHandle, ...response } = answer.response
  const isNamed = userHandle !== null && userHandle !== undefined
  if (waiting.userId === null ? !isNamed : waiting.userId !== kept.userId) return null
  if (isNamed && Buffer.from(userHandle, 'base64url').toString() !== kept.userId) return null
  const { id, origin } = relyingParty(parts.config)
  // What the library throws is always of the answer: all it is given besides is ours and well-formed.
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await verifyAuthenticationResponse({
    response: { ...answer, response, clientExtensionResults: {} },
    expectedChallenge: isChallengeOf(parts, waiting),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    // None is held here, but after the signature (countPasskeyUse): only the key itself may raise the alarm.
    credential: { id: answer.id, publicKey: Uint8Array.from(kept.publicKey), counter: 0 },
  }).catch(() => null)
  if (!verified?.verified) return null
  const { newCounter: counter, credentialBackedUp: backedUp } = verified.authenticationInfo
  return { counter, backedUp }
}

const find = statement(
  'select id, user_id as "userId", public_key as "publicKey" from passkeys where credential_id = $1',
)

const count = statement(`
  update passkeys set counter = $2, backed_up = $3, last_used_at = clock_now()
   where id = $1 and ($2 > counter or ($2 = 0 and counter = 0))
  returning id`)
