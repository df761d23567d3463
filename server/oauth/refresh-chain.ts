import type { Provider as OauthServer } from 'oidc-provider'
import { type Query, statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { hashOf } from './kept.ts'
import { Provider } from './library.ts'

/**
 * Each refresh token has one successor.
 *
 * Hosts of agents refresh from several places at once and lose an answer now and then, so a refresh token may be
 * used again for a while (token-store.ts). Were its successor drawn at random, each of these uses would begin a
 * chain of tokens that lives on by itself, and a thief's would look like any other. So the successor is made from
 * the token that is used and a key that only the service has: whoever uses it again is given the same one, from
 * every process, and where the chain has moved on, the one it has come to. Nothing readable is kept for that.
 */
export class RefreshChain {
  readonly #parts: Parts
  readonly #successors = new WeakMap<object, string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Finds what comes after the refresh token that a request uses. */
  async prepare(ctx: object, used: string): Promise<void> {
    this.#successors.set(ctx, await this.#tipAfter(used))
  }

  /** The library draws the value of a new token by itself and has no setting for it: here it asks us first. */
  give(provider: OauthServer): void {
    const model = provider.RefreshToken.prototype as unknown as { generateTokenId(): string }
    const draw = model.generateTokenId
    const successors = this.#successors
    model.generateTokenId = function () {
      const ctx = Provider.ctx
      return (ctx && successors.get(ctx)) ?? draw.call(this)
    }
  }

  async #tipAfter(used: string): Promise<string> {
    let tip = used
    for (;;) {
      const { token, isSpent } = await this.#successorOf(tip)
      if (!isSpent) return token
      tip = token
    }
  }

  /** One that was made under an earlier key of the ring is found; a new one is made under the first. */
  async #successorOf(token: string): Promise<{ token: string; isSpent: boolean }> {
    const { keyring, database } = this.#parts
    const named = JSON.stringify(['successor of a refresh token', token])
    const possible = keyring.hashes(named).map((hash) => hash.toString('base64url'))
    const { rows } = await database.gate.query<{ key_hash: Buffer; spent: boolean }>(
      find(possible.map(hashOf)),
    )
    const [row] = rows
    if (!row) return { token: possible[0]!, isSpent: false }
    return { token: possible.find((one) => hashOf(one).equals(row.key_hash))!, isSpent: row.spent }
  }
}

const find: (hashes: Buffer[]) => Query = statement(`
  select key_hash, consumed_at is not null as spent from oauth_tokens
   where key_hash = any($1) and kind = 'RefreshToken'`)
