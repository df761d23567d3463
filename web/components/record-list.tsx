import { ActionIcon, Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { machineOf } from '../../model/roles.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { isProblem } from '../client/problem.ts'
import {
  type AnyRecord,
  changeRecord,
  countAgain,
  isSame,
  keepRecord,
  mayDo,
  recordCall,
  recordQuery,
} from '../client/records.ts'
import { useSignedIn } from '../client/session.ts'
import { isAskedFirst, wantedBefore } from '../client/states.ts'
import { buttons } from '../copy/buttons.ts'
import { countedRecords } from '../copy/counts.ts'
import { records, registerWords } from '../copy/records.ts'
import { register, registerText } from '../copy/register.ts'
import { PageHead } from './page-head.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import { RecordLink } from './record-link.tsx'
import { ColumnsMenu } from './record-list/columns-menu.tsx'
import { Filters } from './record-list/filters.tsx'
import { GroupMenu } from './record-list/group-menu.tsx'
import { PrintHeading } from './record-list/print-heading.tsx'
import type { Editing } from './record-list/row.tsx'
import type { RowActs } from './record-list/row-acts.ts'
import { Rows } from './record-list/rows.tsx'
import { SavedViews } from './record-list/saved-views.tsx'
import { SearchBox } from './record-list/search-box.tsx'
import { SortChoice } from './record-list/sort-choice.tsx'
import { useColumns } from './record-list/use-columns.ts'
import { filterOfGroup, useGroups } from './record-list/use-groups.ts'
import { useListKeys } from './record-list/use-list-keys.ts'
import { useRows } from './record-list/use-rows.ts'
import { useSelection } from './record-list/use-selection.ts'
import {
  defaultSort,
  hasFilters,
  inputOf,
  leftOutOf,
  searchOf,
  type View,
  viewOf,
  withFilter,
} from './record-list/view.ts'
import styles from './record-list.module.css'

const ExportMenu = lazy(() =>
  fetchCode(() => import('./record-list/export-menu.tsx')).then((all) => ({ default: all.ExportMenu })),
)
const LeaveStateDialog = lazy(() =>
  fetchCode(() => import('./leave-state-dialog.tsx')).then((all) => ({ default: all.LeaveStateDialog })),
)
const CreateDrawer = lazy(() =>
  fetchCode(() => import('./record-form.tsx')).then((all) => ({ default: all.CreateDrawer })),
)

/* Of lists that have nothing to show. */
const empty = () => fetchCode(() => import('./record-list/empty.tsx'))
const EmptyRegister = lazy(() => empty().then((all) => ({ default: all.EmptyRegister })))
const NothingMatches = lazy(() => empty().then((all) => ({ default: all.NothingMatches })))

const StateQuestions = lazy(() =>
  fetchCode(() => import('./state-questions.tsx')).then((all) => ({ default: all.StateQuestions })),
)

/** Of rows that are selected. */
const BulkBar = lazy(() =>
  fetchCode(() => import('./record-list/bulk-bar.tsx')).then((all) => ({ default: all.BulkBar })),
)

/** Of kinds whose records have files. */
const Drafts = lazy(() =>
  fetchCode(() => import('./record-list/drafts.tsx')).then((all) => ({ default: all.Drafts })),
)

/** The records of a kind: found, sorted, changed where they stand, one or many at once. */
export function RecordList({
  kind,
  search,
  above: Above,
}: {
  kind: DescribedKind
  search: Values
  /** A line of its own over the list. */
  above?: ComponentType | undefined
}) {
  const navigate = useNavigate()
  const signedIn = useSignedIn()
  const view = viewOf(kind, search)
  const { filters, sort } = inputOf(kind, view)
  const leftOut = leftOutOf(search, view)
  const viewKey = JSON.stringify([filters, sort, view.group])
  const canEdit = mayDo(kind, 'update', signedIn)
  const canAdd = mayDo(kind, 'create', signedIn)
  const words = registerWords(kind)
  const text = registerText(kind)

  const show = (next: View, replace = false) =>
    void navigate({ to: `/${kind.page}` as '/', search: searchOf(next, defaultSort(kind)) as never, replace })
  const list = useRows(kind, filters, sort, view.group === null)
  const grouped = useGroups(kind, view.group, { filters, sort, viewKey }, ({ value }) =>
    show({ ...withFilter(view, filterOfGroup(kind, view.group!), [value]), group: null }),
  )
  const groups = view.group === null ? null : grouped
  const { query } = list
  const rows = groups?.rows ?? list.rows
  const { data: summary } = useQuery(recordQuery(kind, 'summarize', { ...filters, counted: ['total'] }))
  const columns = useColumns(kind)
  const page = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const reveal = useRef<((index: number) => void) | null>(null)

  const selection = useSelection(kind, { filters, sort, viewKey }, rows)
  // What became of a change is told once nothing is selected any more.
  const hasSelected = useRef(false)
  if (selection.selected.length > 0 || selection.reading) hasSelected.current = true
  const [currentId, setCurrentId] = useState<string | null>(null)
  const current = useMemo(
    () => (currentId === null ? -1 : rows.findIndex(({ id }) => id === currentId)),
    [rows, currentId],
  )
  const [editing, setEditing] = useState<Editing | null>(null)
  const [asking, setAsking] = useState<{ record: AnyRecord; field: string; state: string } | null>(null)
  const [fault, setFault] = useState<{ reference: string; error: unknown } | null>(null)
  const [added, setAdded] = useState<AnyRecord | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has other rows
  useEffect(() => {
    setCurrentId(null)
    setEditing(null)
  }, [viewKey])

  // As it is now: others may change it while the question stands.
  const [leaving, setLeaving] = useState<typeof asking>(null)
  const asked = rows.find(({ id }) => id === asking?.record.id) ?? asking?.record
  const openForm = (isOpen: boolean) =>
    void navigate({
      to: `/${kind.page}` as '/',
      search: { ...searchOf(view, defaultSort(kind)), ...(isOpen ? { add: true } : {}) } as never,
      replace: !isOpen,
    })

  const change = async (record: AnyRecord, values: Values) => {
    setFault(null)
    try {
      await changeRecord(kind, record, values)
      void countAgain(kind)
    } catch (error) {
      setFault({ reference: record.reference, error })
      if (isProblem(error, 'version_mismatch'))
        keepRecord(kind, await recordCall(kind, 'get', { id: record.id }))
    }
  }

  // What rows are given must not change with each drawing; it reads what is so now from here.
  const now = useRef({ rows, change, navigate, selection })
  now.current = { rows, change, navigate, selection }
  const acts = useMemo((): RowActs => {
    let anchor: string | null = null
    let seen: AnyRecord | null = null
    /** The row as it is, or as it was seen where the field was changed by others since: then the service refuses. */
    const asSeen = (record: AnyRecord, field: string): AnyRecord =>
      seen?.id === record.id && !isSame(seen[field], record[field]) ? seen : record
    return {
      select: (index, withRange) => {
        const { rows, selection } = now.current
        const start = withRange ? rows.findIndex(({ id }) => id === anchor) : -1
        const [from, to] = start >= 0 ? [Math.min(start, index), Math.max(start, index)] : [index, index]
        anchor = rows[index]!.id
        selection.toggle(rows.slice(from, to + 1), !selection.has.has(anchor))
      },
      edit: (id, field) => {
        seen = now.current.rows.find((row) => row.id === id) ?? null
        setEditing(id && field ? { id, field } : null)
      },
      setState: (record, field, state) => {
        const base = asSeen(record, field)
        setEditing(null)
        const values = { [field]: state }
        if (isAskedFirst(machineOf(kind, field)!, String(base[field]), state))
          setLeaving({ record: base, field, state })
        else if (wantedBefore(kind, base, values)) setAsking({ record: base, field, state })
        else void now.current.change(base, values)
      },
      setPrincipal: (record, field, principal) =>
        void now.current.change(asSeen(record, field), { [field]: principal }),
      visit: (index) => setCurrentId(now.current.rows[index]?.id ?? null),
      open: (path) => void now.current.navigate({ to: path as '/' }),
    }
  }, [kind])

  const goTo = (index: number) => {
    if (index < 0 || index >= rows.length) return
    reveal.current?.(groups?.lines.findIndex((line) => line.is === 'row' && line.index === index) ?? index)
    acts.visit(index)
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true }),
      ),
    )
  }
  useListKeys({
    [records.keys.search]: () => searchBox.current?.select(),
    [records.keys.next]: () => goTo(current + 1),
    [records.keys.previous]: () => goTo(Math.max(0, current - 1)),
    ...(canEdit && current >= 0 ? { [records.keys.select]: () => acts.select(current, false) } : {}),
    ...(canAdd ? { [records.keys.create]: () => openForm(true) } : {}),
    ...(selection.has.size > 0 ? { Escape: selection.clear } : {}),
  })

  const isRead = groups
    ? groups.counts.data !== undefined
    : query.data !== undefined && !query.isPlaceholderData
  const isEmpty = isRead && (groups ? groups.lines.length === 0 : rows.length === 0)
  const isFirst = isEmpty && !hasFilters(view)
  const addButton = canAdd && !isFirst && (
    <Button onClick={() => openForm(true)} title={records.keys.create} className={styles.unprinted}>
      {records.form.submit(kind.noun)}
    </Button>
  )
  return (
    <div ref={page} className={styles.page}>
      <PageHead title={words.title} {...(text ? { text } : {})} action={addButton} />
      {Above && (
        <div className={styles.above}>
          <Suspense>
            <Above />
          </Suspense>
        </div>
      )}
      {kind.uploads && canAdd && (
        <Suspense>
          <Drafts kind={kind} uploads={kind.uploads} page={page} />
        </Suspense>
      )}
      <SavedViews kind={kind} view={view} />
      <PrintHeading kind={kind} view={view} rows={rows.length} total={summary?.total} />
      <Group gap="xs" justify="space-between" wrap="nowrap" className={styles.tools}>
        <Group gap="xs" className={styles.find}>
          <SearchBox
            label={records.search(words.many)}
            input={searchBox}
            q={view.q}
            find={(q) => show({ ...view, q }, true)}
          />
          <Filters kind={kind} view={view} rows={rows} show={show} />
        </Group>
        <Group gap="xs" wrap="nowrap" className={styles.acts}>
          <Text size="xs" c="dimmed" role="status" className={styles.count}>
            {summary && countedRecords(summary.total, words)}
          </Text>
          <SortChoice
            columns={columns.columns}
            kind={kind}
            sort={sort}
            setSort={(next) => show({ ...view, sort: next })}
          />
          <GroupMenu kind={kind} view={view} show={show} />
          <Suspense fallback={<ActionIcon variant="default" size={30} disabled aria-hidden />}>
            <ExportMenu kind={kind} filters={filters} sort={sort} total={summary?.total} canImport={canAdd} />
          </Suspense>
          <ColumnsMenu {...columns} />
        </Group>
      </Group>
      {leftOut.length > 0 && (
        <Told close={() => show(view, true)}>
          <Text size="sm" role="status">
            {register.leftOut(leftOut)}
          </Text>
        </Told>
      )}
      {fault && (
        <Told close={() => setFault(null)}>
          <Text size="sm" fw={500}>
            {records.failed(fault.reference)}
          </Text>
          <ProblemAlert error={fault.error} />
        </Told>
      )}
      {added && (
        <Told close={() => setAdded(null)}>
          <Text size="sm" role="status">
            <RecordLink kind={kind} id={added.id}>
              {records.form.added(added.reference)}
            </RecordLink>
          </Text>
        </Told>
      )}
      <Paper withBorder className={styles.around}>
        <Rows
          view={viewKey}
          query={query}
          empty={
            !isEmpty ? null : (
              <Suspense>
                {hasFilters(view) ? (
                  <NothingMatches clear={() => show({ ...view, q: '', filters: {} })} />
                ) : (
                  <EmptyRegister kind={kind} add={canAdd ? () => openForm(true) : null} />
                )}
              </Suspense>
            )
          }
          reveal={reveal}
          kind={kind}
          label={words.title}
          // What the rows stand under need not be said in each of them.
          columns={columns.columns.filter(({ name }) => name !== view.group)}
          rows={rows}
          groups={groups}
          total={summary?.total}
          sort={sort}
          setSort={(next) => show({ ...view, sort: next })}
          selected={selection.has}
          selectAll={() =>
            rows.every(({ id }) => selection.has.has(id)) ? selection.clear() : selection.set(rows)
          }
          current={current}
          editing={editing}
          canEdit={canEdit}
          acts={acts}
          body={body}
        />
        {canEdit && hasSelected.current && (
          <Suspense>
            <BulkBar kind={kind} selection={selection} loaded={rows.length} total={summary?.total} />
          </Suspense>
        )}
      </Paper>
      <Suspense>
        {leaving && (
          <LeaveStateDialog
            kind={kind}
            machine={machineOf(kind, leaving.field)!}
            {...leaving}
            send={async () => {
              await changeRecord(kind, leaving.record, { [leaving.field]: leaving.state })
              void countAgain(kind)
            }}
            close={() => setLeaving(null)}
          />
        )}
        {asking && asked && (
          <StateQuestions
            kind={kind}
            targets={[asked]}
            field={asking.field}
            state={asking.state}
            send={async (changeOf) => {
              await changeRecord(kind, asked, changeOf(asked))
              void countAgain(kind)
            }}
            close={() => setAsking(null)}
          />
        )}
      </Suspense>
      <Suspense>
        {canAdd && search.add === true && (
          <CreateDrawer
            kind={kind}
            close={() => openForm(false)}
            added={(record) => {
              setAdded(record)
              openForm(false)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

function Told({ close, children }: { close: () => void; children: React.ReactNode }) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="xs">
      <Stack gap={4} flex={1}>
        {children}
      </Stack>
      <CloseButton size="sm" aria-label={buttons.close} onClick={close} />
    </Group>
  )
}
