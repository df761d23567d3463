import { Alert, Button, Group, Text } from '@mantine/core'
import { Declined } from '../client/declined.ts'
import { isProblem, Problem } from '../client/problem.ts'
import { complaintText, titlesOf } from '../copy/complaint.ts'
import { meanwhile, problems } from '../copy/problems.ts'
import { CopyableText } from './copyable-text.tsx'

/**
 * What went wrong, that nothing was lost, and the request id for whoever reads the log.
 * @param reload offers to load the page anew
 */
export function ProblemAlert({
  error,
  retry,
  titles = titlesOf,
  reload = isProblem(error, 'outdated') || isProblem(error, 'second_factor_required'),
}: {
  error: unknown
  retry?: () => void
  /** What the fields are called that it names, where that is known. */
  titles?: (path: string) => string[]
  reload?: boolean
}) {
  if (!error || error instanceof Declined) return null
  const problem = error instanceof Problem ? error : null
  const isMoved = isProblem(error, 'version_mismatch')
  const complaints = problem?.errors.map(({ path, message }) => complaintText(message, titles(path))) ?? []
  // Where it names what is wrong, that is said in the same words as at a field.
  const isSummary = complaints.length > 0 && problem?.code === 'validation_failed'
  return (
    <Alert
      color="red"
      role="alert"
      title={
        isMoved ? meanwhile.title : isSummary ? problems.invalid : (problem?.title ?? problems.unexpected)
      }
      style={{ overflowWrap: 'anywhere' }}
    >
      {!isSummary && (
        <Text size="sm">
          {isMoved ? meanwhile.detail : problem ? problem.message : String((error as Error).message)}
        </Text>
      )}
      {complaints.map((complaint) => (
        <Text key={complaint} size="sm">
          {complaint}
        </Text>
      ))}
      {(retry || reload || isFaultOfService(problem)) && (
        <Group mt="xs" gap="md">
          {retry && (
            <Button size="compact-sm" variant="default" onClick={retry}>
              {problems.retry}
            </Button>
          )}
          {reload && (
            <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
              {problems.reload}
            </Button>
          )}
          {problem?.requestId && (
            <Text size="xs" c="dimmed">
              {problems.requestId} <CopyableText>{problem.requestId}</CopyableText>
            </Text>
          )}
        </Group>
      )}
    </Alert>
  )
}

const isFaultOfService = (problem: Problem | null) => problem !== null && problem.status >= 500
