import { useAnswer } from '../../client/use-answer.ts'
import { acknowledgement } from '../../copy/acknowledgement.ts'
import type { DialogProps } from '../record/dialog-props.ts'
import { OperationDialog } from '../record/operation-dialog.tsx'

/** Retires a policy: what of its acknowledgement ends with it is said before. */
export function RetireDialog({ operation, record, ...rest }: DialogProps) {
  const { data } = useAnswer('listAttestations', { policyId: record.id, limit: 1 })
  const open = data ? data.counts.requested + data.counts.viewed : null
  const description = [operation.description, open !== null && acknowledgement.retiring(open)]
    .filter(Boolean)
    .join(' ')
  return <OperationDialog {...rest} operation={{ ...operation, description }} record={record} />
}
