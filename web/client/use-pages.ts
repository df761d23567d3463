import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
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
  useInfiniteQuery({
    queryKey: [name, input],
    queryFn: ({ pageParam }) => call(name, pageParam === null ? input : { ...input, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
  })

export const rowsOf = <Item>({ pages }: InfiniteData<{ data: Item[] }>): Item[] =>
  pages.flatMap(({ data }) => data)
