/** One timer for each endpoint that has something due within a moment: for the earliest that was told. */
export class DueTimers {
  readonly #ring: (endpointId: string) => void
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly at: number }>()

  constructor(ring: (endpointId: string) => void) {
    this.#ring = ring
  }

  set(endpointId: string, inMs: number): void {
    const at = performance.now() + inMs
    const standing = this.#timers.get(endpointId)
    if (standing && standing.at <= at) return
    if (standing) clearTimeout(standing.timer)
    const ring = (): void => {
      this.#timers.delete(endpointId)
      this.#ring(endpointId)
    }
    this.#timers.set(endpointId, { timer: setTimeout(ring, Math.ceil(inMs) + 1), at })
  }

  clear(): void {
    for (const { timer } of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
