import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { NO_WORKER, newWorker, showLife } from './living-workers.ts'

const AGAIN_MS = 1_000

/**
 * The one connection of a working process that is no pool's: it hears the hints of other processes, and its
 * advisory lock shows that the process lives, so that its claims are its own. Lost, it is opened again. All queues of
 * a process share it.
 */
export class WorkerConnection {
  readonly #open: () => pg.Client
  readonly #log: Logger
  readonly #number = newWorker()
  readonly #listeners = new Map<string, (partitions: string[]) => void>()
  readonly #end = new AbortController()
  #client: pg.Client | null = null
  #begun = false
  #beginning: Promise<void> | null = null

  constructor(open: () => pg.Client, log: Logger) {
    this.#open = open
    this.#log = log
  }

  /** The number of this process's claims: its own once it has shown that it lives. */
  get worker(): number {
    return this.#begun ? this.#number : NO_WORKER
  }

  /** To be said before it begins. */
  listen(channel: string, heard: (partitions: string[]) => void): void {
    this.#listeners.set(channel, heard)
  }

  /** Resolves when the process is known to live, however long the database takes to come. Each queue may ask for it. */
  begin(): Promise<void> {
    this.#beginning ??= this.#begin()
    return this.#beginning
  }

  async #begin(): Promise<void> {
    while (!this.#end.signal.aborted && !(await this.#connect()))
      await sleep(AGAIN_MS, undefined, { signal: this.#end.signal }).catch(() => {})
    this.#begun = true
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
      if (!this.#end.signal.aborted) void this.#begin()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ channel, payload }) =>
      this.#listeners.get(channel)?.(payload ? payload.split(',') : []),
    )
    try {
      await client.connect()
      await showLife(client, this.#number)
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`)
      this.#client = client
      return true
    } catch (err) {
      this.#log.warn({ err }, 'the listener for work cannot connect; trying on')
      await client.end().catch(() => {})
      return false
    }
  }
}
