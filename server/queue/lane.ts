/**
 * The bulkhead: one lane for each partition that has something due, and how much of the process it may take.
 *
 * What hangs holds each slot that it is given for as long as it likes, so a lane begins narrow and widens with quick
 * successes. One that fails or hangs is probed with one item at a time: that also keeps a receiver's restart of two
 * seconds from being ten failures in a row.
 */
const FIRST_WINDOW = 5
const WIDEST = 20
const PROBE = 1
const PROBED_AFTER = 3
const QUICK_MS = 1_000

/** How work ended, as a lane learns from it; `neutral` says nothing of the partition. */
export type Ended = 'succeeded' | 'failed' | 'timed_out' | 'neutral'

export class Lane {
  readonly partition: string
  /** Known from the first claim or sweep on. */
  organizationId: string | null = null
  /** Something may be due that has not been claimed. */
  due = false
  /** Being worked, and being claimed for. */
  inFlight = 0
  reserved = 0
  #window = FIRST_WINDOW
  #failures = 0
  #endedAt = performance.now()

  constructor(partition: string) {
    this.partition = partition
  }

  get room(): number {
    return Math.max(0, this.#window - this.inFlight - this.reserved)
  }

  get idle(): boolean {
    return !this.due && this.inFlight === 0 && this.reserved === 0
  }

  /** Asked at each sweep: what a lane has learned is kept for a minute after its last item. */
  forgotten(): boolean {
    return performance.now() - this.#endedAt > 60_000
  }

  ended(how: Ended, durationMs: number): void {
    this.#endedAt = performance.now()
    if (how === 'succeeded') {
      this.#failures = 0
      if (durationMs < QUICK_MS) this.#window = Math.min(WIDEST, this.#window + 1)
    } else if (how !== 'neutral') {
      this.#failures += 1
      if (how === 'timed_out' || this.#failures >= PROBED_AFTER) this.#window = PROBE
    }
  }
}
