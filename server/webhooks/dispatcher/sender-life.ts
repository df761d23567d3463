import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { SENDER_LOCK } from './lost-senders.ts'

/** Processes that do not dispatch tell the others by this channel. */
export const CHANNEL = 'plumbline_webhooks'

const AGAIN_MS = 1_000

/**
 * The one connection of a dispatching process that is no pool's: it hears the hints of other processes, and its
 * advisory lock shows that the process lives, so that its claims are its own. Lost, it is opened again.
 */
export class SenderLife {
  readonly #open: () => pg.Client
  readonly #sender: number
  readonly #log: Logger
  readonly #heard: (endpointIds: string[]) => void
  #client: pg.Client | null = null
  readonly #end = new AbortController()

  constructor(open: () => pg.Client, sender: number, log: Logger, heard: (endpointIds: string[]) => void) {
    this.#open = open
    this.#sender = sender
    this.#log = log
    this.#heard = heard
  }

  /** Resolves when the process is known to live, however long the database takes to come. */
  async begin(): Promise<void> {
    while (!this.#end.signal.aborted && !(await this.#connect()))
      await sleep(AGAIN_MS, undefined, { signal: this.#end.signal }).catch(() => {})
  }

  async end(): Promise<void> {
    this.#end.abort()
    await this.#client?.end().catch(() => {})
  }

  async #connect(): Promise<boolean> {
    const client = this.#open()
    let over = false
    const lost = (): void => {
      if (over || this.#client !== client) return
      over = true
      this.#client = null
      if (!this.#end.signal.aborted) void this.begin()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => this.#heard(payload ? payload.split(',') : []))
    try {
      await client.connect()
      await client.query('select pg_advisory_lock_shared($1, $2)', [SENDER_LOCK, this.#sender])
      await client.query(`listen ${CHANNEL}`)
      this.#client = client
      return true
    } catch (err) {
      this.#log.warn({ err }, 'the webhook listener cannot connect; trying on')
      await client.end().catch(() => {})
      return false
    }
  }
}
