import type pg from 'pg'
import type { Parts } from '../operation.ts'
import { inUnit } from '../unit-of-work.ts'
import { beginWork, endWork } from './losses.ts'

/**
 * What time alone does. Every process has a clock; a lock in the database lets one of them work at a time,
 * so that any number of processes may share it and any of them may stop.
 */
export interface Clock {
  stop(): Promise<void>
}

/** A task of a room, as a value in its list (scheduled-tasks.ts has them all). Each may run again at any moment. */
export type Task = { readonly name: string; readonly everyMinutes: number } & (
  | {
      /** In a transaction of the gate, which ends with it; in one process at a time. */
      readonly run: (gate: pg.ClientBase) => Promise<unknown>
    }
  | {
      /** By itself, in every process: it waits for more than the database, and claims what it takes. */
      readonly runApart: (parts: Parts) => Promise<unknown>
      /** It marks parts of its work by itself (losses.ts), so that one of them does not keep the others. */
      readonly marksItsParts?: true
    }
)

/** How the audit log names it. */
export const CLOCK = { id: 'clock', displayName: 'Clock' }

const MINUTE = 60_000
/** Behind the full minute, so that it has begun in the database as well. */
const BEHIND = 500

/** Runs what is due at once, and then with each minute as it begins: what a day or an hour ends is done as it ends. */
export function startClock(parts: Parts, tasks: readonly Task[]): Clock {
  let minute = 0
  let running: Promise<void> = Promise.resolve()
  const tick = () => {
    const due = tasks.filter((task) => minute % task.everyMinutes === 0)
    minute += 1
    running = running.then(() => runDue(parts, due))
  }
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(
      () => {
        wait()
        tick()
      },
      MINUTE - ((Date.now() - BEHIND) % MINUTE),
    ).unref()
  }
  wait()
  tick()
  return {
    stop: async () => {
      clearTimeout(timer)
      await running
    },
  }
}

/** Runs the tasks one after another, each for itself; where the database does not answer, none. */
export async function runDue(parts: Parts, tasks: readonly Task[]): Promise<void> {
  for (const task of tasks)
    try {
      const isReached = await ('runApart' in task ? runApart(parts, task) : runAlone(parts, task))
      if (!isReached) return
    } catch (err) {
      parts.log.warn({ err, task: task.name }, 'a task of the clock failed')
    }
}

async function runApart(parts: Parts, task: Extract<Task, { runApart: unknown }>): Promise<true> {
  if (task.marksItsParts) await inUnit('task', task.name, () => task.runApart(parts))
  else await unlessItRests(parts, task, () => task.runApart(parts))
  return true
}

/**
 * A task that ended its process again and again is left out for a while. The unit of work is the task only: what holds a
 * mark or a connection for it is outside, and gives that back when the unit fails.
 */
async function unlessItRests(parts: Parts, { name }: Task, run: () => Promise<unknown>): Promise<void> {
  if ((await beginWork(parts, name, '')).rests) return
  try {
    await inUnit('task', name, async () => await run())
  } finally {
    await endWork(parts, name, '')
  }
}

/**
 * Where another process is at it, leaves it to that one.
 * @returns whether the database answered
 */
async function runAlone(parts: Parts, task: Extract<Task, { run: unknown }>): Promise<boolean> {
  const gate = await parts.database.gate.connect().catch(() => null)
  if (!gate) return false
  try {
    await gate.query('begin')
    const { rows } = await gate.query("select pg_try_advisory_xact_lock(hashtext('plumbline.clock')) as mine")
    if (rows[0].mine) await unlessItRests(parts, task, () => task.run(gate))
    await gate.query('commit')
    gate.release()
    return true
  } catch (err) {
    // A connection in an unknown state is not given back; the next minute tries again.
    gate.release(true)
    throw err
  }
}
