import type { Adapter, AdapterPayload } from 'oidc-provider'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { agesOf, hashOf, type Kept, timed } from './kept.ts'
import { errors } from './library.ts'
import { ROUTES } from './routes.ts'

/**
 * What lies between the request of a client and its answer. A crash may forget it: whoever was in the middle
 * of it begins again. The library writes the ids that cookies hold into some payloads; they are taken out, and
 * put back on reading.
 */
export class StateStore implements Adapter {
  readonly #parts: Parts
  readonly #kind: string

  constructor(parts: Parts, kind: 'Session' | 'Interaction' | 'ReplayDetection') {
    this.#parts = parts
    this.#kind = kind
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn = 0): Promise<void> {
    const { jti: _, returnTo: _here, session: _cookie, ...kept } = payload
    const text = JSON.stringify(kept)
    const query = this.#kind === 'ReplayDetection' ? note : keep
    const { rowCount } = await this.#parts.database.gate.query(query(hashOf(id), this.#kind, text, expiresIn))
    if (rowCount === 0) throw new errors.InvalidClientAuth('client assertion tokens must only be used once')
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await this.#parts.database.gate.query<Kept>(find(hashOf(id), this.#kind))
    const payload = rows[0] && timed(rows[0], id)
    if (!payload || this.#kind !== 'Interaction') return payload
    return { ...payload, returnTo: `${this.#parts.config.publicUrl}${ROUTES.authorization}/${id}` }
  }

  async destroy(id: string): Promise<void> {
    await this.#parts.database.gate.query(remove(hashOf(id), this.#kind))
  }

  /** Never asked: no token of ours ends with the library's own session. */
  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  async consume(): Promise<void> {}

  async revokeByGrantId(): Promise<void> {}
}

const insert = `insert into oauth_states (key_hash, kind, payload, created_at, expires_at)
  select $1, $2, $3, now.now, now.now + $4::float8 * interval '1 second' from (select clock_now() as now) now`

const keep = statement(`
  ${insert} on conflict (key_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`)

const note = statement(`${insert} on conflict (key_hash) do nothing`)

const find = statement(`
  select payload, ${agesOf('oauth_states')} from oauth_states where key_hash = $1 and kind = $2 and expires_at > clock_now()`)

const remove = statement('delete from oauth_states where key_hash = $1 and kind = $2')
