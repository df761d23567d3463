import { LRUCache } from 'lru-cache'
import { networkOf } from '../caller/network-of.ts'

const WINDOW = 60_000
const MOST_REMEMBERED = 10_000

/**
 * How much may be asked of this process in a minute, by one network and by all, before anybody has said who they
 * are: a brake on what would otherwise be done for every stranger.
 */
export class Budget {
  readonly #ofOne: number
  readonly #ofAll: number
  #spent = new LRUCache<string, number>({ max: MOST_REMEMBERED })
  #all = 0
  #until = 0

  constructor(ofOne: number, ofAll: number) {
    this.#ofOne = ofOne
    this.#ofAll = ofAll
  }

  /** Whether there was something left. */
  spend(address: string): boolean {
    const now = Date.now()
    if (now >= this.#until) {
      this.#spent.clear()
      this.#all = 0
      this.#until = now + WINDOW
    }
    const place = networkOf(address)
    const spent = this.#spent.get(place) ?? 0
    if (spent >= this.#ofOne || this.#all >= this.#ofAll) return false
    this.#spent.set(place, spent + 1)
    this.#all++
    return true
  }

  /** Seconds until there is something again. */
  get wait(): number {
    return Math.max(1, Math.ceil((this.#until - Date.now()) / 1000))
  }
}

/**
 * Of what clients say of themselves at addresses of their own: it takes a hundred networks to leave nothing for others.
 */
export const clientFetches = (): Budget => new Budget(30, 3_000)
