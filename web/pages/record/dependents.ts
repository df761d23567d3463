import type { KindEntry } from '../../../model/described-kind.ts'
import { type recordCall, recordQuery } from '../../client/records.ts'

/** What depends on a record, counted: for its tabs, and for whoever is about to delete it. */
export const dependentsQuery = (kind: KindEntry, id: string) => recordQuery(kind, 'dependents', { id })

export type Dependent = Awaited<ReturnType<typeof recordCall<'dependents'>>>['data'][number]
