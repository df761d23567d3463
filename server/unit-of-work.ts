/**
 * Isolates an error that no code caught to the unit of work that raised it.
 *
 * A promise carries its own errors. A timer, an event or a callback does not: what is thrown there reaches the process,
 * which by default ends, and with it the work of every organization. So each unit of work (a delivery, a job, a task of
 * the clock, a request) runs in an asynchronous context of its own. An error without a handler is logged and counted,
 * and rejects the unit in whose context it was thrown. The queue of that unit then applies its usual limit of tries.
 *
 * The process still ends where its own state is in doubt:
 * - Node reports that an invariant of its own is broken.
 * - An exception belongs to no unit. A socket that failed without a listener and a promise that nothing awaited are no
 *   such case: both leave the state as it was.
 * - Errors that belong to no unit come in a loop.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'

export type WorkKind = 'delivery' | 'job' | 'task' | 'request'

interface Unit {
  readonly kind: WorkKind
  readonly id: string
  readonly fail: (error: Error) => void
}

const units = new AsyncLocalStorage<Unit>()
const counts: Record<WorkKind | 'none', number> = { delivery: 0, job: 0, task: 0, request: 0, none: 0 }

/** How many errors were isolated since the start, by the kind of work that raised them. */
export const isolatedFaults = (): Readonly<typeof counts> => counts

/** Runs a unit of work. It rejects with whatever is thrown in its context, also where no promise carries the error. */
export function inUnit<T>(kind: WorkKind, id: string, work: () => Promise<T>): Promise<T> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => {})
  return units.run({ kind, id, fail }, () => Promise.race([work(), failed]))
}

/** The same for work that is no promise: what runs from here on belongs to the unit. */
export function enterUnit(kind: WorkKind, id: string, fail: (error: Error) => void, work: () => void): void {
  units.run({ kind, id, fail }, work)
}

/** So many errors that belong to no unit, within so long, are a loop. */
const LOOP = 50
const LOOP_WITHIN_MS = 10_000

/** @param end ends the process */
export function isolateFaults(log: Logger, end: () => void): void {
  let recent: number[] = []
  const isLoop = (): boolean => {
    const now = performance.now()
    recent = [...recent.filter((at) => now - at < LOOP_WITHIN_MS), now]
    return recent.length > LOOP
  }
  process.on('uncaughtException', (thrown: unknown, origin) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const unit = units.getStore()
    const isContained = unit !== undefined || origin === 'unhandledRejection' || isOfConnection(error)
    if (!isContained || isBroken(error) || (!unit && isLoop())) {
      log.fatal(
        { err: error },
        'An error that no code caught, and that belongs to no unit of work: the service ends.',
      )
      end()
      return
    }
    counts[unit?.kind ?? 'none'] += 1
    log.error(
      { err: error, work: unit?.kind, workId: unit?.id },
      'an error that no code caught: it fails this unit of work and nothing else; report it with this line',
    )
    unit?.fail(error)
  })
}

/** Of a socket, or of TLS on it. */
function isOfConnection(error: Error): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return CALLS_OF_SOCKETS.has(syscall ?? '') || CODES_OF_SOCKETS.has(code) || /^ERR_(SSL|TLS)_/.test(code)
}

const CALLS_OF_SOCKETS = new Set(['connect', 'read', 'write', 'shutdown', 'getaddrinfo'])
const CODES_OF_SOCKETS = new Set(['ECONNRESET', 'EPIPE', 'EPROTO', 'ETIMEDOUT'])

/** A failed check of Node's own invariants leaves the process in an unknown state. */
const isBroken = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ERR_INTERNAL_ASSERTION'
