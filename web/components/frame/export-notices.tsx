import { Anchor, Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../client/calls.ts'
import { useExports } from '../../client/exports.ts'
import { isProblem } from '../../client/problem.ts'
import { follow } from '../../client/send-file.ts'
import { buttons } from '../../copy/buttons.ts'
import { exporting as words } from '../../copy/exporting.ts'
import { AppLink } from '../app-link.tsx'
import { JobProgress } from '../job-acts.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import styles from './export-notices.module.css'

/** On every page: how far the exports have come that were asked for here, and the file of each. */
export function ExportNotices() {
  const [asked, setAsked] = useExports()
  const putAway = (id: string) => setAsked((before) => before.filter((one) => one !== id))
  return (
    <Stack gap="xs" className={styles.notices} role="region" aria-label={words.label}>
      {asked.map((id) => (
        <Notice key={id} id={id} putAway={() => putAway(id)} />
      ))}
    </Stack>
  )
}

const OFTEN = 1_000

function Notice({ id, putAway }: { id: string; putAway: () => void }) {
  const { data: job, error } = useQuery({
    queryKey: ['getJob', { id }],
    queryFn: () => call('getJob', { id }),
    refetchInterval: ({ state: { data } }) => (data?.endedAt ? false : OFTEN),
  })
  const saving = useMutation({
    mutationFn: async () => follow(await call('getJobResult', { id })),
    onSuccess: putAway,
  })
  // Gone, or another's who was here before.
  const isGone = isProblem(error, 'not_found')
  useEffect(() => {
    if (isGone) putAway()
  }, [isGone, putAway])
  if (isGone) return null
  const state = job?.state ?? 'waiting'
  const isUnderWay = state === 'waiting' || state === 'running'
  return (
    <Paper withBorder shadow="md" p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={500} role="status">
          {state === 'succeeded'
            ? words.ready
            : state === 'failed'
              ? words.failed
              : state === 'cancelled'
                ? words.cancelled
                : words.underWay}
        </Text>
        <CloseButton size="sm" aria-label={buttons.close} onClick={putAway} />
      </Group>
      {job && isUnderWay && <JobProgress {...job} />}
      {job?.failure && <Text size="sm">{job.failure}</Text>}
      <ProblemAlert error={saving.error} />
      <Group gap="sm" mt={4}>
        {job?.result && (
          <Button size="compact-sm" loading={saving.isPending} onClick={() => saving.mutate()}>
            {words.download(job.result.name)}
          </Button>
        )}
        <Anchor component={AppLink} href="/account/jobs" size="sm">
          {words.jobs}
        </Anchor>
      </Group>
    </Paper>
  )
}
