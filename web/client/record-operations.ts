import { queryOptions } from '@tanstack/react-query'
import type { KindEntry } from '../../model/described-kind.ts'
import type { KindName } from '../../model/kinds/index.ts'
import { call, type Output } from './calls.ts'

export type RecordOperation = Output<'listRecordOperations'>['data'][number]

/** What can be done with a record of the kind beside its verbs: the same for as long as the page is open. */
export const operationsOn = (kind: KindEntry) =>
  queryOptions({
    queryKey: ['listRecordOperations', kind.name],
    queryFn: () => call('listRecordOperations', { kind: kind.name as KindName }),
    staleTime: Number.POSITIVE_INFINITY,
  })
