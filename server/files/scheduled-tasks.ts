import type { Task } from '../clock/clock.ts'
import { removeOldLinks } from './download-links.ts'

/** What time alone does to files, and to links to them. */
export const fileTasks: readonly Task[] = [
  { name: 'links to files that are too old', everyMinutes: 5, run: (gate) => gate.query(removeOldLinks()) },
]
