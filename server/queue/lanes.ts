import { type Allotment, allot, type Capacity, sparedIn } from './allotment.ts'
import { Lane } from './lane.ts'

/**
 * The lanes of one worker. What they have learned is kept for a while, of as many endpoints as there are; but only those
 * with something due or under way are looked at, since that is done with each claim and with each change.
 */
export class Lanes {
  readonly #capacity: Capacity
  readonly #lanes = new Map<string, Lane>()
  /** Those that may not be idle, and those that waited longest first. */
  readonly #astir = new Map<string, Lane>()
  readonly #byOrganization = new Map<string, Set<Lane>>()
  /** Of organizations: what is worked for them past the queue. */
  readonly #beside = new Map<string, number>()

  constructor(capacity: Capacity) {
    this.#capacity = capacity
  }

  /** Who asks for one may stir it. */
  of(partition: string): Lane {
    let lane = this.#lanes.get(partition)
    if (!lane) {
      lane = new Lane(partition)
      this.#lanes.set(partition, lane)
    }
    this.#astir.set(partition, lane)
    return lane
  }

  /** Whose a partition is, as soon as that is known. */
  belongsTo(partition: string, organizationId: string | null): Lane {
    const lane = this.of(partition)
    if (organizationId === null || lane.organizationId === organizationId) return lane
    lane.organizationId = organizationId
    const known = this.#byOrganization.get(organizationId)
    if (known) known.add(lane)
    else this.#byOrganization.set(organizationId, new Set([lane]))
    return lane
  }

  /** Those of an organization that are known; who asks for them may stir them. */
  ofOrganization(organizationId: string): readonly Lane[] {
    const lanes = [...(this.#byOrganization.get(organizationId) ?? [])]
    for (const lane of lanes) this.#astir.set(lane.partition, lane)
    return lanes
  }

  /** Whether an organization may take so many slots more, without asking what others wait for. */
  hasRoom(organizationId: string, more: number): boolean {
    const busy = (lanes: Iterable<Lane>) => {
      let sum = 0
      for (const lane of lanes) sum += lane.inFlight + lane.reserved
      return sum
    }
    const { slots, organizationShare } = this.#capacity
    const { spare, some } = sparedIn(this.#capacity)
    const own =
      busy(this.#byOrganization.get(organizationId) ?? []) + (this.#beside.get(organizationId) ?? 0) + more
    const open = own <= some ? slots : slots - spare
    return own <= slots * organizationShare && busy(this.#astir.values()) + more <= open
  }

  /** What is worked past the queue takes of its organization's share as well. @returns to be called when it has ended */
  beside(organizationId: string): () => void {
    const change = (by: number) => {
      const now = (this.#beside.get(organizationId) ?? 0) + by
      if (now > 0) this.#beside.set(organizationId, now)
      else this.#beside.delete(organizationId)
    }
    change(1)
    return () => change(-1)
  }

  /** Shares out what is free, and keeps it for the claim that follows. */
  reserve(): Allotment {
    for (const [partition, lane] of this.#astir) if (lane.idle) this.#astir.delete(partition)
    const allotment = allot([...this.#astir.values()], this.#capacity, this.#beside)
    for (const [lane, room] of allotment.rooms) {
      lane.reserved += room
      lane.due = false
    }
    return allotment
  }

  /**
   * Gives the reserved room back. A lane that got all it had room for may have more.
   * @param got how many each partition got; null where the claim failed
   */
  release(rooms: Allotment['rooms'], got: ReadonlyMap<string, number> | null): void {
    for (const [lane, room] of rooms) {
      lane.reserved -= room
      if (!got || (got.get(lane.partition) ?? 0) >= room) lane.due = true
      // Served: behind those that were not.
      this.#astir.delete(lane.partition)
      this.#astir.set(lane.partition, lane)
    }
  }

  /** Drops those that have been idle for long. */
  forget(): void {
    for (const [partition, lane] of this.#lanes)
      if (lane.idle && lane.forgotten()) this.#drop(partition, lane)
  }

  #drop(partition: string, lane: Lane): void {
    this.#lanes.delete(partition)
    this.#astir.delete(partition)
    const others = lane.organizationId === null ? undefined : this.#byOrganization.get(lane.organizationId)
    others?.delete(lane)
    if (others?.size === 0) this.#byOrganization.delete(lane.organizationId!)
  }
}
