import type { Kind } from '../../model/kind.ts'
import { answer, tell } from '../journal/tell.ts'
import type { NewDelivery } from '../journal/write.ts'
import type { TransactionContext } from '../operation.ts'
import { answeredBy, noticesOf, type WrittenRecord } from './notices.ts'
import type { Table } from './table.ts'

/** Tells whom a write concerns, with the write. */
export const tellOf = (
  { tx, caller }: TransactionContext,
  kind: Kind,
  written: readonly WrittenRecord[],
): void => {
  answer(tx, answeredBy(kind, written))
  tell(tx, caller, noticesOf(kind, caller, written))
}

/** Sends a write along, with room for what it sends, which leaves when it is committed. */
export function journal({ tx, parts }: TransactionContext, write: ReturnType<Table['insert']>): void {
  const reservation = parts.reserveSends(tx.organizationId)
  const { query, deliveriesOf } = write(reservation)
  let made: NewDelivery[] = []
  tx.write(query, (rows) => {
    made = deliveriesOf(rows)
  })
  tx.afterCommit(() => reservation.committed(made))
  tx.afterFailure((error) => reservation.failed(error))
}

/** Sends a write of many along; what leaves by it is claimed once it is committed. */
export function journalMany({ tx, parts }: TransactionContext, write: ReturnType<Table['insertMany']>): void {
  tx.write(write, (rows) => {
    const waiting = rows.map(({ endpointId }) => endpointId as string)
    if (waiting.length > 0) tx.afterCommit(() => parts.wakeSends(waiting))
  })
}
