import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestService } from './service.ts'

/** Processes that work the jobs of a test's service, to be ended as the test likes. */
export class JobWorkers {
  readonly #one: TestService
  readonly #settings: Record<string, string>
  readonly #running = new Set<ChildProcess>()

  /** @param settings beside those that every service has */
  constructor(one: TestService, settings: Record<string, string> = {}) {
    this.#one = one
    this.#settings = settings
  }

  /** @returns one that is ready */
  async start(): Promise<ChildProcess> {
    const worker = fork(fileURLToPath(new URL('./job-worker.ts', import.meta.url)), {
      env: {
        ...process.env,
        LOG_LEVEL: 'silent',
        METRICS_PORT: '0',
        ROLE: 'worker',
        ...this.#settings,
        TEST_URL: this.#one.database.url,
        TEST_MASTER_KEY: this.#one.masterKey,
      },
      execArgv: [],
    })
    this.#running.add(worker)
    await once(worker, 'message')
    return worker
  }

  async end(worker: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#running.delete(worker)
    const ended = once(worker, 'exit')
    worker.kill(signal)
    await ended
  }

  async endAll(): Promise<void> {
    for (const worker of [...this.#running]) await this.end(worker)
  }
}
