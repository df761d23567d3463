import type { Task } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'

const removeOld = statement(`
  delete from bulk_changes where (organization_id, id) in (
    select organization_id, id from bulk_changes where kept_until <= clock_now() order by kept_until limit 100)`)

/** What time alone does with changes of many records. */
export const sheetTasks: readonly Task[] = [
  {
    name: 'changes of many records that were kept long enough',
    everyMinutes: 10,
    runApart: ({ database }: Parts) => database.engine.query(removeOld()),
  },
]
