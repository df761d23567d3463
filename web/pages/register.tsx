import { useParams, useSearch } from '@tanstack/react-router'
import { lazy } from 'react'
import type { KindEntry } from '../../model/described-kind.ts'
import { useKindOfRecords } from '../client/custom-fields.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { described, kindAt } from '../client/kinds.ts'
import { queries } from '../client/queries.ts'
import { PageMissing } from '../components/page-fault.tsx'
import { rowsQuery } from '../components/record-list/use-rows.ts'
import { NEWEST_FIRST } from '../components/record-list/view.ts'
import { RecordList } from '../components/record-list.tsx'

/** What stands above the list of a kind: what else its records are looked for by, or come from. */
const ABOVE: Readonly<Record<string, ReturnType<typeof lazy>>> = {
  framework: lazy(() =>
    fetchCode(() => import('./frameworks/from-library.tsx')).then((code) => ({ default: code.FromLibrary })),
  ),
  policy: lazy(() =>
    fetchCode(() => import('./policies/standing.tsx')).then((code) => ({ default: code.PolicyStanding })),
  ),
}

/** The list of a kind, by the path of the kind. */
export function RegisterPage() {
  const { register } = useParams({ strict: false }) as { register?: string }
  const kind = kindAt(register)
  return kind ? <Register key={kind.name} entry={kind} /> : <PageMissing />
}

function Register({ entry }: { entry: KindEntry }) {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  // What an address means takes the fields of the kind. One that says nothing is read beside them.
  if (!described(entry) && Object.keys(search).length === 0)
    void queries.prefetchInfiniteQuery(rowsQuery(entry, {}, NEWEST_FIRST))
  return <RecordList kind={useKindOfRecords(entry)} search={search} above={ABOVE[entry.name]} />
}
