import type { Outcome } from '../outcomes.ts'

/**
 * The bulkhead: one lane for each endpoint that has something to send, and how much of the process it may take.
 *
 * A receiver that hangs holds as many sockets as it is given, for ten seconds each, so a lane begins narrow and
 * widens with quick successes. One that fails or hangs is probed with one attempt at a time: that also keeps a
 * restart of two seconds from being ten failures in a row, which would turn the endpoint off.
 */
const FIRST_WINDOW = 5
const WIDEST = 20
const PROBE = 1
const PROBED_AFTER = 3
const QUICK_MS = 1_000

export class Lane {
  readonly endpointId: string
  /** Known from the first claim or sweep on. */
  organizationId: string | null = null
  /** Something may be due that has not been claimed. */
  due = false
  /** On the wire, and being claimed for. */
  inFlight = 0
  reserved = 0
  #window = FIRST_WINDOW
  #failures = 0
  #endedAt = performance.now()

  constructor(endpointId: string) {
    this.endpointId = endpointId
  }

  get room(): number {
    return Math.max(0, this.#window - this.inFlight - this.reserved)
  }

  get idle(): boolean {
    return !this.due && this.inFlight === 0 && this.reserved === 0
  }

  /** Asked at each sweep: what a lane has learned is kept for a minute after its last attempt. */
  forgotten(): boolean {
    return performance.now() - this.#endedAt > 60_000
  }

  ended(outcome: Outcome, durationMs: number): void {
    this.#endedAt = performance.now()
    if (outcome === 'success') {
      this.#failures = 0
      if (durationMs < QUICK_MS) this.#window = Math.min(WIDEST, this.#window + 1)
    } else if (outcome !== 'connection_closed') {
      this.#failures += 1
      if (outcome === 'timeout' || this.#failures >= PROBED_AFTER) this.#window = PROBE
    }
  }
}

/** How much all lanes together may take. */
export interface Capacity {
  /** Requests on the wire at one time. */
  readonly slots: number
  /** The share of them that one organization may always take, however many others wait. */
  readonly organizationShare: number
  /** The share kept for first attempts, so that a wave of retries cannot hold up what is new. */
  readonly firstAttemptShare: number
  /** Deliveries in one claim. */
  readonly claimAtMost: number
}

export const CAPACITY: Capacity = {
  slots: 500,
  organizationShare: 0.2,
  firstAttemptShare: 0.2,
  claimAtMost: 200,
}

export interface Allotment {
  readonly rooms: ReadonlyMap<Lane, number>
  readonly firstAttemptsOnly: boolean
}

/**
 * Shares out the free slots among the lanes that have something due: a round at a time, so that when slots are
 * short nobody is served by being first in the list.
 *
 * @param lanes all of the process, those that waited longest first
 */
export function allot(lanes: readonly Lane[], capacity: Capacity = CAPACITY): Allotment {
  const taken = new Map<string, number>()
  let free = capacity.slots
  const waiting: Lane[] = []
  for (const lane of lanes) {
    const busy = lane.inFlight + lane.reserved
    free -= busy
    const whose = lane.organizationId ?? lane.endpointId
    taken.set(whose, (taken.get(whose) ?? 0) + busy)
    if (lane.due && lane.room > 0) waiting.push(lane)
  }
  const organizations = new Set(waiting.map((lane) => lane.organizationId ?? lane.endpointId)).size
  // Where few wait, an equal part is more than the share, and no slot stays empty for nobody's good.
  const share = Math.max(
    Math.ceil(capacity.slots * capacity.organizationShare),
    Math.floor(capacity.slots / Math.max(1, organizations)),
  )
  let left = Math.min(free, capacity.claimAtMost)
  const rooms = new Map<Lane, number>()
  for (let step = 1; left > 0; step += 4) {
    let given = false
    for (const lane of waiting) {
      const whose = lane.organizationId ?? lane.endpointId
      const used = taken.get(whose)!
      const already = rooms.get(lane) ?? 0
      const more = Math.min(step === 1 ? 1 : 4, lane.room - already, share - used, left)
      if (more <= 0) continue
      rooms.set(lane, already + more)
      taken.set(whose, used + more)
      left -= more
      given = true
    }
    if (!given) break
  }
  return { rooms, firstAttemptsOnly: free <= capacity.slots * capacity.firstAttemptShare }
}
