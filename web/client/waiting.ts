import { useQuery } from '@tanstack/react-query'
import type { KindEntry } from '../../model/described-kind.ts'
import { principalId } from '../../model/roles.ts'
import { call } from './calls.ts'
import type { Filters } from './list-address.ts'
import { useSignedIn } from './session.ts'

export type Waiting = NonNullable<KindEntry['waits']>[number]

/** What of a kind waits for somebody, by the ids that they have. */
export const waitingFor = ({ while: { field, values }, whom }: Waiting, ids: readonly string[]): Filters => ({
  [field]: [...values],
  [principalId(whom)]: [...ids],
})

/** The ids by which records name whoever is signed in: their own, and that of their entry in the directory. */
export function useOwnIds(isWanted = true): readonly string[] | undefined {
  const { id } = useSignedIn().person
  const { data } = useQuery({ queryKey: ['ids of a user', id], queryFn: () => idsOf(id), enabled: isWanted })
  return data
}

/** The ids by which records name a user. */
export async function idsOf(userId: string): Promise<readonly string[]> {
  const { personnelId } = await call('getUser', { id: userId })
  return [userId, ...(personnelId ? [personnelId] : [])]
}
