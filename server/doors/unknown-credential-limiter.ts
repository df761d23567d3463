import { LRUCache } from 'lru-cache'
import { networkOf } from '../caller/network-of.ts'
import { Refusal } from '../refusal.ts'
import { lazily } from './lazily.ts'

const GUESSES = 60
const WINDOW = 60_000
const MOST_REMEMBERED = 10_000

/**
 * Counts unknown credentials per address, so that guessing gets slow answers to nothing. It only ever
 * changes what a stranger hears: a valid credential from the same address is never refused by it.
 */
export class UnknownCredentialLimiter {
  /** Made for the first: room for all that it may remember is taken at once. */
  #seen = lazily(() => new LRUCache<string, { count: number; until: number }>({ max: MOST_REMEMBERED }))

  /** @returns what to say to a stranger: the refusal itself, or after too many guesses to wait */
  judge(address: string, refusal: Refusal): Refusal {
    const now = Date.now()
    const place = networkOf(address)
    let seen = this.#seen().get(place)
    if (!seen || seen.until <= now) {
      seen = { count: 0, until: now + WINDOW }
      this.#seen().set(place, seen)
    }
    if (++seen.count <= GUESSES) return refusal
    const retryAfter = Math.ceil((seen.until - now) / 1000)
    return new Refusal(
      'rate_limited',
      `Too many unknown credentials came from this address: wait ${retryAfter} seconds.`,
      { retryAfter },
    )
  }
}
