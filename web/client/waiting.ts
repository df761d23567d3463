import type { KindEntry } from '../../model/described-kind.ts'
import { principalId } from '../../model/roles.ts'
import { call } from './calls.ts'
import type { Filters } from './list-address.ts'

export type Waiting = NonNullable<KindEntry['waits']>[number]

/** What of a kind waits for somebody, by the ids that they have. */
export const waitingFor = ({ while: { field, values }, whom }: Waiting, ids: readonly string[]): Filters => ({
  [field]: [...values],
  [principalId(whom)]: [...ids],
})

/** The ids by which records name a user: their own, and that of their entry in the directory. */
export async function idsOf(userId: string): Promise<readonly string[]> {
  const { personnelId } = await call('getUser', { id: userId })
  return [userId, ...(personnelId ? [personnelId] : [])]
}
