import { useAnswer } from '../../client/use-answer.ts'
import { writtenDay } from '../../components/day.tsx'
import { policies } from '../../copy/policies.ts'
import type { DialogProps } from '../record/dialog-props.ts'
import { OperationDialog } from '../record/operation-dialog.tsx'

/** Publishes a version: whom that asks, how many mails leave, and from when it is in force, is said before. */
export function PublishDialog({ operation, record, ...rest }: DialogProps) {
  const { data } = useAnswer('getPolicyVersionAudience', { id: record.id })
  const description = data
    ? policies.publishing.text(String(record.label), data, writtenDay(data.dueDate), {
        day: writtenDay(data.effectiveDate),
        isPast: data.effectiveDate < data.today,
        isAhead: data.effectiveDate > data.today,
      })
    : null
  return <OperationDialog {...rest} operation={{ ...operation, description }} record={record} />
}
