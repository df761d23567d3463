const FIRST_MS = 250
const LONGEST_MS = 15_000

/** How long a worker waits after a fault of our own: a little longer each time, until something works. */
export class BackOff {
  #faults = 0
  #until = 0

  /** What is left of the wait, in ms; nothing or less when there is none. */
  get leftMs(): number {
    return this.#until - performance.now()
  }

  /** @returns the wait that begins now; null where one has begun already */
  fault(): number | null {
    if (this.leftMs > 0) return null
    const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(this.#faults, 10))
    this.#faults += 1
    this.#until = performance.now() + wait
    return wait
  }

  worked(): void {
    this.#faults = 0
  }
}
