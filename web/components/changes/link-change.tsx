import type { KindEntry } from '../../../model/described-kind.ts'
import { journal } from '../../copy/journal.ts'
import { valueWord } from '../../copy/records.ts'
import { NamedRecordLink } from '../named-record-link.tsx'

/** A link as the journal tells it. */
interface Told {
  id: string
  reference: string
  title: string
  role: string | null
}

export const toldLink = (value: unknown): Told | null =>
  typeof value === 'object' && value !== null && 'id' in value ? (value as Told) : null

/** With which record a link was made or ended, and as what. */
export function LinkChange({
  kind,
  ends: [was, is],
}: {
  kind: KindEntry
  ends: readonly [Told | null, Told | null]
}) {
  const { id, reference, title } = (is ?? was)!
  const roles = [was?.role, is?.role].filter((role) => role !== null && role !== undefined)
  return (
    <div>
      <dt>{kind.title}</dt>
      <dd>
        <NamedRecordLink kind={kind} id={id} reference={reference} name={title} />
        {roles.length > 0 && <span>{journal.roles(roles.map((role) => valueWord(role)))}</span>}
      </dd>
    </div>
  )
}
