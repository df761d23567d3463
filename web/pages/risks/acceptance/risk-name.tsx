import { kindIndex } from '../../../client/kinds.ts'
import type { AnyRecord } from '../../../client/records.ts'
import { RecordLink } from '../../../components/record-link.tsx'

/** What is to be accepted, as people quote it and as it is called. */
export function RiskName({ risk }: { risk: AnyRecord }) {
  return (
    <>
      <RecordLink kind={kindIndex.risk} id={risk.id}>
        {risk.reference}
      </RecordLink>{' '}
      <bdi>{String(risk.title)}</bdi>
    </>
  )
}
