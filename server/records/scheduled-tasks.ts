import type { Task } from '../clock/clock.ts'
import { expireRiskAcceptances } from './expire-risk-acceptances.ts'

/** What time alone does with records. */
export const recordTasks: readonly Task[] = [
  { name: 'risk acceptances whose time is over', everyMinutes: 1, runApart: expireRiskAcceptances },
]
