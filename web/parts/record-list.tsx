import { Button, CloseButton, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Kind, Values } from '../../kinds/kind.ts'
import { isProblem } from '../client/problem.ts'
import {
  type AnyRecord,
  changeRecord,
  countAgain,
  keepRecord,
  mayDo,
  recordCall,
  recordQuery,
} from '../client/records.ts'
import { useSignedIn } from '../client/session.ts'
import { wantedBefore } from '../client/states.ts'
import { buttons } from '../words/buttons.ts'
import { counted } from '../words/counts.ts'
import { records, registerWords } from '../words/records.ts'
import { PageHead } from './page-head.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import { CreateDrawer } from './record-form.tsx'
import { BulkBar } from './record-list/bulk-bar.tsx'
import { ColumnsMenu } from './record-list/columns-menu.tsx'
import { EmptyRegister, NothingMatches } from './record-list/empty.tsx'
import { ExportCsv } from './record-list/export-csv.tsx'
import { Filters } from './record-list/filters.tsx'
import { Rows } from './record-list/rows.tsx'
import type { Editing, RowActs } from './record-list/table.tsx'
import { useColumns } from './record-list/use-columns.ts'
import { useListKeys } from './record-list/use-list-keys.ts'
import { useRows } from './record-list/use-rows.ts'
import { hasFilters, inputOf, searchOf, type View, viewOf } from './record-list/view.ts'
import styles from './record-list.module.css'
import { StateQuestions } from './state-questions.tsx'

