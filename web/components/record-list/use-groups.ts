import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { NONE } from '../../../model/filter-names.ts'
import { compareNaturally } from '../../../model/natural-order.ts'
import { principalId } from '../../../model/roles.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import { type AnyRecord, type RecordPage, recordCall, recordQuery } from '../../client/records.ts'
import { valueWord } from '../../copy/records.ts'
import { filtersOf } from './view.ts'

/*
 * Rows under the values of a field. Each group is a list of its own: its first rows are read, and more on request,
 * so that a register of a hundred thousand opens at once, and every group can be seen without scrolling through
 * those before it.
 */

/** The rows of one value. */
export interface RowGroup {
  /** As the filter of the field takes it. */
  readonly value: string
  /** Whether it stands for what has no value. */
  readonly isUnset: boolean
  /** Of an owner. */
  readonly name?: string | undefined
  readonly count: number
  readonly isOpen: boolean
  /** Those that were read. */
  readonly rows: readonly AnyRecord[]
  readonly isReading: boolean
}

/** A line of a grouped list; of a row, its place among all rows. */
export type Line =
  | { readonly is: 'head' | 'more'; readonly group: RowGroup }
  | { readonly is: 'row'; readonly row: AnyRecord; readonly index: number }

/** More groups are opened by hand. */
const OPEN_AT_FIRST = 5
/** How many rows of a group are read, step by step; whoever wants all filters by its value. */
const STEPS = [20, 100, 200] as const

export const isLastStep = ({ rows }: RowGroup): boolean => rows.length >= STEPS.at(-1)!

interface Opened {
  readonly view: string
  readonly open: ReadonlyMap<string, boolean>
  readonly steps: ReadonlyMap<string, number>
}

/** The filter by which a list shows the rows of a group. */
export const filterOfGroup = (kind: DescribedKind, field: string): string =>
  kind.owners.includes(field) ? principalId(field) : field

export function useGroups(
  kind: DescribedKind,
  name: string | null,
  { filters, sort, viewKey: view }: { filters: Values; sort: string; viewKey: string },
  showAll: (group: RowGroup) => void,
) {
  const field = name === null ? undefined : fieldsOf(kind).get(name)
  const filter = filterOfGroup(kind, name ?? '')
  const counts = useQuery({
    ...recordQuery(kind, 'summarize', { ...filters, counted: [filter] }),
    enabled: field !== undefined,
  })
  const [opened, setOpened] = useState<Opened>({ view, open: new Map(), steps: new Map() })
  const { open, steps } = opened.view === view ? opened : { open: new Map(), steps: new Map() }

  const counted = useMemo(
    () => (field && counts.data ? sorted(kind, field, filter, counts.data.counts[filter] ?? []) : []),
    [kind, field, filter, counts.data],
  )
  const isOpen = (value: string, place: number) => open.get(value) ?? place < OPEN_AT_FIRST
  const limitOf = (value: string) => STEPS[steps.get(value) ?? 0]!
  const read = useQueries({
    queries: counted.map(({ value }, place) => {
      const input = { ...filters, [filter]: [value], sort, limit: limitOf(value) }
      return {
        queryKey: [callsOf(kind).list, 'pages', input],
        queryFn: async ({ signal }: { signal: AbortSignal }) => ({
          pages: [await recordCall(kind, 'list', input, signal)] as RecordPage[],
          pageParams: [null],
        }),
        enabled: isOpen(value, place),
      }
    }),
  })
  // While more of a group is read, what was read before stands there.
  const kept = useRef({ view, rows: new Map<string, readonly AnyRecord[]>() })
  if (kept.current.view !== view) kept.current = { view, rows: new Map() }
  const groups = counted.map(({ value, isUnset, name, count }, place): RowGroup => {
    const data = read[place]?.data?.pages[0]?.data
    if (data) kept.current.rows.set(value, data)
    const isShown = isOpen(value, place)
    return {
      value,
      isUnset,
      name,
      count,
      isOpen: isShown,
      rows: isShown ? (data ?? kept.current.rows.get(value) ?? []) : [],
      // What could not be read is asked for again by hand.
      isReading: isShown && !data && !read[place]?.isError,
    }
  })
  const change = (value: string, what: 'open' | 'steps', to: boolean | number) =>
    setOpened({
      view,
      open,
      steps,
      [what]: new Map<string, unknown>([...{ open, steps }[what], [value, to]]),
    })
  return {
    field,
    counts,
    showAll,
    ...linesOf(groups),
    toggle: ({ value, isOpen }: RowGroup) => change(value, 'open', !isOpen),
    more: ({ value }: RowGroup) =>
      change(value, 'steps', Math.min((steps.get(value) ?? 0) + 1, STEPS.length - 1)),
  }
}

export type Groups = ReturnType<typeof useGroups>

function linesOf(groups: readonly RowGroup[]): { lines: readonly Line[]; rows: readonly AnyRecord[] } {
  const rows: AnyRecord[] = []
  const lines = groups.flatMap((group): Line[] => {
    const first = rows.length
    rows.push(...group.rows)
    const isMore = group.isOpen && (group.isReading || group.count > group.rows.length)
    return [
      { is: 'head', group },
      ...group.rows.map((row, place): Line => ({ is: 'row', row, index: first + place })),
      ...(isMore ? [{ is: 'more' as const, group }] : []),
    ]
  })
  return { lines, rows }
}

interface Counted {
  value: string | null
  name?: string
  count: number
}

/** By weight, the gravest first; words and names by the alphabet; what is not set last. */
function sorted(kind: DescribedKind, field: Field, filter: string, counts: readonly Counted[]) {
  const unset = filtersOf(kind).find(({ name }) => name === filter)?.unset ?? NONE
  const isScale = kind.scales.includes(field.name)
  const rank = (value: string) => (isScale ? field.options.indexOf(value) : 0) * (field.isLevel ? -1 : 1)
  const word = ({ value, name }: Counted) => name ?? valueWord(value ?? '')
  return counts
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return rank(a.value) - rank(b.value) || compareNaturally(word(a), word(b))
    })
    .map(({ value, name, count }) => ({ value: value ?? unset, isUnset: value === null, name, count }))
}
