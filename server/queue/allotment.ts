import type { Lane } from './lane.ts'

/** How much all lanes together may take. */
export interface Capacity {
  /** Items worked at one time. */
  readonly slots: number
  /** The share of them that one organization may always take, however many others wait. */
  readonly organizationShare: number
  /** The share kept for first attempts, so that a wave of retries cannot hold up what is new. */
  readonly firstAttemptShare: number
  /**
   * The share kept for organizations that have next to nothing under way, so that several whose work hangs cannot
   * hold up who comes after them. None where it is left out.
   */
  readonly spareShare?: number
  /** Items in one claim. */
  readonly claimAtMost: number
}

export interface Allotment {
  readonly rooms: ReadonlyMap<Lane, number>
  readonly firstAttemptsOnly: boolean
}

/** How many slots are kept for organizations with less under way than some. */
export const sparedIn = ({ slots, organizationShare, spareShare = 0 }: Capacity) => ({
  spare: Math.floor(slots * spareShare),
  some: Math.ceil((slots * organizationShare) / 10),
})

/**
 * Shares out the free slots among the lanes that have something due: a round at a time, so that when slots are
 * short nobody is served by being first in the list.
 *
 * @param lanes all of the process, those that waited longest first
 * @param beside what is worked past the lanes, of each organization: it counts towards the share
 */
export function allot(
  lanes: readonly Lane[],
  capacity: Capacity,
  beside: ReadonlyMap<string, number> = new Map(),
): Allotment {
  const taken = new Map(beside)
  let free = capacity.slots
  const waiting: Lane[] = []
  for (const lane of lanes) {
    const busy = lane.inFlight + lane.reserved
    free -= busy
    const whose = lane.organizationId ?? lane.partition
    taken.set(whose, (taken.get(whose) ?? 0) + busy)
    if (lane.due && lane.room > 0) waiting.push(lane)
  }
  const organizations = new Set(waiting.map((lane) => lane.organizationId ?? lane.partition)).size
  // Where few wait, an equal part is more than the share, and no slot stays empty for nobody's good.
  const share = Math.max(
    1,
    Math.ceil(capacity.slots * capacity.organizationShare),
    Math.floor(capacity.slots / Math.max(1, organizations)),
  )
  const { spare, some } = sparedIn(capacity)
  let left = Math.min(free, capacity.claimAtMost)
  let common = free - spare
  const rooms = new Map<Lane, number>()
  for (let step = 1; left > 0; step += 4) {
    let given = false
    for (const lane of waiting) {
      const whose = lane.organizationId ?? lane.partition
      const used = taken.get(whose)!
      const already = rooms.get(lane) ?? 0
      const open = Math.max(common, some - used)
      const more = Math.min(step === 1 ? 1 : 4, lane.room - already, share - used, open, left)
      if (more <= 0) continue
      rooms.set(lane, already + more)
      taken.set(whose, used + more)
      left -= more
      common -= more
      given = true
    }
    if (!given) break
  }
  return { rooms, firstAttemptsOnly: free <= capacity.slots * capacity.firstAttemptShare }
}
