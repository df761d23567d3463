import { useQuery } from '@tanstack/react-query'
import type { KindEntry } from '../../../model/described-kind.ts'
import { deadlineOf } from '../../../model/roles.ts'
import { everyKind } from '../../client/kinds.ts'
import type { Filters } from '../../client/list-address.ts'
import { type AnyRecord, mayDo, recordCall } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { describeAhead } from '../../client/use-kind.ts'
import { idsOf, type Waiting, waitingFor } from '../../client/waiting.ts'

/** Of each way in which records of a kind wait for somebody: how many do, and the first of them. */
export interface WaitingRecords {
  readonly kind: KindEntry
  readonly act: Waiting['act']
  readonly filters: Filters
  readonly count: number
  readonly records: readonly AnyRecord[]
}

const FIRST = 20

/** What waits for the person, as a user and as who they are in the directory. */
export function useWaiting() {
  const signedIn = useSignedIn()
  const { id } = signedIn.person
  const kinds = everyKind.filter((kind) => kind.waits && mayDo(kind, 'read', signedIn))
  return useQuery({ queryKey: ['waiting', id], queryFn: () => read(id, kinds) })
}

async function read(userId: string, kinds: readonly KindEntry[]): Promise<WaitingRecords[]> {
  const ids = await idsOf(userId)
  const all = await Promise.all(
    kinds.flatMap((kind) =>
      (kind.waits ?? []).map(async (waiting): Promise<WaitingRecords> => {
        const filters = waitingFor(waiting, ids)
        const [{ total }, { data }] = await Promise.all([
          recordCall(kind, 'summarize', { ...filters, counted: ['total'] }),
          recordCall(kind, 'list', { ...filters, sort: deadlineOf(kind), limit: FIRST }),
        ])
        return { kind, act: waiting.act, filters, count: total, records: data }
      }),
    ),
  )
  describeAhead(...all.flatMap(({ kind, count }) => (count > 0 ? [kind] : [])))
  return all
}
