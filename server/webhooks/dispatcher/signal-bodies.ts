import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { type Row, statement } from '../../database/connect.ts'

const BYTES_AT_MOST = 2_000_000

const find = statement(`
  select s.id, s.body from unnest($1::text[], $2::text[], $3::timestamptz[]) as w (organization_id, id, created_at)
    join signals s on s.organization_id = w.organization_id and s.id = w.id and s.created_at = w.created_at`)

/** The bodies of signals: each is read and encoded once for all the endpoints that it goes to. */
export class SignalBodies {
  readonly #known = new LRUCache<string, Buffer>({
    maxSize: BYTES_AT_MOST,
    sizeCalculation: ({ length }) => length + 1,
  })

  /**
   * @param rows of deliveries, which name their signal or have a body of their own
   * @returns by the signal's id
   */
  async of(on: pg.Pool | pg.Client, rows: readonly Row[]): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>()
    const missing = new Map<string, Row>()
    for (const row of rows) {
      if (row.body !== null) continue
      const id = row.signal_id as string
      const body = this.#known.get(id)
      if (body === undefined) missing.set(id, row)
      else found.set(id, body)
    }
    if (missing.size === 0) return found
    const wanted = [...missing.values()]
    const read = await on.query(
      find(
        wanted.map((row) => row.organization_id),
        [...missing.keys()],
        wanted.map((row) => row.created_at),
      ),
    )
    for (const { id, body: text } of read.rows) {
      const body = withOwnMemory(text)
      this.#known.set(id, body)
      found.set(id, body)
    }
    return found
  }
}

/** A short buffer is a slice of a slab that Node shares out, and would keep all of it for as long as it is known. */
function withOwnMemory(text: string): Buffer {
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  body.write(text)
  return body
}
