import { addNextWhenDue } from '../records/next-when-due.ts'
import type { DueListener } from './due-listener.ts'

/** Of what comes again by the calendar the next one is there on the day on which this one is due. */
export const makeNextWhenDue: DueListener = async (context, moments) => {
  for (const { kind, recordId, deadline, threshold } of moments) {
    const isOfIt = kind.repeats && kind.deadlines[deadline]?.field === kind.repeats.deadline
    if (isOfIt && threshold <= 0) await addNextWhenDue(context, kind, recordId)
  }
}
