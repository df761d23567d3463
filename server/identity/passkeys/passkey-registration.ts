import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { COSEALG, decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import type { Parts } from '../../operation.ts'
import type { RegistrationAnswer } from './passkey-answers.ts'
import { isChallengeOf, type WaitingCeremony } from './passkey-ceremonies.ts'
import { relyingParty } from './passkey-party.ts'
import { notAccepted } from './passkey-proof.ts'

/** What every browser and authenticator has between them, and our Node as well. */
export const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

export interface NewPasskey {
  readonly credentialId: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly backedUp: boolean
}

/**
 * Verifies the answer that makes a passkey against its ceremony (WebAuthn 3, 7.1).
 * @throws {Refusal} `sign_in_failed`, the same for whatever is wrong
 */
export async function readRegistration(
  parts: Parts,
  userId: string,
  waiting: WaitingCeremony,
  answer: RegistrationAnswer,
): Promise<NewPasskey> {
  if (waiting.userId !== userId) throw notAccepted()
  const { id, origin } = relyingParty(parts.config)
  const { clientDataJSON, attestationObject, transports = [] } = answer.response
  const verified = await (async () =>
    verifyRegistrationResponse({
      response: {
        ...answer,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject: withoutAttestation(attestationObject) },
      },
      expectedChallenge: isChallengeOf(parts, waiting),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }))().catch(() => null)
  if (!verified?.verified) throw notAccepted()
  const { credential, credentialBackedUp: backedUp } = verified.registrationInfo
  if (credential.id !== answer.id) throw notAccepted()
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports,
    backedUp,
  }
}

/**
 * What the authenticator says of its maker is not asked for, so it is not looked at: it would be a chain of
 * certificates of the sender's choice, each of which may name an address to fetch a list of revoked ones from.
 */
function withoutAttestation(attestationObject: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
}
