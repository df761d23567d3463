import { LRUCache } from 'lru-cache'
import { networkOf } from '../../caller/network-of.ts'
import { Refusal } from '../../refusal.ts'
import { lazily } from '../lazily.ts'

const CALLS = 1_200
const WINDOW = 60_000
const MOST_REMEMBERED = 20_000

/**
 * How fast one session, or one network without any, may call the web app's door. Nobody who clicks comes
 * near it; it holds a page that has run wild. What is guessed at (passwords, codes) has counts of its own.
 */
export class WebRateLimiter {
  /** Made for the first: room for all that it may remember is taken at once. */
  #seen = lazily(() => new LRUCache<string, { count: number; until: number }>({ max: MOST_REMEMBERED }))

  /** @throws {Refusal} `rate_limited` */
  ofSession(id: string): void {
    this.#keep(id)
  }

  /** @throws {Refusal} `rate_limited` */
  ofAddress(address: string): void {
    this.#keep(networkOf(address))
  }

  #keep(who: string): void {
    const now = Date.now()
    let seen = this.#seen().get(who)
    if (!seen || seen.until <= now) {
      seen = { count: 0, until: now + WINDOW }
      this.#seen().set(who, seen)
    }
    if (++seen.count <= CALLS) return
    const retryAfter = Math.ceil((seen.until - now) / 1000)
    throw new Refusal('rate_limited', `Too many calls came from here: wait ${retryAfter} seconds.`, {
      retryAfter,
    })
  }
}
