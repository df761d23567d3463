/**
 * Many deadlines of one length with one timer.
 *
 * All attempts have the same ten seconds, so they end in the order they began: a linked list is the whole schedule.
 * Setting and lifting one costs a few assignments, where a timer (or an AbortSignal) for each attempt is what an
 * attempt over a kept connection would mostly be made of.
 */

/** What has a deadline carries its own links. */
export abstract class Limited {
  /** When it ends, on the monotonic clock (ms). */
  dueAt = 0
  earlier: Limited | null = null
  later: Limited | null = null
  abstract expire(): void
}

export class Deadlines {
  readonly #lengthMs: number
  #first: Limited | null = null
  #last: Limited | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs
  }

  /** `startedAt` is on the monotonic clock, and never before that of the one added last. */
  add(limited: Limited, startedAt: number): void {
    limited.dueAt = startedAt + this.#lengthMs
    limited.earlier = this.#last
    if (this.#last) this.#last.later = limited
    else this.#first = limited
    this.#last = limited
    this.#timer ??= setTimeout(this.#ring, this.#lengthMs).unref()
  }

  remove(limited: Limited): void {
    const { earlier, later } = limited
    if (earlier) earlier.later = later
    else if (this.#first === limited) this.#first = later
    else return
    if (later) later.earlier = earlier
    else this.#last = earlier
    limited.earlier = null
    limited.later = null
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** A removed deadline leaves the timer be: it rings early, finds nothing due, and is set for the next one. */
  readonly #ring = (): void => {
    this.#timer = null
    const now = performance.now()
    while (this.#first && this.#first.dueAt <= now) {
      const due = this.#first
      this.remove(due)
      // What reached this machine in time has its turn first, should the process itself have been late.
      setImmediate(() => due.expire())
    }
    // Whoever waits for an answer holds a socket or a query, which keep the process up; this need not.
    if (this.#first)
      this.#timer = setTimeout(this.#ring, Math.max(1, Math.ceil(this.#first.dueAt - now))).unref()
  }
}
