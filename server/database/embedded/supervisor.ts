import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from './server.ts'

/*
 * Keeps a server running. PostgreSQL looks after its own children; what it cannot survive is the loss of its
 * first process. Then it is started again, at once and from then on less and less often, on the same socket:
 * those who use it see broken connections for a moment and need to know nothing. A server that does not come
 * back for minutes is given up, and the service ends with what it said last.
 */

const PAUSES = [0, 200, 500, 1000, 2000, 5000]
const GIVEN_UP_AFTER = 180_000

export interface Supervised {
  /** The error that made us give up, or null after `stop()`. */
  readonly exited: Promise<Error | null>
  stop(): Promise<void>
}

/** Starts a server and keeps it running. Refuses where the first start fails. */
export async function supervise(
  start: () => Promise<RunningServer>,
  log: (line: string) => void,
): Promise<Supervised> {
  let server = await start()
  const ending = new AbortController()

  const exited = (async () => {
    for (;;) {
      await server.gone
      if (ending.signal.aborted) return null
      log('PostgreSQL ended unexpectedly; starting it again')
      const next = await startAgain(start, log, ending.signal)
      if (next instanceof Error) return next
      server = next
      if (ending.signal.aborted) await server.stop()
      else log('PostgreSQL runs again')
    }
  })()

  return {
    exited,
    stop: async () => {
      ending.abort()
      await server.stop()
      await exited
    },
  }
}

async function startAgain(
  start: () => Promise<RunningServer>,
  log: (line: string) => void,
  ending: AbortSignal,
): Promise<RunningServer | Error> {
  const since = Date.now()
  for (let round = 0; ; round += 1) {
    await sleep(PAUSES[Math.min(round, PAUSES.length - 1)], undefined, { signal: ending }).catch(() => {})
    try {
      return await start()
    } catch (error) {
      log((error as Error).message)
      if (ending.aborted || Date.now() - since > GIVEN_UP_AFTER) return error as Error
    }
  }
}
