import type { KindEntry } from '../../../model/described-kind.ts'
import { BulkChanges } from '../../components/bulk-change/list.tsx'
import { bulkChanges as words } from '../../copy/bulk-changes.ts'

const AT_FIRST = 5

/** The imports of a kind that were begun or done before, where the next one begins; nothing where there are none. */
export function Imports({ kind: { name, noun } }: { kind: KindEntry }) {
  return <BulkChanges title={words.ofKind(noun.many)} type={name} atFirst={AT_FIRST} />
}
