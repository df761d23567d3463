/** One timer for each endpoint that has something due within a moment. */
export class Alarms {
  readonly #ring: (endpointId: string) => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(ring: (endpointId: string) => void) {
    this.#ring = ring
  }

  set(endpointId: string, inMs: number): void {
    if (this.#timers.has(endpointId)) return
    const ring = (): void => {
      this.#timers.delete(endpointId)
      this.#ring(endpointId)
    }
    this.#timers.set(endpointId, setTimeout(ring, Math.ceil(inMs) + 1))
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
