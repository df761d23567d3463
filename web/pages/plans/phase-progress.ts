import type { Values } from '../../../model/complaint.ts'

/* What a plan says of its phases, and what their tasks do. */

export interface Phase {
  readonly key: string
  readonly title: string
  readonly startDate?: string | null
  readonly endDate?: string | null
  readonly status?: 'pending' | 'in_progress' | 'done' | null
}

/** How many tasks are how far. */
export interface Tasks {
  readonly done: number
  readonly begun: number
  readonly open: number
  readonly late: number
}

export const NO_TASKS: Tasks = { done: 0, begun: 0, open: 0, late: 0 }

export function sumOf(all: readonly Tasks[]): Tasks {
  const sum = (of: keyof Tasks) => all.reduce((total, one) => total + one[of], 0)
  return { done: sum('done'), begun: sum('begun'), open: sum('open'), late: sum('late') }
}

export const totalOf = ({ done, begun, open }: Tasks): number => done + begun + open

/** The phases of a plan, the tasks of each by its key, and those that are in none. */
export function phasesOf(plan: Values) {
  const counted = (plan.byPhase as readonly (Tasks & { key: string | null })[] | null) ?? []
  const byPhase = new Map(
    counted.flatMap(({ key, ...tasks }) => (key === null ? [] : [[key, tasks] as const])),
  )
  return {
    phases: (plan.phases as readonly Phase[] | null) ?? [],
    byPhase: byPhase as ReadonlyMap<string, Tasks>,
    outside: counted.find(({ key }) => key === null) ?? NO_TASKS,
  }
}

/**
 * How far a phase is: begun with its first day or a task of it, and done once somebody has said so, until when its end
 * counts.
 * @param now the day it is
 */
export function stateOf(
  { status, startDate }: Phase,
  tasks: Tasks,
  now: string,
): NonNullable<Phase['status']> {
  if (status === 'done') return 'done'
  const isBegun = tasks.done + tasks.begun > 0 || Boolean(startDate && startDate <= now)
  return status === 'in_progress' || isBegun ? 'in_progress' : 'pending'
}
