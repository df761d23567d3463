import type pg from 'pg'
import type { Query } from '../database/connect.ts'

/**
 * Counts the calls of credentials in their windows, exactly, whatever the number of processes.
 *
 * A call is counted by an update of one row, which is its authentication as well. Calls of one credential that
 * arrive while an update of it is under way share the next one. So a busy credential costs one update for many
 * calls, takes one connection of the pool at most, and never waits for its own locks; a call on its own is
 * never held back. Every call is still counted before it is let in, by a statement that began after it arrived:
 * nothing is lent to a process that could be lost with it, and nothing is remembered that a revocation would
 * have to reach.
 *
 * An update counts all the calls it stands for, or none and writes nothing. Then it is asked why: of a live
 * credential with some room left, as many are counted as go in, the first to arrive first.
 */
export class CallCounter {
  #pool: pg.Pool
  /** Of each credential with a statement under way, the calls that wait for the next. */
  #waiting = new Map<string, Waiting[]>()

  constructor(gate: pg.Pool) {
    this.#pool = gate
  }

  /**
   * @param credential what the statements find it by, as a text
   * @returns the row of either statement, or undefined where there is no such credential
   */
  count<Row>(credential: string, statements: CountStatements): Promise<Counted<Row> | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Counted<Row> | undefined>()
    const call: Waiting = { resolve: resolve as Waiting['resolve'], reject }
    const waiting = this.#waiting.get(credential)
    if (waiting) waiting.push(call)
    else {
      this.#waiting.set(credential, [])
      void this.#countInTurn(credential, statements, [call])
    }
    return promise
  }

  async #countInTurn(credential: string, statements: CountStatements, first: Waiting[]): Promise<void> {
    for (let calls = first; calls.length > 0; ) {
      await this.#countTogether(calls, statements)
      calls = this.#waiting.get(credential)!
      this.#waiting.set(credential, [])
    }
    this.#waiting.delete(credential)
  }

  async #countTogether(calls: Waiting[], { count, look }: CountStatements): Promise<void> {
    const left = [...calls]
    try {
      for (let fitting = left.length; left.length > 0; ) {
        const { rows } = await this.#pool.query(count(fitting))
        if (rows[0]) {
          const before = rows[0].window_count - fitting
          for (const [index, call] of left.splice(0, fitting).entries())
            call.resolve({ ...rows[0], admitted: true, window_count: before + index + 1 })
          fitting = left.length
          continue
        }
        const found = (await this.#pool.query(look(left.length))).rows[0]
        // Of what it counts in vain, others have had something meanwhile: so this ends.
        fitting = Math.max(0, found?.fitting ?? 0)
        if (fitting > 0) continue
        for (const call of left.splice(0)) call.resolve(found && { ...found, admitted: false })
      }
    } catch (error) {
      for (const call of left) call.reject(error)
    }
  }
}

/** How the calls of one credential are counted; see call-window.ts. */
export interface CountStatements {
  /** Counts so many calls and answers with the credential and `window_count`, or does nothing. */
  count(together: number): Query
  /** Answers with the credential, and how many of so many are `fitting`: none of one that is not to be let in. */
  look(waiting: number): Query
}

/** What is known of a credential, and whether this call of it was counted, as which of its window. */
export type Counted<Row> = Row & { reset_ms: number } & (
    | { admitted: true; window_count: number }
    | { admitted: false }
  )

interface Waiting {
  resolve(row: Counted<object> | undefined): void
  reject(error: unknown): void
}
