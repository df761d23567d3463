import type { Task } from '../clock/clock.ts'
import { removeArchivesLeft } from './archives-left.ts'
import { removeOldLinks } from './download-links.ts'
import { scanWaiting } from './scan-file.ts'
import { sweepFiles, sweepStore } from './sweep.ts'

/** What time alone does to files, and to links to them. */
export const fileTasks: readonly Task[] = [
  { name: 'links to files that are too old', everyMinutes: 5, run: (gate) => gate.query(removeOldLinks()) },
  { name: 'files that nothing points at', everyMinutes: 60, runApart: sweepFiles },
  { name: 'bytes that no file has', everyMinutes: 24 * 60, runApart: sweepStore },
  { name: 'archives that a killed process left', everyMinutes: 60, runApart: removeArchivesLeft },
  { name: 'files that wait for the scanner', everyMinutes: 10, runApart: scanWaiting },
]
