import { useSignedIn } from '../../client/session.ts'
import { deliveries } from '../../copy/deliveries.ts'
import type { DeliveryStatus } from './chip.tsx'

/**
 * How many attempts of its schedule a delivery has had; of one that has ended, how many there were in all. What is sent
 * by hand to an endpoint that is off counts nowhere, but it was sent.
 */
export function AttemptCount({ attemptCount, status }: { attemptCount: number; status: DeliveryStatus }) {
  const { attempts } = useSignedIn().deliveries
  const isUnderWay = status === 'pending' || status === 'waiting_for_retry'
  if (isUnderWay && attemptCount <= attempts) return deliveries.ofSchedule(attemptCount, attempts)
  if (attemptCount === 0 && (status === 'delivered' || status === 'failed')) return deliveries.byHand
  return deliveries.inAll(attemptCount, attempts)
}
