import { useQueries, useQuery } from '@tanstack/react-query'
import type { KindEntry } from '../../../../model/described-kind.ts'
import { call } from '../../../client/calls.ts'
import { type AnyRecord, type Principal, recordQuery } from '../../../client/records.ts'

/** The address has the ids of linked records; people know them by their references. */
export function useReferences(
  linked: KindEntry | undefined,
  ids: readonly string[],
): ReadonlyMap<string, string> {
  const read = useQueries({
    queries: linked ? ids.map((id) => recordQuery(linked, 'get', { id })) : [],
  })
  return new Map(read.flatMap(({ data }) => (data ? [[data.id, data.reference] as const] : [])))
}

/** The address has the ids of owners; their names come from the rows, or else are asked for. */
export function useOwnerNames(
  { owners }: KindEntry,
  ids: readonly string[],
  rows: readonly AnyRecord[],
): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  for (const row of rows)
    for (const owner of owners) {
      const principal = row[owner] as Principal | null
      if (principal && ids.includes(principal.refId)) known.set(principal.refId, principal.displayName)
    }
  const { data } = useQuery({
    queryKey: ['listOwnershipPrincipals', { limit: 200 }],
    queryFn: () => call('listOwnershipPrincipals', { limit: 200 }),
    enabled: ids.some((id) => !known.has(id)),
  })
  for (const { refId, displayName } of data?.data ?? []) known.set(refId, displayName)
  return known
}