/** The records of a kind: found, sorted, changed where they stand, one or many at once. */
export function RecordList({ kind, search }: { kind: Kind; search: Values }) {
  const navigate = useNavigate()
  const { role } = useSignedIn()
  const view = viewOf(kind, search)
  const { filters, sort } = inputOf(kind, view)
  const viewKey = JSON.stringify([filters, sort])
  const canEdit = mayDo(kind, 'update', role)
  const canAdd = mayDo(kind, 'create', role)
  const words = registerWords(kind)

  const { query, rows } = useRows(kind, filters, sort)
  const { data: summary } = useQuery(recordQuery(kind, 'summarize', { ...filters, counted: ['total'] }))
  const columns = useColumns(kind)
  const body = useRef<HTMLTableSectionElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const reveal = useRef<((index: number) => void) | null>(null)

  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState(-1)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [asking, setAsking] = useState<{ record: AnyRecord; state: string } | null>(null)
  const [fault, setFault] = useState<{ reference: string; error: unknown } | null>(null)
  const [added, setAdded] = useState<AnyRecord | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has other rows
  useEffect(() => {
    setCurrent(-1)
    setSelected(new Set())
    setEditing(null)
  }, [viewKey])

  const show = (next: View, replace = false) =>
    void navigate({ to: `/${kind.path}` as '/', search: searchOf(next) as never, replace })
  const openForm = (isOpen: boolean) =>
    void navigate({
      to: `/${kind.path}` as '/',
      search: { ...searchOf(view), ...(isOpen ? { add: true } : {}) } as never,
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
  const now = useRef({ rows, change, navigate })
  now.current = { rows, change, navigate }
  const acts = useMemo((): RowActs => {
    let anchor = -1
    return {
      select: (index, withRange) => {
        const [from, to] =
          withRange && anchor >= 0 ? [Math.min(anchor, index), Math.max(anchor, index)] : [index, index]
        anchor = index
        setSelected((before) => {
          const ids = now.current.rows.slice(from, to + 1).map(({ id }) => id)
          const isOn = !before.has(now.current.rows[index]!.id)
          const after = new Set(before)
          for (const id of ids) isOn ? after.add(id) : after.delete(id)
          return after
        })
      },
      edit: (id, field) => setEditing(id && field ? { id, field } : null),
      setState: (record, state) => {
        setEditing(null)
        const values = { [kind.states!.field]: state }
        if (wantedBefore(kind, record, values)) setAsking({ record, state })
        else void now.current.change(record, values)
      },
      setPrincipal: (record, field, principal) => void now.current.change(record, { [field]: principal }),
      visit: setCurrent,
      open: (path) => void now.current.navigate({ to: path as '/' }),
    }
  }, [kind])

  const goTo = (index: number) => {
    if (index < 0 || index >= rows.length) return
    reveal.current?.(index)
    setCurrent(index)
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true }),
      ),
    )
  }
  const clear = () => setSelected(new Set())
  useListKeys({
    '/': () => searchBox.current?.select(),
    j: () => goTo(current + 1),
    k: () => goTo(Math.max(0, current - 1)),
    ...(canEdit && current >= 0 ? { x: () => acts.select(current, false) } : {}),
    ...(canAdd ? { c: () => openForm(true) } : {}),
    ...(selected.size > 0 ? { Escape: clear } : {}),
  })

  const isEmpty = query.data !== undefined && !query.isPlaceholderData && rows.length === 0
  const isFirst = isEmpty && !hasFilters(view)
  const addButton = canAdd && !isFirst && (
    <Button onClick={() => openForm(true)} title={records.keys.create}>
      {records.form.submit(kind.title)}
    </Button>
  )
  return (
    <div className={styles.page}>
      <PageHead title={words.title} {...(words.text ? { text: words.text } : {})} action={addButton} />
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
        <Group gap="xs" wrap="nowrap">
          <Text size="xs" c="dimmed" role="status" className={styles.count}>
            {summary && counted(summary.total, words.one, words.many)}
          </Text>
          <ExportCsv kind={kind} filters={filters} sort={sort} total={summary?.total} />
          <ColumnsMenu {...columns} />
        </Group>
      </Group>
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
            {records.form.added(added.reference)}
          </Text>
        </Told>
      )}
      <Paper withBorder className={styles.around}>
        <Rows
          view={viewKey}
          query={query}
          empty={
            !isEmpty ? null : hasFilters(view) ? (
              <NothingMatches clear={() => show({ ...view, q: '', filters: {} })} />
            ) : (
              <EmptyRegister kind={kind} add={canAdd ? () => openForm(true) : null} />
            )
          }
          reveal={reveal}
          kind={kind}
          label={words.title}
          columns={columns.columns}
          rows={rows}
          total={summary?.total}
          sort={sort}
          setSort={(next) => show({ ...view, sort: next })}
          selected={selected}
          selectAll={() =>
            setSelected(selected.size < rows.length ? new Set(rows.map(({ id }) => id)) : new Set())
          }
          current={current}
          editing={editing}
          canEdit={canEdit}
          acts={acts}
          body={body}
        />
        {selected.size > 0 && (
          <BulkBar kind={kind} selected={rows.filter(({ id }) => selected.has(id))} clear={clear} />
        )}
      </Paper>
      {asking && (
        <StateQuestions
          kind={kind}
          targets={[asking.record]}
          state={asking.state}
          send={async (values) => {
            await changeRecord(kind, asking.record, values)
            void countAgain(kind)
          }}
          close={() => setAsking(null)}
        />
      )}
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
    </div>
  )
}

function SearchBox({
  label,
  input,
  q,
  find,
}: {
  label: string
  input: React.RefObject<HTMLInputElement | null>
  q: string
  find: (q: string) => void
}) {
  const [typed, setTyped] = useState(q)
  const later = useDebouncedCallback(find, 150)
  const told = useRef(q)
  // The address changed by itself: back, or a filter that was cleared.
  useEffect(() => {
    if (q !== told.current) setTyped(q)
    told.current = q
  }, [q])
  const type = (value: string) => {
    setTyped(value)
    told.current = value
    later(value)
  }
  return (
    <TextInput
      ref={input}
      type="search"
      size="xs"
      w={220}
      value={typed}
      aria-label={label}
      aria-keyshortcuts={records.keys.search}
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (typed) type('')
        else event.currentTarget.blur()
      }}
    />
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
