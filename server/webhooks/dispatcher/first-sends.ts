import { ENDPOINTS_AT_MOST, type NewDelivery, type Reservation } from '../../journal/write.ts'
import type { DatabaseClock } from '../../queue/database-clock.ts'
import type { Worker } from '../../queue/worker.ts'
import type { Claimed } from './claim.ts'
import { LEASE_MS } from './limits.ts'

/**
 * What a change is about to make is sent by the process that makes it, where that has room: it is written as claimed,
 * and leaves when its transaction is committed, with nothing to look for between. Where the process dies in that moment
 * its lease tells, as of every claim.
 */
export function reserveSends(
  dispatcher: Worker<Claimed>,
  clock: DatabaseClock,
  organizationId: string,
): Reservation {
  const kept = dispatcher.keep(organizationId, ENDPOINTS_AT_MOST)
  return {
    claimId: kept?.claimId ?? null,
    leaseMs: LEASE_MS,
    full: kept?.full ?? [],
    committed: (made) => {
      // What is sent bears the database's time, and no claim has told it.
      if (made[0]) clock.heardBefore(Date.parse(made[0].createdAt))
      kept?.run(
        claimsOf(
          kept.claimId,
          made.filter(({ isClaimed }) => isClaimed),
        ),
      )
      const waiting = made.filter(({ isClaimed }) => !isClaimed)
      if (waiting.length > 0) dispatcher.wake(waiting.map(({ endpointId }) => endpointId))
    },
    failed: (error) => kept?.drop(error),
  }
}

function claimsOf(claimId: string, made: readonly NewDelivery[]): Claimed[] {
  const openClaim = { claimId, open: new Set(made.map(({ deliveryId }) => deliveryId)) }
  return made.map(({ isClaimed: _, ...delivery }) => ({
    ...delivery,
    claimId,
    openClaim,
    purpose: 'signal',
    number: 1,
    attemptCount: 0,
    statusBefore: null,
    off: false,
    lateMs: 0,
  }))
}
