import {
  type InfiniteData,
  infiniteQueryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { type CallName, call, type Input, type Output } from './calls.ts'

interface Page {
  data: unknown[]
  nextCursor: string | null
}

/** The calls that answer page by page. */
export type PagedName = {
  [Name in CallName]: [Output<Name>, { cursor: string }] extends [Page, Partial<Input<Name>>] ? Name : never
}[CallName]

export type Row<Name extends PagedName> = Output<Name>['data'][number]

/** What a list answers, page by page, kept under its name and input. */
export const usePages = <Name extends PagedName>(
  name: Name,
  input: Input<Name>,
): UseInfiniteQueryResult<InfiniteData<Output<Name>>> =>
  useInfiniteQuery(pagesQuery([name, input], (from) => call(name, { ...input, ...from })))

/**
 * For `useInfiniteQuery`: whatever answers page by page.
 * @param read is given where the page begins, nothing for the first; who takes the signal is broken off when
 *   nobody looks any more
 */
export const pagesQuery = <Answer extends Page>(
  queryKey: readonly unknown[],
  read: (from: { cursor?: string }, signal: () => AbortSignal) => Promise<Answer>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: (context) =>
      read(context.pageParam === null ? {} : { cursor: context.pageParam }, () => context.signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
  })

export const rowsOf = <Item>({ pages }: InfiniteData<{ data: Item[] }>): Item[] =>
  pages.flatMap(({ data }) => data)
