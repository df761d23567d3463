import type { Task } from '../clock/clock.ts'
import type { Parts } from '../operation.ts'
import { writeCoverageDays } from './coverage-days.ts'
import { removeOld } from './framework-import.ts'
import { forgetKept } from './framework-migration.ts'

/** What time alone does with frameworks, their imports and their migrations. */
export const frameworkTasks: readonly Task[] = [
  {
    name: 'imports of frameworks that were kept long enough',
    everyMinutes: 10,
    runApart: ({ database }: Parts) => database.engine.query(removeOld()),
  },
  {
    name: 'migrations of frameworks that can be undone no more',
    everyMinutes: 10,
    runApart: ({ database }: Parts) => database.engine.query(forgetKept()),
  },
  { name: 'how far frameworks are today', everyMinutes: 10, runApart: writeCoverageDays },
]
