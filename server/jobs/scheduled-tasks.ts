import type { Task } from '../clock/clock.ts'
import type { Parts } from '../operation.ts'
import { removeOld } from './statements.ts'

const removeOldJobs = ({ database }: Parts) => database.engine.query(removeOld())

/** What time alone does with jobs. */
export const jobTasks: readonly Task[] = [
  { name: 'jobs that were kept long enough', everyMinutes: 5, runApart: removeOldJobs },
]
