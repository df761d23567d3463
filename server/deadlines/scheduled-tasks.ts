import type { Task } from '../clock/clock.ts'
import { takeTurn } from './turn.ts'

/** What time alone does with the deadlines of records. */
export const deadlineTasks: readonly Task[] = [
  { name: 'deadlines that have come', everyMinutes: 1, runApart: takeTurn, marksItsParts: true },
]
