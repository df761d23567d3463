import { capital } from '../../../model/capital.ts'
import { kindOf } from '../../client/journal.ts'
import { kindOfId, sidesOf } from '../../client/kinds.ts'
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
  type,
  word,
  ends: [was, is],
}: {
  /** Of what the entry is about. */
  type: string
  /** What the other record is to it. */
  word: string
  ends: readonly [Told | null, Told | null]
}) {
  const { id, reference, title } = (is ?? was)!
  const kind = kindOfId(id)
  const subject = kindOf(type)
  const side = subject && sidesOf(subject).find((one) => one.word === word)
  if (!kind) return null
  const roles = [was?.role, is?.role].filter((role) => role !== null && role !== undefined)
  return (
    <div>
      <dt>{side?.relation.called ? capital(side.noun.one) : kind.title}</dt>
      <dd>
        <NamedRecordLink kind={kind} id={id} reference={reference} name={title} />
        {roles.length > 0 && <span>{journal.roles(roles.map((role) => valueWord(role)))}</span>}
      </dd>
    </div>
  )
}
