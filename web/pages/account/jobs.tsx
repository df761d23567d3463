import { Anchor, Modal, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../client/calls.ts'
import { useExports } from '../../client/exports.ts'
import { everyKind } from '../../client/kinds.ts'
import { mayDo } from '../../client/records.ts'
import { follow } from '../../client/send-file.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { BulkChanges } from '../../components/bulk-change/list.tsx'
import { Chip, type Look } from '../../components/chip.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { type Job, JobActs, JobProgress } from '../../components/job-acts.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { bulkChanges } from '../../copy/bulk-changes.ts'
import { jobs as words } from '../../copy/jobs.ts'

const LOOKS: Readonly<Record<Job['state'], Look>> = {
  waiting: 'waits',
  running: 'underWay',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'quiet',
}

const OFTEN = 2_000
const SELDOM = 15_000

/**
 * Imports and changes of many records, and what else takes longer than a call: what somebody started, and of an admin,
 * what everybody did.
 */
export function JobsPage() {
  const signedIn = useSignedIn()
  const changes = everyKind.some((kind) =>
    (['create', 'update'] as const).some((verb) => mayDo(kind, verb, signedIn)),
  )
  return (
    <Stack gap="lg">
      <PageHead
        title={words.title}
        text={signedIn.capabilities.includes('settings.manage') ? words.textOfAll : words.text}
      />
      {changes ? (
        <>
          <BulkChanges title={bulkChanges.title} empty={<Text size="sm">{bulkChanges.empty}</Text>} />
          <Title order={2} size="h4">
            {words.others}
          </Title>
          <Jobs label={words.others} of={{ standalone: true }} />
        </>
      ) : (
        <Jobs label={words.title} of={{}} />
      )}
    </Stack>
  )
}

function Jobs({ label, of }: { label: string; of: { standalone?: boolean } }) {
  const pages = usePages('listJobs', of)
  const [shown, setShown] = useState<Job | null>(null)
  const isUnderWay = pages.data && rowsOf(pages.data).some(({ endedAt }) => endedAt === null)
  useEffect(() => {
    const asking = setInterval(() => void readAgain('listJobs'), isUnderWay ? OFTEN : SELDOM)
    return () => clearInterval(asking)
  }, [isUnderWay])
  return (
    <>
      <Loaded query={pages}>
        {(data) => {
          const rows = rowsOf(data)
          return rows.length === 0 ? (
            <Text size="sm">{words.empty}</Text>
          ) : (
            <DataTable label={label} rows={rows} columns={columnsOf(setShown)} />
          )
        }}
      </Loaded>
      <MorePages of={pages} />
      {shown && <Errors job={shown} close={() => setShown(null)} />}
    </>
  )
}

const columnsOf = (show: (job: Job) => void): readonly Column<Job>[] => [
  { label: words.columns.what, cell: ({ title }) => <strong>{title}</strong> },
  { label: words.columns.state, cell: (job) => <State job={job} show={() => show(job)} /> },
  { label: words.columns.progress, cell: (job) => <JobProgress {...job} /> },
  {
    label: words.columns.by,
    cell: ({ startedBy }) => <bdi>{startedBy?.displayName ?? words.service}</bdi>,
  },
  { label: words.columns.at, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    label: words.columns.acts,
    hidden: true,
    cell: (job) => (
      <>
        <JobActs job={job} />
        {job.result && <Result job={job} name={job.result.name} />}
      </>
    ),
  },
]

function State({ job, show }: { job: Job; show: () => void }) {
  const { state, failure, isSuperseded, errorCount } = job
  return (
    <Stack gap={2} align="flex-start">
      <Chip look={LOOKS[state]}>{words.states[state]}</Chip>
      {isSuperseded && <Text size="xs">{words.superseded}</Text>}
      {failure !== null && (
        <Text size="xs" maw="40ch">
          {failure}
        </Text>
      )}
      {errorCount > 0 && (
        <Anchor component="button" type="button" size="xs" onClick={show}>
          {words.errors(errorCount)}
        </Anchor>
      )}
    </Stack>
  )
}

/** The file, which the browser saves by itself. */
function Result({ job: { id }, name }: { job: Job; name: string }) {
  const [, setAsked] = useExports()
  const saving = useMutation({
    mutationFn: async () => follow(await call('getJobResult', { id })),
    // It need not be told of on every page any more.
    onSuccess: () => setAsked((before) => before.filter((one) => one !== id)),
  })
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={() => saving.mutate()}>
        {words.result(name)}
      </Anchor>
      <ProblemAlert error={saving.error} />
    </>
  )
}

function Errors({ job: { id, title }, close }: { job: Job; close: () => void }) {
  const detail = useQuery({ queryKey: ['getJob', { id }], queryFn: () => call('getJob', { id }) })
  return (
    <Modal opened onClose={close} title={words.errorsTitle(title)}>
      <Loaded query={detail}>
        {({ errors, errorCount }) =>
          errors === null ? (
            <Text size="sm">{words.errorsHidden}</Text>
          ) : (
            <Stack gap="xs">
              <ul style={{ margin: 0 }}>
                {errors.map(({ row, field, message }, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: errors have no names, and stay where they are
                  <li key={place}>
                    {[row === undefined ? null : words.row(row), field, message].filter(Boolean).join(', ')}
                  </li>
                ))}
              </ul>
              {errorCount > errors.length && (
                <Text size="sm" c="dimmed">
                  {words.errorsLeft(errorCount - errors.length)}
                </Text>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Modal>
  )
}
