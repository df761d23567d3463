/**
 * Keeps a flood out of the audit log without keeping it quiet: of what happens again and again to the same subject,
 * the first few entries of a window are written whole, and the rest is counted and written as one when the window
 * ends. Each process counts for itself.
 */
export interface LeftOut {
  readonly count: number
  /** From how many networks they came. */
  readonly networks: number
}

interface Window {
  written: number
  leftOut: number
  networks: Set<string>
  sum: (leftOut: LeftOut) => Promise<unknown>
  timer: NodeJS.Timeout
}

const MINUTES = 10
const NETWORKS_REMEMBERED = 10_000

export class EntryLimiter {
  readonly #windows = new Map<string, Window>()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #failed: (error: unknown) => void

  /** @param failed told of an entry that could not be written, which is in nobody's way */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /**
   * @param key what shares one allowance; one for each subject there is, never of what strangers make up
   * @param most how many are written whole in ten minutes
   * @param write writes the entry
   * @param sum writes one entry for those that were left out, as the last of them would have it
   */
  add(key: string, most: number, network: string, write: () => Promise<unknown>, sum: Window['sum']): void {
    let window = this.#windows.get(key)
    if (!window) {
      const timer = setTimeout(() => this.#end(key), MINUTES * 60_000).unref()
      window = { written: 0, leftOut: 0, networks: new Set(), sum, timer }
      this.#windows.set(key, window)
    }
    if (window.written < most) {
      window.written++
      this.#run(write())
      return
    }
    window.leftOut++
    window.sum = sum
    if (window.networks.size < NETWORKS_REMEMBERED) window.networks.add(network)
  }

  /** Ends every window and waits for what is being written, so that a process that ends loses nothing. */
  async settle(): Promise<void> {
    for (const key of [...this.#windows.keys()]) this.#end(key)
    await Promise.all(this.#underWay)
  }

  #end(key: string): void {
    const window = this.#windows.get(key)!
    this.#windows.delete(key)
    clearTimeout(window.timer)
    if (window.leftOut > 0) this.#run(window.sum({ count: window.leftOut, networks: window.networks.size }))
  }

  #run(writing: Promise<unknown>): void {
    const run: Promise<unknown> = writing.catch(this.#failed).finally(() => this.#underWay.delete(run))
    this.#underWay.add(run)
  }
}

declare module '../operation.ts' {
  interface Parts {
    readonly entryLimiter: EntryLimiter
  }
}

/** What was left out, in the words of an entry's reason. */
export const leftOutWords = ({ count, networks }: LeftOut): string =>
  `${count} more of these within ${MINUTES} minutes, from ${networks} ${networks === 1 ? 'network' : 'networks'}, have no entry of their own`
