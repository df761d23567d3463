import type pg from 'pg'
import { Burst } from './burst.ts'
import type { Query, Row } from './connect.ts'
import { statement } from './connect.ts'
import { isAway } from './errors.ts'

/**
 * A transaction over the rows of one organization, in two bursts.
 *
 * Each round trip costs more than the row security it carries, so nothing here waits that need not:
 * `begin` and the settings leave together with the first read, and a write leaves together with the
 * commit. `write` therefore returns nothing; what it did is known when the transaction ends, where a
 * failed write turns the commit into a rollback and its error is thrown.
 *
 * Should `begin` itself fail, the settings are local to no transaction and the statements behind them
 * see no rows: the pipeline fails closed.
 */
export class Transaction {
  readonly organizationId: string
  /** The database's clock as the transaction begins, ISO 8601. */
  readonly now: Promise<string>
  #client: pg.PoolClient
  #sent: Promise<unknown>[] = []
  /** What leaves as this turn of the event loop ends. */
  #burst: Burst | null = null
  #afterCommit: (() => void)[] = []
  #afterFailure: ((error: unknown) => void | Promise<void>)[] = []

  constructor(client: pg.PoolClient, organizationId: string, timeoutMs?: number) {
    this.#client = client
    this.organizationId = organizationId
    void this.#send(begin())
    const entering =
      timeoutMs === undefined ? enter(organizationId) : enterWithTimeout(organizationId, String(timeoutMs))
    this.now = this.#send(entering).then(([row]) => row!.now as string)
    this.now.catch(() => {})
  }

  /** Rows of a statement that the caller needs to go on. */
  read<R = Row>(query: Query): Promise<R[]> {
    return this.#send(query) as Promise<R[]>
  }

  /**
   * One statement of this transaction in the gate's role: for what no organization holds (a person, a new
   * organization), written with what does. Its other statements keep to the organization.
   */
  readAsGate<R = Row>(query: Query): Promise<R[]> {
    void this.#send(become('plumbline_gate'))
    const rows = this.read<R>(query)
    void this.#send(become('plumbline_tenant'))
    return rows
  }

  /** Sends a statement along in the gate's role, as `readAsGate` does. */
  writeAsGate(query: Query): void {
    void this.#send(become('plumbline_gate'))
    this.write(query)
    void this.#send(become('plumbline_tenant'))
  }

  /** Sends a statement along; `then` sees its rows before the transaction ends. */
  write(query: Query, then?: (rows: Row[]) => void): void {
    const sent = this.#send(query)
    if (then) this.#sent.push(sent.then(then).catch(() => {}))
  }

  /** Runs once the commit has been answered, in the order given; must not throw. */
  afterCommit(work: () => void): void {
    this.#afterCommit.push(work)
  }

  /** Runs where it was rolled back, or, with the connection lost, nobody knows; must not throw. Whoever is told waits for it. */
  afterFailure(work: (error: unknown) => void | Promise<void>): void {
    this.#afterFailure.push(work)
  }

  async commit(): Promise<void> {
    void this.#send(end())
    const failed = (await Promise.allSettled(this.#sent)).find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    for (const work of this.#afterCommit) work()
  }

  /** Why a statement failed behind one that had failed before: for what ended that one. */
  async causeOf(error: unknown): Promise<unknown> {
    const failed = (await Promise.allSettled(this.#sent)).filter((one) => one.status === 'rejected')
    if (!failed.some(({ reason }) => reason === error)) return error
    const { reason } = failed[0]!
    // It was made where the answer was read: whoever reads the log wants to know who asked.
    if (reason instanceof Error) Error.captureStackTrace(reason)
    return reason
  }

  /** @param error why */
  async rollback(error: unknown): Promise<void> {
    void this.#send(takeBack())
    await Promise.allSettled(this.#sent)
    await Promise.all(this.#afterFailure.map((work) => work(error)))
  }

  #send(query: Query): Promise<Row[]> {
    const sent = this.#nextBurst().add(query)
    // Failures are looked at where the transaction ends; until then none may count as unhandled.
    sent.catch(() => {})
    this.#sent.push(sent)
    return sent
  }

  #nextBurst(): Burst {
    if (this.#burst) return this.#burst
    const burst = new Burst()
    this.#burst = burst
    process.nextTick(() => {
      this.#burst = null
      void this.#client.query(burst)
    })
    return burst
  }
}

const begin = statement('begin')
const end = statement('commit')
const takeBack = statement('rollback')

const become = statement("select set_config('role', $1, true)")

const enter = statement(
  `select set_config('role', 'plumbline_tenant', true), set_config('plumbline.organization', $1, true),
    clock_now() as now`,
)

/** Of the statements that follow, each is ended by PostgreSQL after so many milliseconds. */
const enterWithTimeout = statement(
  `select set_config('role', 'plumbline_tenant', true), set_config('plumbline.organization', $1, true),
    set_config('statement_timeout', $2, true), clock_now() as now`,
)

/**
 * Runs `work` in a transaction of no organization: only what it does as the gate sees any row. It waits for
 * the disk, unlike the gate's own pool, so it is for what must never be forgotten.
 */
export const gateTransaction = <T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  transaction(pool, '', work)

/**
 * Runs `work` in a transaction of one organization and commits it.
 * @param timeoutMs how long each statement may take, where that is less than for any other
 * @throws what `work` or any of its statements throws, after a rollback
 */
export async function transaction<T>(
  pool: pg.Pool,
  organizationId: string,
  work: (tx: Transaction) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const client = await pool.connect()
  const tx = new Transaction(client, organizationId, timeoutMs)
  let isLost = false
  try {
    const result = await work(tx)
    await tx.commit()
    return result
  } catch (thrown) {
    const error = await tx.causeOf(thrown)
    isLost = isAway(error)
    await tx.rollback(error)
    throw error
  } finally {
    // A connection to a server that has become a standby is good for nothing, and would stay so for ever.
    client.release(isLost)
  }
}
