import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Values } from '../../model/complaint.ts'
import type { DescribedKind, KindEntry } from '../../model/described-kind.ts'
import { call } from './calls.ts'
import { fetchCode } from './fetch-code.ts'
import { queries } from './queries.ts'
import { useKind } from './use-kind.ts'

/*
 * The custom fields that the organization has defined are fields of their kinds: forms ask for them behind the sections
 * of the kind, and lists show them and filter by them, as by any other field.
 */

const AT_MOST = 200
const FRESH_MS = 60_000

export const customFieldsQuery = queryOptions({
  queryKey: ['listCustomFields', { limit: AT_MOST }],
  queryFn: async () => (await call('listCustomFields', { limit: AT_MOST })).data,
  staleTime: FRESH_MS,
})

/**
 * With what makes fields of them, which is loaded only where there are any. Where they cannot be had just now, records
 * are shown without them: what else is wrong is told by what reads those.
 */
const asFieldsQuery = queryOptions({
  queryKey: ['listCustomFields', 'fields'],
  queryFn: async () => {
    try {
      const all = await queries.fetchQuery(customFieldsQuery)
      if (all.length === 0) return null
      const { withCustomFields } = await fetchCode(() => import('./custom-kind.ts'))
      return { all, withCustomFields }
    } catch {
      return null
    }
  },
  staleTime: ({ state }) => (state.data ? FRESH_MS : 0),
})

/** A kind with the custom fields of its records; what asks for it is drawn when both are there. */
export function useKindOfRecords(entry: KindEntry): DescribedKind {
  // Beside the kind, and not behind it.
  if (queries.getQueryData(asFieldsQuery.queryKey) === undefined) void queries.prefetchQuery(asFieldsQuery)
  const kind = useKind(entry)
  const { data } = useSuspenseQuery(asFieldsQuery)
  return useMemo(() => (data ? data.withCustomFields(kind, data.all) : kind), [kind, data])
}

/** Of what a record is called by names of its own, those that nobody has defined: the others are fields. */
export function undefinedOnly({ defined = [] }: DescribedKind, custom: unknown): Values | null {
  const others = Object.entries((custom as Values | null) ?? {}).filter(([name]) => !defined.includes(name))
  return others.length > 0 ? Object.fromEntries(others) : null
}
