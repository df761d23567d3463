import { Alert, Group, Stack, Text } from '@mantine/core'
import type { Output } from '../../../client/calls.ts'
import { useAnswer } from '../../../client/use-answer.ts'
import { JobActs, JobProgress } from '../../../components/job-acts.tsx'
import { TextLink } from '../../../components/links.tsx'
import { matrixEditor } from '../../../copy/matrix-editor.ts'

const words = matrixEditor.recalculation

/** How far the records are brought up to the matrix, while they are not; and how many risks it moved. */
export function Recalculation({
  matrix: { version, recalculation: of, risksMoved },
}: {
  matrix: Output<'getRiskMatrix'>
}) {
  if (risksMoved !== null)
    return (
      <Text size="sm" role="status">
        {words.done(version, risksMoved)}
      </Text>
    )
  if (of === null || of.state === 'succeeded') return null
  const isUnderWay = of.state === 'waiting' || of.state === 'running'
  return (
    <Alert
      role="status"
      color={isUnderWay ? 'indigo' : 'yellow'}
      title={isUnderWay ? words.title : words.stopped}
    >
      <Stack gap="xs">
        {!isUnderWay && <Text size="sm">{words.stoppedText}</Text>}
        <Group gap="md">
          <JobProgress title={words.title} done={of.done} total={of.total} />
          <Acts id={of.jobId} state={of.state} />
          <TextLink to="/account/jobs">{words.jobs}</TextLink>
        </Group>
      </Stack>
    </Alert>
  )
}

function Acts({ id, state }: { id: string; state: string }) {
  // Read again with each state that it comes to.
  const { data } = useAnswer('getJob', { id }, { refetchInterval: state === 'running' ? 2_000 : false })
  return data ? <JobActs job={data} /> : null
}
