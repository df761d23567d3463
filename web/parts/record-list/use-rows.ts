import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callsOf } from '../../../kinds/calls.ts'
import type { Kind, Values } from '../../../kinds/kind.ts'
import { type AnyRecord, recordCall } from '../../client/records.ts'
import { pagesQuery } from '../../client/use-pages.ts'

const PAGE_SIZE = 100
/** Reading many pages again at once would help nobody: each row that is changed here is kept right by itself. */
const READ_AGAIN_UP_TO = 3

const isShort = ({ state }: { state: { data?: unknown } }): boolean =>
  ((state.data as { pages: unknown[] } | undefined)?.pages.length ?? 0) <= READ_AGAIN_UP_TO

/** The rows of a view as far as they were scrolled to. */
export function useRows(kind: Kind, filters: Values, sort: string) {
  const query = useInfiniteQuery({
    ...pagesQuery([callsOf(kind).list, 'pages', { ...filters, sort }], (from) =>
      recordCall(kind, 'list', { ...filters, sort, limit: PAGE_SIZE, ...from }),
    ),
    placeholderData: keepPreviousData,
    // Comparing thousands of rows with themselves costs more than drawing the few that are seen.
    structuralSharing: false,
    gcTime: 30 * 60_000,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  })
  const rows = useMemo(() => distinct(query.data?.pages.flatMap(({ data }) => data) ?? []), [query.data])
  return { query, rows }
}

/** A row that moved while it was paged through would come twice. */
function distinct(rows: readonly AnyRecord[]): readonly AnyRecord[] {
  const seen = new Set<string>()
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id))
}
