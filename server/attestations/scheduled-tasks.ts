import type { Task } from '../clock/clock.ts'
import { remindReaders, settleChanged, settleRounds } from './reminders.ts'

export const attestationTasks: readonly Task[] = [
  { name: 'who joined or left the audience of a policy', everyMinutes: 15, runApart: settleRounds },
  { name: 'whom policies ask that were changed', everyMinutes: 1, runApart: settleChanged },
  { name: 'who has yet to read a policy', everyMinutes: 1, runApart: remindReaders, marksItsParts: true },
]
