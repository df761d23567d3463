import type { Kind } from '../../model/kind.ts'
import { nextDue, type Recurrence } from '../../model/recurrence.ts'
import type { TransactionContext } from '../operation.ts'
import { changeRecord } from './change-record.ts'
import { createRecord } from './create-record.ts'
import { copyOf, todayHere } from './next-record.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

/**
 * The next of a record whose rule has it made when the record is due, whether or not that is done: once, by the service.
 * @throws as `createRecord` does
 */
export async function addNextWhenDue(context: TransactionContext, kind: Kind, id: string): Promise<void> {
  const { repeats } = kind
  if (!repeats) return
  const { before } = await lockRecord(context, tableOf(kind), id)
  const rule = before[repeats.by] as Recurrence | null
  if (rule?.next !== 'when_due' || before[repeats.made] === true) return
  // Whatever it says of lateness: nobody waits for it to be done. What was missed meanwhile is over.
  const unmoved = { ...rule, overdue: undefined }
  const due = nextDue(unmoved, String(before[repeats.deadline]), await todayHere(context.tx))
  if (due === null) return
  await changeRecord(context, kind, id, { set: { [repeats.made]: true } })
  await createRecord(context, kind, {
    set: await copyOf(context.tx, kind, repeats, before, due),
  })
}
