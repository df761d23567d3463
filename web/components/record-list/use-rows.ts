import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { type AnyRecord, type RecordPage, recordCall } from '../../client/records.ts'
import { pagesQuery } from '../../client/use-pages.ts'

/** The first is soon there; behind it, whoever scrolls wants many. */
const FIRST_PAGE = 100
const FURTHER_PAGE = 200
/** Reading many pages again at once would help nobody: each row that is changed here is kept right by itself. */
const READ_AGAIN_UP_TO = 3

const isShort = ({ state }: { state: { data?: unknown } }): boolean =>
  ((state.data as { pages: unknown[] } | undefined)?.pages.length ?? 0) <= READ_AGAIN_UP_TO

/** The rows of a view, page by page. */
export const rowsQuery = (kind: KindEntry, filters: Values, sort: string) => ({
  ...pagesQuery([callsOf(kind).list, 'pages', { ...filters, sort }], (from, signal) =>
    recordCall(
      kind,
      'list',
      { ...filters, sort, limit: from.cursor ? FURTHER_PAGE : FIRST_PAGE, ...from },
      signal(),
    ),
  ),
  // Comparing thousands of rows with themselves costs more than drawing the few that are seen.
  structuralSharing: false,
  gcTime: 30 * 60_000,
})

/** The rows of a view as far as they were scrolled to; nothing is read where it is not `enabled`. */
export function useRows(kind: KindEntry, filters: Values, sort: string, enabled: boolean) {
  const query = useInfiniteQuery({
    ...rowsQuery(kind, filters, sort),
    enabled,
    placeholderData: keepPreviousData,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  })
  return { query, rows: useDistinct(query.data?.pages ?? NOTHING) }
}

const NOTHING: readonly RecordPage[] = []

/**
 * The rows of all pages. A row that moved while it was paged through would come twice. There may be a hundred
 * thousand, so a page that came behind the others is all that is looked at.
 */
function useDistinct(pages: readonly RecordPage[]): readonly AnyRecord[] {
  const kept = useRef({ pages: NOTHING, rows: [] as readonly AnyRecord[], seen: new Set<string>() })
  return useMemo(() => {
    const isFurther = kept.current.pages.every((page, index) => page === pages[index])
    const {
      pages: before,
      rows,
      seen,
    } = isFurther ? kept.current : { pages: NOTHING, rows: [], seen: new Set<string>() }
    const further = pages
      .slice(before.length)
      .flatMap(({ data }) => data.filter(({ id }) => !seen.has(id) && seen.add(id)))
    kept.current = { pages, rows: further.length > 0 ? [...rows, ...further] : rows, seen }
    return kept.current.rows
  }, [pages])
}
