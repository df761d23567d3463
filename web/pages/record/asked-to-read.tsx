import { Text } from '@mantine/core'
import type { Output } from '../../client/calls.ts'
import { kindIndex } from '../../client/kinds.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Chip } from '../../components/chip.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Day } from '../../components/day.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { DatedMoment } from '../../components/moment.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { acknowledgement } from '../../copy/acknowledgement.ts'
import { record } from '../../copy/record.ts'
import { LOOKS } from '../policies/asked.ts'

const words = record.askedToRead
const round = acknowledgement.round

type Asked = Output<'listAttestationsOfPerson'>['data'][number]

const COLUMNS: readonly Column<Asked>[] = [
  {
    label: words.policy,
    cell: ({ policyId, title }) => (
      <RecordLink kind={kindIndex.policy} id={policyId}>
        <bdi>{title ?? policyId}</bdi>
      </RecordLink>
    ),
  },
  { label: round.columns.version, cell: ({ version }) => version },
  {
    label: round.columns.status,
    cell: ({ status, isOverdue }) => (
      <Chip look={isOverdue ? 'bad' : LOOKS[status]}>
        {isOverdue ? `${round.states[status]}, ${round.isLate}` : round.states[status]}
      </Chip>
    ),
  },
  { label: round.columns.due, cell: ({ dueDate }) => <Day on={dueDate} /> },
  {
    label: words.said,
    cell: ({ acknowledgedAt, exemptReason }) =>
      acknowledgedAt ? <DatedMoment at={acknowledgedAt} /> : exemptReason && <bdi>{exemptReason}</bdi>,
  },
]

/** Which policies somebody of the directory was asked to acknowledge, and what they said. */
export function AskedToRead({ id }: { id: string }) {
  const asked = useAnswer('listAttestationsOfPerson', { id })
  return (
    <Loaded query={asked} lines={4}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm">{words.none}</Text>
        ) : (
          <DataTable label={words.title} rows={data} columns={COLUMNS} />
        )
      }
    </Loaded>
  )
}
