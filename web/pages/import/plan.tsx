import { Alert, Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { KindEntry } from '../../../model/described-kind.ts'
import { call } from '../../client/calls.ts'
import { isProblem } from '../../client/problem.ts'
import { readRecordsAgain } from '../../client/records.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { AppLink } from '../../components/app-link.tsx'
import { RowChanges } from '../../components/bulk-change/changes.tsx'
import { DoneBefore, DoneCounts, PlannedCounts } from '../../components/bulk-change/counts.tsx'
import { ProblemGroups } from '../../components/bulk-change/groups.tsx'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { JobActs, JobProgress } from '../../components/job-acts.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { importing } from '../../copy/imports.ts'
import { forgetRows } from './forget-rows.ts'
import { LeftOutRows } from './left-out-rows.tsx'
import { Namesakes } from './namesakes.tsx'
import { UndoImport } from './undo.tsx'
import { WordMeanings } from './word-meanings.tsx'

const words = importing.plan

/** What the rows of a file would come to, and what became of them. */
export function ImportPlan({
  bulk,
  kind,
  map,
  changed,
  another,
}: {
  bulk: BulkChange
  kind: KindEntry
  map: () => void
  changed: () => Promise<void>
  another: () => void
}) {
  const { stage, job } = bulk
  const isOver = stage === 'applied'
  useEffect(() => {
    if (isOver) void readRecordsAgain(kind)
  }, [isOver, kind])
  if (stage === 'planned') return <Planned bulk={bulk} kind={kind} map={map} changed={changed} />
  const isStopped = !isOver && job !== null && job.endedAt !== null
  const sum = (counts: BulkChange['done']) =>
    Object.values(counts ?? {}).reduce((all, count) => all + count, 0)
  // Of the rows that were planned last.
  const done = sum(bulk.done) - sum(bulk.doneBefore)
  const title = isOver
    ? importing.done.title
    : isStopped
      ? stage === 'planning'
        ? importing.done.stoppedPlan
        : importing.done.stopped(done, bulk.left)
      : stage === 'planning'
        ? words.running
        : importing.done.running
  return (
    <Stack gap="sm">
      <div role="status">
        <Title order={2} size="h4">
          {title}
        </Title>
      </div>
      {job && !isOver && !isStopped && (
        <>
          <Group>
            <JobProgress {...job} />
            <JobActs job={job} />
          </Group>
          {stage === 'applying' && (
            <Text size="sm" c="dimmed">
              {importing.done.leave}
            </Text>
          )}
        </>
      )}
      {isStopped && (
        <Group>
          {job.failure && <Alert color="red">{job.failure}</Alert>}
          <JobActs job={job} />
          <Button variant="default" size="xs" onClick={map}>
            {done === 0 ? words.columns : importing.done.again}
          </Button>
        </Group>
      )}
      {isStopped && done > 0 && job.canResume && (
        <Text size="sm" c="dimmed">
          {importing.done.rest}
        </Text>
      )}
      {(isOver || isStopped) && <DoneCounts bulk={bulk} />}
      {(isOver || isStopped) && <UndoImport bulk={bulk} kind={kind} />}
      {(bulk.done?.refused ?? 0) + (isOver ? (bulk.planned?.error ?? 0) : 0) > 0 && (
        <ProblemGroups bulk={bulk} title={words.refused} />
      )}
      {(isOver || isStopped) && (
        <Group>
          {isOver && (bulk.done?.refused ?? 0) + (bulk.planned?.error ?? 0) > 0 && (
            <Button variant="default" size="xs" onClick={map}>
              {importing.done.again}
            </Button>
          )}
          <Anchor component={AppLink} href={`/${kind.page}`} size="sm">
            {importing.done.show(kind.noun.many)}
          </Anchor>
          <Anchor component="button" type="button" size="sm" onClick={another}>
            {importing.file.another}
          </Anchor>
        </Group>
      )}
    </Stack>
  )
}

function Planned({
  bulk,
  kind,
  map,
  changed,
}: {
  bulk: BulkChange
  kind: KindEntry
  map: () => void
  changed: () => Promise<void>
}) {
  const { create = 0, change = 0, error = 0 } = bulk.planned ?? {}
  const writes = create + change
  const [isAsking, setIsAsking] = useState(false)
  const rows = error > 0 ? 'good' : 'all'
  const apply = (confirm?: true) =>
    call('applyBulkChange', {
      id: bulk.id,
      rows: writes > ALL_AT_MOST ? 'good' : rows,
      ...(confirm && { confirm }),
    })
  const applying = useMutation({
    mutationFn: () => apply(),
    onSuccess: changed,
    onError: (problem) => setIsAsking(isProblem(problem, 'confirm_required')),
  })
  const leaving = useMutation({
    mutationFn: (row: number) => call('leaveOutImportRows', { id: bulk.id, rows: [row] }),
    onSuccess: async () => {
      forgetRows()
      await changed()
    },
  })
  const leaveOut = (row: number) => {
    if (!leaving.isPending) leaving.mutate(row)
  }
  const restoring = useMutation({
    mutationFn: (rows: number[]) => call('restoreImportRows', { id: bulk.id, rows }),
    onSuccess: async () => {
      forgetRows()
      await changed()
    },
  })
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {words.title}
      </Title>
      <PlannedCounts bulk={bulk} />
      <DoneBefore doneBefore={bulk.doneBefore} />
      <Notes bulk={bulk} />
      <Namesakes bulk={bulk} kind={kind} planned={changed} />
      {bulk.job?.failure && <Alert color="red">{bulk.job.failure}</Alert>}
      {!isAsking && <ProblemAlert error={applying.error ?? leaving.error ?? restoring.error} />}
      <Group>
        {writes > 0 && (
          <Button onClick={() => applying.mutate()} loading={applying.isPending}>
            {error > 0 ? words.good(writes) : words.all(writes)}
          </Button>
        )}
        <Button variant="default" onClick={map}>
          {words.columns}
        </Button>
      </Group>
      {writes > 0 && error === 0 && writes <= ALL_AT_MOST && (
        <Text size="sm" c="dimmed">
          {words.allOrNothing}
        </Text>
      )}
      <WordMeanings bulk={bulk} planned={changed} />
      {error > 0 && <ProblemGroups bulk={bulk} title={words.errors} />}
      {change > 0 && <RowChanges bulk={bulk} planned="change" title={words.change} leaveOut={leaveOut} />}
      {create > 0 && <RowChanges bulk={bulk} planned="create" title={words.create} leaveOut={leaveOut} />}
      {bulk.leftOut.count > 0 && (
        <LeftOutRows bulk={bulk} isPending={restoring.isPending} restore={(rows) => restoring.mutate(rows)} />
      )}
      {isAsking && applying.error && (
        <DangerDialog
          title={words.again.title}
          text={applying.error.message}
          verb={words.again.verb}
          act={() => apply(true).then(changed)}
          close={() => setIsAsking(false)}
        />
      )}
    </Stack>
  )
}

/** What the import does with the file besides its rows. */
function Notes({ bulk: { notes } }: { bulk: BulkChange }) {
  if (notes.length === 0) return null
  return (
    <List size="sm" m={0}>
      {notes.map(({ code, field, titles }) => (
        <List.Item key={`${code} ${field} ${titles.join()}`}>
          {importing.notes[code](titles, field ?? '')}
        </List.Item>
      ))}
    </List>
  )
}

/** As the service takes them together, or not at all. */
const ALL_AT_MOST = 5_000
