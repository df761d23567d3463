/** One timer for each partition that has something due within a moment: for the earliest that was told. */
export class DueTimers {
  readonly #ring: (partition: string) => void
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly at: number }>()

  constructor(ring: (partition: string) => void) {
    this.#ring = ring
  }

  set(partition: string, inMs: number): void {
    const at = performance.now() + inMs
    const standing = this.#timers.get(partition)
    if (standing && standing.at <= at) return
    if (standing) clearTimeout(standing.timer)
    const ring = (): void => {
      this.#timers.delete(partition)
      this.#ring(partition)
    }
    this.#timers.set(partition, { timer: setTimeout(ring, Math.ceil(inMs) + 1), at })
  }

  clear(): void {
    for (const { timer } of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
