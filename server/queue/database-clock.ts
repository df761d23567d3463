const FAR_OFF_MS = 60_000

/**
 * The database's clock, as this process last heard it: what is written on a request is its time, and nobody
 * asks for it before each one.
 */
export class DatabaseClock {
  #ahead = 0

  /** @param now unix ms, from an answer that has just come */
  heard(now: number): void {
    if (now > 0) this.#ahead = now - Date.now()
  }

  /** @param then unix ms, from an answer that may be some seconds old: it shows a clock of ours that is far off */
  heardBefore(then: number): void {
    if (Math.abs(then - this.now()) > FAR_OFF_MS) this.heard(then)
  }

  readonly now = (): number => Date.now() + this.#ahead
}
