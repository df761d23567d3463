import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '..')
const SECONDS_TO_STOP = 28
const { PATH = '', NODE_COMPILE_CACHE = '', MALLOC_ARENA_MAX = '' } = process.env

/** A program of this repository as a process of its own. */
export interface Child {
  readonly pid: number
  /** The process itself, to speak with where it has a channel. */
  readonly process: ChildProcess
  /** What it has written so far. */
  log(): string
  /** Asks it to end, and waits; may be called again. */
  stop(): Promise<void>
}

export interface ChildOptions {
  /** The file it writes to. */
  readonly log: string
  readonly environment?: Record<string, string>
  readonly nodeOptions?: readonly string[]
  readonly arguments?: readonly string[]
  readonly withChannel?: boolean
}

/**
 * Starts it in a session of its own, so that Ctrl-C reaches us alone and we end it in our order, and tied to
 * our life, so that it ends too where we are killed. Of our environment it gets the path, and what bin/run sets
 * for every start.
 */
export function startChild(file: string, options: ChildOptions): Child {
  const log = openSync(options.log, 'a', 0o600)
  const tether = join(root, 'bin/tether.cjs')
  const args = [
    ...(options.nodeOptions ?? []),
    '--require',
    tether,
    join(root, file),
    ...(options.arguments ?? []),
  ]
  const child = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      MALLOC_ARENA_MAX,
      PLUMBLINE_PARENT: String(process.pid),
      ...options.environment,
    },
    stdio: options.withChannel ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
    serialization: 'advanced',
  })
  closeSync(log)
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return {
    pid: child.pid ?? 0,
    process: child,
    log: () => readFileSync(options.log, 'utf8'),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      child.kill('SIGTERM')
      const late = new AbortController()
      const patience = sleep(SECONDS_TO_STOP * 1000, null, { signal: late.signal })
        .then(() => child.kill('SIGKILL'))
        .catch(() => {})
      await gone
      late.abort()
      await patience
    },
  }
}

/** The next message of a child's channel. */
export function messageOf({ process, log }: Child): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const ended = () => reject(new Error(`a process of the bench ended by itself:\n${log()}`))
  process.once('message', resolve).once('exit', ended)
  return promise.finally(() => process.off('message', resolve).off('exit', ended))
}
