import type { DescribedKind } from '../../../model/described-kind.ts'
import type { RecordOperation } from '../../client/record-operations.ts'
import type { AnyRecord } from '../../client/records.ts'

/** What the dialog of an operation on a record is given. */
export interface DialogProps {
  operation: RecordOperation
  kind: DescribedKind
  record: AnyRecord
  close: () => void
}
