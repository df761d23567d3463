import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { call } from '../../client/calls.ts'
import { readRecordsAgain } from '../../client/records.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { importing, bulkEdit as words } from '../../copy/imports.ts'
import { JobActs, JobProgress } from '../job-acts.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { DoneCounts, PlannedCounts } from './counts.tsx'
import { RowProblems } from './problems.tsx'

const OFTEN = 700

/** One change for many records: what it would do, and then, as a job, that. */
export function BulkChangeDialog({
  kind,
  ids,
  change,
  close,
}: {
  kind: KindEntry
  ids: readonly string[]
  change: Values
  close: () => void
}) {
  const starting = useMutation({
    mutationFn: () => call('startBulkEdit', { type: kind.name, ids: [...ids], change }),
  })
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    starting.mutate()
  }, [starting.mutate])
  const id = starting.data?.id ?? ''
  const { data: bulk, refetch } = useQuery({
    queryKey: ['getBulkChange', { id }],
    queryFn: () => call('getBulkChange', { id }),
    enabled: id !== '',
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? OFTEN : false),
  })
  const applying = useMutation({
    mutationFn: () => call('applyBulkChange', { id, rows: 'good' }),
    onSuccess: () => refetch(),
  })
  const isOver = bulk?.stage === 'applied'
  useEffect(() => {
    if (isOver) void readRecordsAgain(kind)
  }, [isOver, kind])
  const writes = bulk?.planned?.change ?? 0
  return (
    <Modal opened onClose={close} title={words.title(ids.length, kind.noun)} size="lg">
      <Stack gap="sm">
        <ProblemAlert error={starting.error ?? applying.error} />
        {bulk && (
          <>
            {bulk.job && isUnderWay(bulk) && (
              <>
                <Text size="sm" role="status">
                  {bulk.stage === 'planning' ? words.running : words.carrying}
                </Text>
                <Group>
                  <JobProgress {...bulk.job} />
                  <JobActs job={bulk.job} />
                </Group>
              </>
            )}
            {bulk.job?.failure && <Text size="sm">{bulk.job.failure}</Text>}
            {bulk.stage === 'planned' && <PlannedCounts planned={bulk.planned} />}
            {bulk.stage === 'planned' && (bulk.planned?.error ?? 0) > 0 && (
              <RowProblems bulk={bulk} filter={{ planned: ['error'] }} title={importing.plan.refused} />
            )}
            {isOver && <DoneCounts done={bulk.done} />}
            {isOver && (bulk.done?.refused ?? 0) > 0 && (
              <RowProblems bulk={bulk} filter={{ done: ['refused'] }} title={importing.plan.refused} />
            )}
            {bulk.stage === 'applying' && (
              <Text size="sm" c="dimmed">
                {words.leave}
              </Text>
            )}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {bulk?.stage === 'planned' || !bulk ? words.cancel : words.close}
          </Button>
          {bulk?.stage === 'planned' && writes > 0 && (
            <Button onClick={() => applying.mutate()} loading={applying.isPending}>
              {words.apply(writes)}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

const isUnderWay = ({ stage, job }: BulkChange): boolean =>
  (stage === 'planning' || stage === 'applying') && job?.endedAt === null
