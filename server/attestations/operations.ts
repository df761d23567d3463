import { exemptAttestation, listAttestations, remindAttestations } from './attestations.ts'
import { downloadAttestationCertificate } from './certificate.ts'
import { acknowledgePolicyAsGuest, readPolicyAsGuest } from './guest-reads.ts'
import { acknowledgeMyAttestation, listMyAttestations, readMyAttestation } from './own-attestations.ts'

export const attestationOperations = {
  listAttestations,
  exemptAttestation,
  remindAttestations,
  downloadAttestationCertificate,
  listMyAttestations,
  readMyAttestation,
  acknowledgeMyAttestation,
} as const

/** The same for guests. */
export const guestAttestationOperations = { readPolicyAsGuest, acknowledgePolicyAsGuest } as const
