import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call, type Output } from '../../../client/calls.ts'
import { queries } from '../../../client/queries.ts'
import { pagesQuery } from '../../../client/use-pages.ts'
import { filtersOf, type View } from './view.ts'

type Page = Output<'listWebhookDeliveries'>
export type DeliveryRow = Page['data'][number]

const PAGE = 50
const EVERY = 3_000

/**
 * The log as it is looked at, page by page, and beside it its newest page, asked for every few seconds while
 * somebody looks. What is new in there is counted, not put in: nothing moves under the reader's hand. The rows
 * that stand take what has become of them since.
 */
export function useDeliveryLog(view: View) {
  const key = ['listWebhookDeliveries', 'shown', view]
  const shown = useInfiniteQuery({
    ...pagesQuery(key, (from) => read(view, from)),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const newest = useQuery({
    queryKey: ['listWebhookDeliveries', 'newest', view],
    queryFn: () => read(view),
    refetchInterval: EVERY,
    retry: false,
  })
  const stood = shown.data?.pages.flatMap(({ data }) => data) ?? []
  const known = new Set(stood.map(({ id }) => id))
  const now = new Map(newest.data?.data.map((row) => [row.id, row]))
  const fresh = shown.data ? [...now.keys()].filter((id) => !known.has(id)).length : 0
  return {
    shown,
    rows: stood.map((row) => now.get(row.id) ?? row),
    isLive: !newest.isError,
    fresh,
    /** There may be more than were counted. */
    freshAtLeast: fresh === PAGE,
    showFresh: () => queries.setQueryData(key, { pages: [newest.data], pageParams: [null] }),
  }
}

const read = (view: View, from: { cursor?: string } = {}): Promise<Page> =>
  call('listWebhookDeliveries', { ...filtersOf(view), limit: PAGE, ...from })
