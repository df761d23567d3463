import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { call } from '../../client/calls.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { everyKind } from '../../client/kinds.ts'
import { readAgain } from '../../client/use-answer.ts'
import { type Row, rowsOf, usePages } from '../../client/use-pages.ts'
import { bulkChanges as words } from '../../copy/bulk-changes.ts'
import { AppLink } from '../app-link.tsx'
import { Chip, type Look } from '../chip.tsx'
import { DangerDialog } from '../danger-dialog.tsx'
import { type Column, DataTable } from '../data-table.tsx'
import { JobActs, JobProgress } from '../job-acts.tsx'
import { Loaded } from '../loaded.tsx'
import { Moment } from '../moment.tsx'
import { MorePages } from '../more-pages.tsx'

const OpenSelection = lazy(() =>
  fetchCode(() => import('./open-selection.tsx')).then((code) => ({ default: code.OpenSelection })),
)

type Listed = Row<'listBulkChanges'>
type State = keyof typeof words.states

const LOOKS: Readonly<Record<State, Look>> = {
  read: 'waits',
  planning: 'underWay',
  planned: 'waits',
  applying: 'underWay',
  applied: 'good',
  cancelled: 'quiet',
  failed: 'bad',
  undone: 'quiet',
  undoing: 'underWay',
  undoStopped: 'waits',
}

const OFTEN = 2_000
const SELDOM = 15_000

/**
 * Imports and changes of selections, small and large, the latest first: where each stands, what its rows came to, and
 * the way to its plan or its result.
 * @param type of the kind alone whose records they are about, and then imports alone
 * @param empty what is shown where there are none; without it nothing is, not even the title
 */
export function BulkChanges({
  title,
  type,
  empty,
  atFirst = 20,
}: {
  title: string
  type?: string
  empty?: ReactNode
  atFirst?: number
}) {
  const pages = usePages('listBulkChanges', {
    limit: atFirst,
    ...(type !== undefined && { type, origin: 'file' }),
  })
  const [opened, setOpened] = useState<Listed | null>(null)
  const isUnderWay = pages.data && rowsOf(pages.data).some((one) => isAt(one))
  useEffect(() => {
    const asking = setInterval(() => void readAgain('listBulkChanges'), isUnderWay ? OFTEN : SELDOM)
    return () => clearInterval(asking)
  }, [isUnderWay])
  if (!empty && !pages.data?.pages[0]?.data.length) return null
  return (
    <>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Loaded query={pages}>
        {(data) => {
          const rows = rowsOf(data)
          return rows.length === 0 ? (
            empty
          ) : (
            <DataTable label={title} rows={rows} columns={columnsOf(setOpened, type === undefined)} />
          )
        }}
      </Loaded>
      <MorePages of={pages} />
      {opened && (
        <Suspense>
          <OpenSelection id={opened.id} title={opened.title} close={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}

const whatIt = (one: Listed): string =>
  one.undoes !== null
    ? words.undoing
    : one.origin === 'file'
      ? words.importOf(kindOf(one).noun.many)
      : words.selection

/** Whether a job is at it. */
const isAt = ({ stage, hasStopped }: Listed): boolean =>
  (stage === 'planning' || stage === 'applying') && !hasStopped

const kindOf = ({ type }: Listed) => everyKind.find(({ name }) => name === type)!

const columnsOf = (open: (one: Listed) => void, isMixed: boolean): readonly Column<Listed>[] => [
  {
    label: isMixed ? words.columns.what : words.columns.file,
    cell: (one) => (
      <Stack gap={2} maw="40ch" style={{ overflowWrap: 'anywhere' }}>
        <strong>
          <bdi>{(one.undoes === null && one.fileName) || one.title}</bdi>
        </strong>
        {isMixed && (
          <Text size="xs" c="dimmed">
            {whatIt(one)}
          </Text>
        )}
      </Stack>
    ),
  },
  { label: words.columns.state, cell: (one) => <StateOf one={one} /> },
  { label: words.columns.rows, cell: (one) => <RowsOf one={one} /> },
  { label: words.columns.by, cell: ({ createdBy }) => <bdi>{createdBy.displayName}</bdi> },
  { label: words.columns.at, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    label: words.columns.acts,
    hidden: true,
    cell: (one) => (
      <Group gap="xs" justify="flex-end">
        {one.job && <JobActs job={one.job} />}
        {mayGo(one) && <Discard one={one} />}
        {one.origin === 'file' ? (
          <Anchor
            component={AppLink}
            href={`/import/${kindOf(one).page}?id=${one.id}`}
            size="sm"
            aria-label={words.openOf(one.title)}
          >
            {words.open}
          </Anchor>
        ) : (
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-label={words.openOf(one.title)}
            onClick={() => open(one)}
          >
            {words.open}
          </Anchor>
        )}
      </Group>
    ),
  },
]

/** Of an import that has written nothing. */
const mayGo = ({ origin, stage, done }: Listed): boolean =>
  origin === 'file' &&
  (stage === 'read' || stage === 'planned') &&
  !(done?.created || done?.changed || done?.deleted)

function Discard({ one: { id, title } }: { one: Listed }) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-label={words.discardOf(title)}
        onClick={() => setIsAsked(true)}
      >
        {words.discard.verb}
      </Anchor>
      {isAsked && (
        <DangerDialog
          title={words.discard.title}
          text={words.discard.text(title)}
          verb={words.discard.verb}
          act={() => call('discardImport', { id }).finally(() => readAgain('listBulkChanges'))}
          close={() => setIsAsked(false)}
        />
      )}
    </>
  )
}

const OF_UNDO = { running: 'undoing', stopped: 'undoStopped', done: 'undone' } as const

function stateOf({ stage, hasStopped, undoState, job }: Listed): State {
  if (undoState !== null) return OF_UNDO[undoState]
  if (hasStopped) return job?.state === 'failed' ? 'failed' : 'cancelled'
  return stage as State
}

function StateOf({ one }: { one: Listed }) {
  const state = stateOf(one)
  return (
    <Stack gap={2} align="flex-start">
      <Chip look={LOOKS[state]}>{words.states[state]}</Chip>
      {one.standing !== null && one.standing > 0 && <Text size="xs">{words.standing(one.standing)}</Text>}
      {one.job?.failure && (
        <Text size="xs" maw="40ch">
          {one.job.failure}
        </Text>
      )}
    </Stack>
  )
}

/** What its rows would come to, or came to; while a job is at it, how far that is. */
function RowsOf({ one }: { one: Listed }) {
  if (isAt(one) && one.job) return <JobProgress {...one.job} />
  const told = one.done ? words.came(one) : words.would(one)
  return (
    <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {told.length > 0 ? told.join(' · ') : words.rowCount(one.rowCount)}
    </Text>
  )
}
