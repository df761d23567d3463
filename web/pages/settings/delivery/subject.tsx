import { nameOf } from '../../../../model/roles.ts'
import { kindOf } from '../../../client/journal.ts'
import type { AnyRecord } from '../../../client/records.ts'
import { RecordLink } from '../../../components/record-link.tsx'

/**
 * The record that a signal is about, as it was called when the signal was raised.
 * @returns null for what is about no record: a test, or the message of a workflow
 */
export function subjectOf(body: string): React.ReactNode {
  const { subject, data } = JSON.parse(body) as {
    subject?: { type: string; id: string }
    data: { record?: AnyRecord }
  }
  const kind = subject && kindOf(subject.type)
  if (!kind || !data.record) return null
  const { id, reference } = data.record
  return (
    <RecordLink kind={kind} id={id}>
      {reference} <bdi>{nameOf(kind, data.record)}</bdi>
    </RecordLink>
  )
}
