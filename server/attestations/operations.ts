import { exemptAttestation, listAttestations, remindAttestations } from './attestations.ts'
import { listAttestationsOfPerson } from './attestations-of-person.ts'
import { getPolicyVersionAudience } from './audience.ts'
import { listAudienceNames } from './audience-names.ts'
import { downloadAttestationCertificate } from './certificate.ts'
import {
  acknowledgePolicyAsGuest,
  checkPolicyAsGuest,
  downloadPictureAsGuest,
  downloadPolicyAsGuest,
  readPolicyAsGuest,
} from './guest-reads.ts'
import {
  acknowledgeMyAttestation,
  downloadMyAttestation,
  downloadMyPicture,
  listMyAttestations,
  readMyAttestation,
} from './own-attestations.ts'

export const attestationOperations = {
  getPolicyVersionAudience,
  listAudienceNames,
  listAttestations,
  listAttestationsOfPerson,
  exemptAttestation,
  remindAttestations,
  downloadAttestationCertificate,
  listMyAttestations,
  readMyAttestation,
  downloadMyAttestation,
  downloadMyPicture,
  acknowledgeMyAttestation,
} as const

/** The same for guests. */
export const guestAttestationOperations = {
  readPolicyAsGuest,
  downloadPolicyAsGuest,
  downloadPictureAsGuest,
  acknowledgePolicyAsGuest,
  checkPolicyAsGuest,
} as const
