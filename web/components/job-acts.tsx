import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Output } from '../client/calls.ts'
import { readAgain } from '../client/use-answer.ts'
import { jobs as words } from '../copy/jobs.ts'
import { DangerDialog } from './danger-dialog.tsx'
import { ProblemAlert } from './problem-alert.tsx'

export type Job = Output<'listJobs'>['data'][number]

const isUnderWay = ({ state }: Pick<Job, 'state'>): boolean => state === 'waiting' || state === 'running'

/** How far a job has come, in a bar and in numbers. */
export function JobProgress({
  title,
  state,
  done,
  total,
}: Pick<Job, 'title' | 'done' | 'total'> & Partial<Pick<Job, 'state'>>) {
  if (state === 'cancelled' && done === 0) return words.nothing
  return (
    <Group gap="xs" wrap="nowrap">
      {total !== null && total > 0 && (
        <progress value={done} max={total} aria-label={words.progress(title)} style={{ width: '7rem' }} />
      )}
      <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {words.done(done, total)}
      </span>
    </Group>
  )
}

/** What can be done with a job: it is stopped, or goes on where it was. */
export function JobActs({
  job,
}: {
  job: Pick<Job, 'id' | 'title' | 'state' | 'canResume' | 'isCancelAsked'>
}) {
  const [isAsked, setIsAsked] = useState(false)
  const { id, title } = job
  const told = () => readAgain('listJobs', 'getJob', 'listBulkChanges', 'getBulkChange', 'getRiskMatrix')
  const resuming = useMutation({ mutationFn: () => call('resumeJob', { id }), onSettled: told })
  return (
    <>
      {isUnderWay(job) && (
        <Button
          variant="default"
          size="xs"
          disabled={job.isCancelAsked}
          aria-label={words.stopOf(title)}
          onClick={() => setIsAsked(true)}
        >
          {job.isCancelAsked ? words.stopping : words.stop}
        </Button>
      )}
      {job.canResume && (
        <Button
          variant="default"
          size="xs"
          loading={resuming.isPending}
          aria-label={words.resumeOf(title)}
          onClick={() => resuming.mutate()}
        >
          {words.resume}
        </Button>
      )}
      <ProblemAlert error={resuming.error} />
      {isAsked && (
        <DangerDialog
          title={words.question.title(title)}
          text={words.question.text}
          verb={words.stop}
          act={() => call('cancelJob', { id }).finally(told)}
          close={() => setIsAsked(false)}
        />
      )}
    </>
  )
}
