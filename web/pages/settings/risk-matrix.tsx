import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { RiskMatrix } from '../../../model/risk-matrix.ts'
import { complaintsOf, matrixChanges } from '../../../model/risk-matrix-change.ts'
import { call, type Output } from '../../client/calls.ts'
import { queries } from '../../client/queries.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { matrixEditor as words } from '../../copy/matrix-editor.ts'
import { AppetiteFields } from './risk-matrix/appetite.tsx'
import { CellTable } from './risk-matrix/cells.tsx'
import { LevelFields } from './risk-matrix/levels.tsx'
import { Recalculation } from './risk-matrix/recalculation.tsx'
import { Review } from './risk-matrix/review.tsx'
import { StepFields } from './risk-matrix/steps.tsx'
import { Versions } from './risk-matrix/versions.tsx'

type Answer = Output<'getRiskMatrix'>

const OFTEN = 2_000

export function RiskMatrixSettingsPage() {
  const [isRunning, setIsRunning] = useState(false)
  const matrix = useAnswer('getRiskMatrix', {}, { refetchInterval: isRunning && OFTEN })
  const state = matrix.data?.recalculation?.state
  const runs = state === 'waiting' || state === 'running'
  if (runs !== isRunning) setIsRunning(runs)
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      <Loaded query={matrix} lines={8}>
        {(data) => <Editor key={data.version} answer={data} />}
      </Loaded>
    </Stack>
  )
}

/** What of an answer is the matrix itself. */
const matrixOf = ({ likelihoods, impacts, levels, cells, appetite }: Answer): RiskMatrix =>
  ({ likelihoods, impacts, levels, cells, appetite }) as RiskMatrix

function Editor({ answer }: { answer: Answer }) {
  const stands = matrixOf(answer)
  const [draft, setDraft] = useState(stands)
  const [taken, setTaken] = useState<number | null>(null)
  const [isReviewed, setIsReviewed] = useState(false)
  const complaints = complaintsOf(draft)
  const changed = Object.keys(matrixChanges(stands, draft)).length
  const isWrong = (path: string) => complaints.some((one) => one.path === path || one.against === path)
  const [complaint] = complaints
  const set = (part: Partial<RiskMatrix>) => setDraft((before) => ({ ...before, ...part }))
  const take = async (version: number) => {
    setDraft(matrixOf(await call('getRiskMatrix', { version })))
    setTaken(version)
    scrollTo({ top: 0 })
  }
  const apply = async (reason: string) => {
    const after = await call('updateRiskMatrix', {
      ifMatch: answer.version,
      ...(reason && { reason }),
      ...(draft as object),
    })
    queries.setQueryData(['getRiskMatrix', {}], after)
    await readAgain('getSession', 'listRiskMatrixVersions', 'listJobs')
  }
  return (
    <Stack gap="lg">
      <Recalculation matrix={answer} />
      {taken !== null && <Alert role="status">{words.versions.taken(taken)}</Alert>}
      <Paper withBorder p={{ base: 'xs', sm: 'md' }}>
        <CellTable matrix={draft} change={(cells) => set({ cells })} isWrong={isWrong} />
      </Paper>
      <LevelFields matrix={draft} change={(levels) => set({ levels })} isWrong={isWrong} />
      <StepFields part="likelihoods" matrix={draft} change={set} isWrong={isWrong} />
      <StepFields part="impacts" matrix={draft} change={set} isWrong={isWrong} />
      <AppetiteFields matrix={draft} change={(appetite) => set({ appetite })} />
      {complaints.length > 0 && (
        <Alert color="red" role="alert" title={words.faults}>
          <ul style={{ margin: 0 }}>
            {complaints.map(({ path, message }) => (
              <li key={path + message}>{words.fault(path, message, draft)}</li>
            ))}
          </ul>
        </Alert>
      )}
      <Group gap="md" pos="sticky" bottom={0} py="sm" bg="var(--mantine-color-body)" style={{ zIndex: 1 }}>
        <Button disabled={changed === 0 || complaints.length > 0} onClick={() => setIsReviewed(true)}>
          {words.review}
        </Button>
        <Button
          variant="default"
          disabled={changed === 0}
          onClick={() => {
            setDraft(stands)
            setTaken(null)
          }}
        >
          {words.discard}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {changed === 0 ? words.unchanged : words.changed(changed)}
        </Text>
        {complaint && (
          <Text size="sm" c="red" flex="1 1 18rem">
            {words.notYet(words.fault(complaint.path, complaint.message, draft), complaints.length - 1)}
          </Text>
        )}
      </Group>
      <Versions current={answer} take={(version) => void take(version)} />
      {isReviewed && <Review draft={draft} apply={apply} close={() => setIsReviewed(false)} />}
    </Stack>
  )
}
