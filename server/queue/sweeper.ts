const EVERY_MS = 1_000
const PAUSE_AT_MOST_MS = 5_000

/**
 * What a sweep finds to be due within this time gets a timer of its own; it reaches past the longest pause and
 * the sweep after it.
 */
export const TIMED_AHEAD_MS = 2 * PAUSE_AT_MOST_MS

/**
 * The pause after a sweep. Sweeping takes no more than a twentieth of the time, however much waits; but a sweep is
 * also long because the machine is busy, and then what is due must not wait for that as well.
 */
export const pauseAfter = (sweepMs: number): number =>
  Math.min(PAUSE_AT_MOST_MS, Math.max(EVERY_MS, sweepMs * 20))

/** The backstop: looks again and again for whatever no hint told of, one look at a time. */
export class Sweeper {
  readonly #look: () => Promise<void>
  #running = false
  #timer: NodeJS.Timeout | null = null
  #sweeping: Promise<void> | null = null

  /** @param look does not reject */
  constructor(look: () => Promise<void>) {
    this.#look = look
  }

  begin(): void {
    this.#running = true
    void this.sweep()
  }

  cease(): void {
    this.#running = false
    if (this.#timer) clearTimeout(this.#timer)
  }

  /** Looks now, after a look that is under way. */
  async sweep(): Promise<void> {
    while (this.#sweeping) await this.#sweeping
    if (!this.#running) return
    const startedAt = performance.now()
    this.#sweeping = this.#look().finally(() => {
      this.#sweeping = null
      if (this.#timer) clearTimeout(this.#timer)
      const pause = pauseAfter(performance.now() - startedAt)
      if (this.#running) this.#timer = setTimeout(() => void this.sweep(), pause)
    })
    await this.#sweeping
  }

  /** When no look is under way. */
  async quiet(): Promise<void> {
    await this.#sweeping
  }
}
