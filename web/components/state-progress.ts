import type { DescribedKind } from '../../model/described-kind.ts'
import { machineOf } from '../../model/roles.ts'
import { isByAction } from '../../model/states.ts'

export type Progress = 'begun' | 'underWay' | 'resting' | 'done' | 'ended'

/**
 * How far a state is on the way of its machine: where one begins, where one is meant to come to, what ends there
 * otherwise, and what lies between. What ends a record is terminal; in a machine besides, what leads nowhere.
 */
export function progressOf(kind: DescribedKind, field: string, state: string): Progress {
  const machine = machineOf(kind, field)
  if (!machine) return 'resting'
  const { next } = machine
  const states = Object.keys(next)
  const ends =
    kind.terminal?.field === field ? kind.terminal.values : states.filter((one) => !next[one]!.length)
  const done = machine.done ?? [ends[0] ?? states.at(-1)!]
  if (done.includes(state)) return 'done'
  if (ends.includes(state)) return 'ended'
  if (state === kind.defaults[field] || state === states[0]) return 'begun'
  // Where a way goes on beyond what it was meant to come to, it rests there.
  const isPast = ends.length === 0 && states.indexOf(state) > states.indexOf(done.at(-1)!)
  return isPast || isByAction(machine, state) || !next[state]?.length ? 'resting' : 'underWay'
}
