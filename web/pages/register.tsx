import { useParams, useSearch } from '@tanstack/react-router'
import { kindAt } from '../client/records.ts'
import { PageMissing } from '../components/page-fault.tsx'
import { RecordList } from '../components/record-list.tsx'

/** The list of a kind, by the path of the kind. */
export function RegisterPage() {
  const { register } = useParams({ strict: false }) as { register?: string }
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const kind = kindAt(register)
  return kind ? <RecordList key={kind.name} kind={kind} search={search} /> : <PageMissing />
}
