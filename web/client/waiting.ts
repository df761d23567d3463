import { useQuery } from '@tanstack/react-query'
import type { Values } from '../../model/complaint.ts'
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

/** Whether a record names whoever is signed in as the one to whom its kind leaves something of it. */
export function useIsTheirs({ leftTo }: KindEntry, record: Values): boolean {
  const { limitedView, person } = useSignedIn()
  const named = leftTo && (record[leftTo.whom] as { refId?: string } | null)?.refId
  const isAsked = named !== undefined && limitedView !== 'auditor'
  // Who is here for themselves alone is shown nothing else, and may not look into the directory.
  const ids = useOwnIds(isAsked && named !== person.id && limitedView === null)
  return isAsked && (named === person.id || limitedView === 'self_service' || ids?.includes(named) === true)
}

/** The ids by which records name a user. */
export async function idsOf(userId: string): Promise<readonly string[]> {
  const { personnelId } = await call('getUser', { id: userId })
  return [userId, ...(personnelId ? [personnelId] : [])]
}
