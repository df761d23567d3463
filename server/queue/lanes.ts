import { type Allotment, allot, type Capacity } from './allotment.ts'
import { Lane } from './lane.ts'

/** The lanes of one worker, those that waited longest first. */
export class Lanes {
  readonly #capacity: Capacity
  readonly #lanes = new Map<string, Lane>()

  constructor(capacity: Capacity) {
    this.#capacity = capacity
  }

  of(partition: string): Lane {
    let lane = this.#lanes.get(partition)
    if (!lane) {
      lane = new Lane(partition)
      this.#lanes.set(partition, lane)
    }
    return lane
  }

  /** Shares out what is free, and keeps it for the claim that follows. */
  reserve(): Allotment {
    const allotment = allot([...this.#lanes.values()], this.#capacity)
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
      this.#lanes.delete(lane.partition)
      this.#lanes.set(lane.partition, lane)
    }
  }

  /** Drops those that have been idle for long. */
  forget(): void {
    for (const [partition, lane] of this.#lanes)
      if (lane.idle && lane.forgotten()) this.#lanes.delete(partition)
  }
}
