import type { Capacity } from '../../queue/allotment.ts'

/** From a claim to the beginning of its request; what takes longer is handed back. */
export const START_WITHIN_MS = 500

/** How long a claim is its claimer's: several times what an attempt with a second try can take. */
export const LEASE_MS = 60_000

/** Of one process, on the wire. */
export const CAPACITY: Capacity = {
  slots: 500,
  organizationShare: 0.2,
  firstAttemptShare: 0.2,
  spareShare: 0.1,
  claimAtMost: 200,
}
