import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind, KindEntry } from '../../../model/described-kind.ts'
import { useKindOfRecords } from '../../client/custom-fields.ts'
import { fieldsOf } from '../../client/fields.ts'
import { listAddress } from '../../client/list-address.ts'
import { type AnyRecord, archivedWith, mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { rowsOf } from '../../client/use-pages.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { CreateDrawer } from '../../components/record-form.tsx'
import { SearchBox } from '../../components/record-list/search-box.tsx'
import { rowsQuery } from '../../components/record-list/use-rows.ts'
import type { Share } from '../../components/share-bar.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { records } from '../../copy/records.ts'
import styles from './frameworks.module.css'
import { CoverageOverTime } from './over-time.tsx'
import { FrameworkPages } from './pages.tsx'
import { FrameworkProgress } from './progress.tsx'
import {
  answerable,
  type Branch,
  branchesOf,
  filtered,
  isFiltering,
  type Requirement,
  type TreeFilter,
} from './requirement-tree.ts'
import { sharesOfResults } from './result-shares.ts'
import { Tree } from './tree.tsx'
import { useTreeView } from './use-tree-view.ts'

const words = frameworks.tree

/** Up to so many rows are seen at once; of more, the families first. */
const OPEN_UP_TO = 60

/** What a framework asks, as the tree it is printed as, and how far each of it is. */
export function FrameworkRequirements({
  entry,
  field,
  parent,
  above,
}: {
  entry: KindEntry
  /** The field of theirs that names the framework. */
  field: string
  parent: AnyRecord
  above: DescribedKind
}) {
  const kind = useKindOfRecords(entry)
  const signedIn = useSignedIn()
  const pages = useInfiniteQuery(
    rowsQuery(kind, { [field]: [parent.id], ...archivedWith(parent) }, 'sortOrder'),
  )
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const [isAdding, setIsAdding] = useState(false)
  const [added, setAdded] = useState<AnyRecord | null>(null)
  const canAdd = parent.kind === 'custom' && !parent.archivedAt && mayDo(kind, 'create', signedIn)
  return (
    <Stack gap="sm">
      <FrameworkProgress field={fieldsOf(above).get('progress')!} framework={parent} />
      <FrameworkPages id={parent.id} />
      <CoverageOverTime field={fieldsOf(above).get('progress')!} framework={parent} />
      {parent.status === 'available' && (
        <Text size="sm" c="dimmed">
          {frameworks.progress.inactive}
        </Text>
      )}
      <Loaded query={pages} lines={8}>
        {(data) => {
          const rows = rowsOf(data) as readonly Values[] as readonly Requirement[]
          return rows.length === 0 ? (
            <Text size="sm">{words.none}</Text>
          ) : (
            <Filtered kind={kind} framework={parent} rows={rows} isReading={hasNextPage} />
          )
        }}
      </Loaded>
      {isFetchNextPageError && <ProblemAlert error={pages.error} retry={() => void fetchNextPage()} />}
      {added && (
        <Text size="sm" role="status">
          {records.form.added(added.reference)}
        </Text>
      )}
      <Group gap="md">
        {canAdd && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setIsAdding(true)}
          >
            {records.form.submit(kind.noun)}
          </Button>
        )}
        <Anchor component={AppLink} href={listAddress(kind, { [field]: parent.id })} size="sm">
          {words.asList}
        </Anchor>
      </Group>
      {isAdding && (
        <CreateDrawer
          kind={kind}
          given={{ [field]: parent.id }}
          close={() => setIsAdding(false)}
          added={(record) => {
            setAdded(record)
            setIsAdding(false)
          }}
        />
      )}
    </Stack>
  )
}

function Filtered({
  kind,
  framework,
  rows,
  isReading,
}: {
  kind: DescribedKind
  framework: AnyRecord
  rows: readonly Requirement[]
  isReading: boolean
}) {
  const { filter, show, opened, open } = useTreeView(framework.id, framework.implementationGroup !== null)
  const result = fieldsOf(kind).get('result')!
  const branches = useMemo(() => branchesOf(rows), [rows])
  const later = useDeferredValue(filter)
  const shown = useMemo(() => filtered(branches, later), [branches, later])
  const all = answerable(branches)
  const isOpenFirst =
    isFiltering({ ...later, inScopeOnly: false }) || rows.length <= OPEN_UP_TO || branches.length === 1
  const openEach = (isOpen: boolean) => {
    const every = (some: readonly Branch[]): [string, boolean][] =>
      some.flatMap(({ requirement, below }) =>
        below.length > 0 ? [[requirement.id, isOpen] as [string, boolean], ...every(below)] : [],
      )
    startTransition(() => open(new Map(every(branches))))
  }
  return (
    <>
      <Filters filter={filter} show={show} shares={sharesOfResults(result, resultsOf(branches))} />
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {isReading ? words.reading(rows.length) : words.shown(answerable(shown), all)}
        </Text>
        <Group gap="xs">
          <Button variant="subtle" size="compact-xs" onClick={() => openEach(true)}>
            {words.openAll}
          </Button>
          <Button variant="subtle" size="compact-xs" onClick={() => openEach(false)}>
            {words.foldAll}
          </Button>
        </Group>
      </Group>
      {shown.length === 0 ? (
        <Text size="sm">{words.nothing}</Text>
      ) : (
        <Tree
          kind={kind}
          result={result}
          branches={shown}
          isOpen={(id) => opened.get(id) ?? isOpenFirst}
          toggle={(id, isOpen) => startTransition(() => open(new Map([...opened, [id, isOpen]])))}
        />
      )}
    </>
  )
}

function resultsOf(branches: readonly Branch[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>()
  for (const { results } of branches)
    for (const [result, count] of results) all.set(result, (all.get(result) ?? 0) + count)
  return all
}

function Filters({
  filter,
  show,
  shares,
}: {
  filter: TreeFilter
  show: (filter: TreeFilter) => void
  shares: readonly Share[]
}) {
  const input = useRef<HTMLInputElement>(null)
  const { results } = filter
  const toggle = (name: string) =>
    show({
      ...filter,
      results: results.includes(name) ? results.filter((one) => one !== name) : [...results, name],
    })
  return (
    <Group gap="sm" className={styles.filters}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own */}
      <div role="group" aria-label={words.results} className={styles.legend}>
        {shares.map(({ name, title, colour, count }) => (
          <button
            key={name}
            type="button"
            data-colour={colour}
            aria-pressed={results.includes(name)}
            onClick={() => toggle(name)}
          >
            {words.filterBy(title, count)}
          </button>
        ))}
      </div>
      <SearchBox label={words.search} input={input} q={filter.q} find={(q) => show({ ...filter, q })} />
      <Checkbox
        size="xs"
        label={words.inScope}
        checked={filter.inScopeOnly}
        onChange={({ currentTarget }) => show({ ...filter, inScopeOnly: currentTarget.checked })}
      />
    </Group>
  )
}
