import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { call } from '../../client/calls.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { bulkEdit as words } from '../../copy/imports.ts'
import { JobActs, JobProgress } from '../job-acts.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { PlannedCounts } from './counts.tsx'
import { ChangeGroups, ProblemGroups } from './groups.tsx'

const OFTEN = 700

/** One change for records, or for some of them another; a change that is taken back; or one that was begun before. */
export type BulkEdit =
  | { readonly count: number; readonly changes: readonly { ids: string[]; change: Values }[] }
  | { readonly count: number; readonly undoes: string; readonly file?: string | undefined }
  | { readonly count: number; readonly begun: string }

/** What a change of many records would do, and then that: a few at once, many as a job. */
export function BulkChangeDialog({
  kind,
  edit,
  applied,
  close,
}: {
  kind: KindEntry
  edit: BulkEdit
  /** Told once it is over. */
  applied: (bulk: BulkChange) => void
  close: () => void
}) {
  const starting = useMutation({
    mutationFn: () =>
      'begun' in edit
        ? call('getBulkChange', { id: edit.begun })
        : 'undoes' in edit
          ? call('undoBulkChange', { id: edit.undoes })
          : call('startBulkEdit', { type: kind.name, changes: [...edit.changes] }),
  })
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    starting.mutate()
  }, [starting.mutate])
  const id = starting.data?.id ?? ''
  const kept = useQueryClient()
  const queryKey = ['getBulkChange', { id }]
  const { data: read } = useQuery({
    queryKey,
    queryFn: () => call('getBulkChange', { id }),
    enabled: id !== '',
    ...(starting.data ? { initialData: starting.data } : {}),
    staleTime: OFTEN,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? OFTEN : false),
  })
  const applying = useMutation({
    mutationFn: (id: string) => call('applyBulkChange', { id, rows: 'good' }),
    onSuccess: (after) => (after.stage === 'applied' ? applied(after) : kept.setQueryData(queryKey, after)),
  })
  const bulk = id === '' ? undefined : read
  const isUndo = 'undoes' in edit || (bulk?.undoes ?? null) !== null
  const file = 'undoes' in edit ? edit.file : bulk?.file?.name
  // Where all of it goes back as it was, there is nothing to decide, however long it took to see that; unless records go.
  const { error = 0, delete: deletes = 0 } = bulk?.planned ?? {}
  const goesBack = 'undoes' in edit && bulk?.stage === 'planned' && error + deletes === 0 && !applying.error
  useEffect(() => {
    if (goesBack && applying.isIdle) applying.mutate(id)
  }, [goesBack, applying.isIdle, applying.mutate, id])
  const isOver = bulk?.stage === 'applied'
  useEffect(() => {
    if (isOver) applied(bulk)
  }, [isOver, bulk, applied])
  const isStopped = bulk !== undefined && !isOver && bulk.stage !== 'planned' && !isUnderWay(bulk)
  const { changed = 0, deleted = 0, refused = 0, unchanged = 0 } = bulk?.done ?? {}
  // What was changed until then is told with the way back.
  const leave = () => (isStopped && changed + deleted > 0 ? applied(bulk) : close())
  const writes = (bulk?.planned?.change ?? 0) + deletes
  const isPlanned = bulk?.stage === 'planned' && !goesBack && !(isUndo && applying.isPending)
  const title = !isUndo
    ? words.title(edit.count, kind.noun)
    : file === undefined
      ? words.undoTitle(edit.count, kind.noun)
      : words.undoImport(file)
  return (
    <Modal opened onClose={leave} title={title} size="lg">
      <Stack gap="sm">
        <ProblemAlert error={starting.error ?? applying.error} />
        {!bulk && !starting.error && (
          <Group gap="xs" role="status">
            <Loader size="sm" />
            <Text size="sm">{words.running}</Text>
          </Group>
        )}
        {bulk?.job && isUnderWay(bulk) && (
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
        {isStopped && (
          <>
            <Text size="sm" role="status">
              {bulk.stage === 'planning'
                ? words.stoppedPlan
                : words.stopped(changed + deleted + refused + unchanged, bulk.left)}
            </Text>
            {changed > 0 && !isUndo && (
              <Text size="sm" c="dimmed">
                {words.rest}
              </Text>
            )}
            {bulk.job && (
              <Group>
                <JobActs job={bulk.job} />
              </Group>
            )}
          </>
        )}
        {bulk?.job?.failure && <Text size="sm">{bulk.job.failure}</Text>}
        {isPlanned && (
          <>
            <PlannedCounts bulk={bulk} />
            {isUndo && file !== undefined && <Text size="sm">{words.undoText}</Text>}
            <ChangeGroups bulk={bulk} />
            <ProblemGroups bulk={bulk} title={words.left} />
          </>
        )}
        {bulk?.stage === 'applying' && !isStopped && (
          <Text size="sm" c="dimmed">
            {words.leave}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {isPlanned || !bulk ? words.cancel : words.close}
          </Button>
          {isPlanned && writes > 0 && (
            <Button onClick={() => applying.mutate(bulk.id)} loading={applying.isPending} data-autofocus>
              {isUndo ? words.undo(writes) : words.apply(writes)}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

const isUnderWay = ({ stage, job }: BulkChange): boolean =>
  (stage === 'planning' || stage === 'applying') && job?.endedAt === null
