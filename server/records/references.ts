import type pg from 'pg'
import { statement } from '../database/connect.ts'

/**
 * Draws the human reference numbers (RSK-12): unique and ascending per organization and kind. They are not gapless, but
 * what is refused after its number was drawn, by its rules or by those of what is written with it, gives it back, and
 * unless a later one is out already, the next gets it.
 *
 * A counter row updated in the writer's transaction would make the writers of one organization queue for
 * each other's disk writes, a factor of five. So numbers are drawn beside it, in a transaction that does
 * not wait for the disk (a record that is on disk has its number's draw before it in the same log, so a
 * crash cannot give a number twice), and everyone who asks in the same moment shares one statement.
 */
export class References {
  #pool: pg.Pool
  #waiting = new Map<string, Waiting>()

  constructor(gate: pg.Pool) {
    this.#pool = gate
  }

  draw(organizationId: string, kind: string): Promise<number> {
    const key = `${organizationId} ${kind}`
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const waiting = this.#waiting.get(key)
    if (waiting) waiting.push({ resolve, reject })
    else {
      const first: Waiting = [{ resolve, reject }]
      this.#waiting.set(key, first)
      setImmediate(() => this.#drawAll(key, organizationId, kind, first))
    }
    return promise
  }

  /**
   * Draws a number for the record that `make` prepares.
   * @param make writes nothing: where it is refused, the number is given back
   */
  async drawFor<T>(
    organizationId: string,
    kind: string,
    make: (number: Promise<number>) => Promise<T>,
  ): Promise<T> {
    const number = this.draw(organizationId, kind)
    try {
      return await make(number)
    } catch (refused) {
      // A gap is no fault: whoever asked is told of theirs.
      await number.then((drawn) => this.giveBack(organizationId, kind, [drawn])).catch(() => undefined)
      throw refused
    }
  }

  /** Gives numbers back that no record has come to have: as many as are in a row at the end of all that are out. */
  async giveBack(organizationId: string, kind: string, numbers: readonly number[]): Promise<void> {
    const [last, ...before] = numbers.toSorted((one, other) => other - one)
    if (last === undefined) return
    const gap = before.findIndex((number, index) => number !== last - index - 1)
    const count = (gap < 0 ? before.length : gap) + 1
    await this.#pool.query(stepBack(organizationId, kind, last, count)).catch(() => undefined)
  }

  async #drawAll(key: string, organizationId: string, kind: string, waiting: Waiting): Promise<void> {
    this.#waiting.delete(key)
    try {
      const { rows } = await this.#pool.query(advance(organizationId, kind, waiting.length))
      const last = rows[0].last_number as number
      for (const [index, one] of waiting.entries()) one.resolve(last - waiting.length + 1 + index)
    } catch (error) {
      for (const one of waiting) one.reject(error)
    }
  }
}

declare module '../operation.ts' {
  interface Parts {
    readonly references: References
  }
}

type Waiting = { resolve: (number: number) => void; reject: (error: unknown) => void }[]

const advance = statement(`
  insert into reference_counters as c (organization_id, kind, last_number) values ($1, $2, $3)
  on conflict (organization_id, kind) do update set last_number = c.last_number + excluded.last_number
  returning last_number`)

const stepBack = statement(`
  update reference_counters set last_number = last_number - $4::int
   where organization_id = $1 and kind = $2 and last_number = $3`)
