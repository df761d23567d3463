import { randomBytes } from 'node:crypto'
import { type Query, statement } from '../../database/connect.ts'
import { gateTransaction } from '../../database/transaction.ts'
import type { Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'

/**
 * A ceremony is a challenge that waits for an authenticator's answer (WebAuthn 3, 13.4.3): ours, random, for
 * one purpose and (where it is known) one person, for five minutes. Whatever answer comes takes it away, the
 * wrong one as well, so none is ever given twice.
 */
export const CEREMONY_MINUTES = 5

export type CeremonyPurpose = 'create' | 'sign_in' | 'second_factor' | 'confirm'

export interface Ceremony {
  readonly purpose: CeremonyPurpose
  /** Null where the answer has yet to say who it is. */
  readonly userId: string | null
  readonly ticketHash: Buffer | null
}

export interface WaitingCeremony extends Ceremony {
  readonly challengeHash: Buffer
}

export interface NewCeremony {
  /** To be sent back with the answer. */
  readonly ceremony: string
  readonly challenge: Uint8Array<ArrayBuffer>
  /** The statement that keeps it, for the gate. */
  readonly keep: Query
}

/** A new ceremony, which counts as soon as `keep` was sent. */
export function newCeremony({ keyring }: Parts, { purpose, userId, ticketHash }: Ceremony): NewCeremony {
  const ceremony = randomBytes(32).toString('base64url')
  const challenge = Uint8Array.from(randomBytes(32))
  const challengeHash = keyring.hash(Buffer.from(challenge).toString('base64url'))
  const keep = insert(keyring.hash(ceremony), purpose, challengeHash, userId, ticketHash)
  return { ceremony, challenge, keep }
}

/**
 * Takes a ceremony away, to hold an answer against it.
 * @throws {Refusal} `sign_in_failed` where there is none of these purposes, or not any more
 */
export async function takeCeremony(
  parts: Parts,
  purposes: readonly CeremonyPurpose[],
  ceremony: string,
): Promise<WaitingCeremony> {
  const [row] = await gateTransaction(parts.database.tenant, (tx) =>
    tx.readAsGate<WaitingCeremony>(take(parts.keyring.hashes(ceremony), purposes)),
  )
  if (!row) throw ceremonyOver()
  return row
}

/** Whether a challenge, as an answer repeats it, is the one of this ceremony. */
export const isChallengeOf =
  ({ keyring }: Parts, { challengeHash }: WaitingCeremony) =>
  (challenge: string): boolean =>
    keyring.hashes(challenge).some((hash) => hash.equals(challengeHash))

const ceremonyOver = () =>
  new Refusal('sign_in_failed', 'This passkey was asked for too long ago, or answered already: ask again.')

const insert = statement(`
  insert into passkey_ceremonies (secret_hash, purpose, challenge_hash, user_id, ticket_hash, expires_at)
  values ($1, $2, $3, $4, $5, clock_now() + interval '${CEREMONY_MINUTES} minutes')`)

const take = statement(`
  delete from passkey_ceremonies
   where secret_hash = any($1) and purpose = any($2) and expires_at > clock_now()
  returning purpose, user_id as "userId", ticket_hash as "ticketHash", challenge_hash as "challengeHash"`)
