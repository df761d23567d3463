import type pg from 'pg'
import type { Parts } from '../operation.ts'
import { mailShutOffs } from './shut-off-mails.ts'
import {
  sweepAnswers,
  sweepKeys,
  sweepLinks,
  sweepOauth,
  sweepSessions,
  sweepSignInCounts,
  sweepUnfinished,
} from './sweeps.ts'

/**
 * What time alone does. Every process has a clock; a lock in the database lets one of them work at a time,
 * so that any number of processes may share it and any of them may stop.
 */
export interface Clock {
  stop(): Promise<void>
}

export interface Task {
  readonly name: string
  readonly everyMinutes: number
  /** In a transaction of the gate, which ends with it. */
  readonly run: (gate: pg.ClientBase) => Promise<unknown>
}

const TASKS: readonly Task[] = [
  { name: 'keys that expired 30 days ago', everyMinutes: 60, run: sweepKeys },
  { name: 'answers kept for a day', everyMinutes: 60, run: sweepAnswers },
  { name: 'sign-ins and second factors that were never finished', everyMinutes: 5, run: sweepUnfinished },
  { name: 'sessions that are over', everyMinutes: 60, run: sweepSessions },
  { name: 'links that are too old', everyMinutes: 60, run: sweepLinks },
  { name: 'counts whose window has ended', everyMinutes: 60, run: sweepSignInCounts },
  { name: 'tokens and clients that are over', everyMinutes: 60, run: sweepOauth },
]

const MINUTE = 60_000

export function startClock(parts: Parts, tasks: readonly Task[] = TASKS): Clock {
  let minute = 0
  let running: Promise<void> = Promise.resolve()
  const tick = () => {
    const due = tasks.filter((task) => minute % task.everyMinutes === 0)
    minute += 1
    running = running
      .then(() => runDue(parts, due))
      .then(() => mailShutOffs(parts))
      .catch((err) => parts.log.warn({ err }, 'admins could not be told of webhook endpoints that went off'))
  }
  const timer = setInterval(tick, MINUTE)
  timer.unref()
  tick()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** Runs the tasks one after another, each for itself; where another process is at it, leaves them to it. */
export async function runDue(
  { database, log }: Pick<Parts, 'database' | 'log'>,
  tasks: readonly Task[],
): Promise<void> {
  for (const task of tasks) {
    const gate = await database.gate.connect().catch(() => null)
    if (!gate) return
    try {
      await gate.query('begin')
      const { rows } = await gate.query(
        "select pg_try_advisory_xact_lock(hashtext('plumbline.clock')) as mine",
      )
      if (rows[0].mine) await task.run(gate)
      await gate.query('commit')
      gate.release()
    } catch (err) {
      // A connection in an unknown state is not given back; the next minute tries again.
      gate.release(true)
      log.warn({ err, task: task.name }, 'a task of the clock failed')
    }
  }
}
