import { capital } from '../../../model/capital.ts'
import { kindOfId } from '../../client/kinds.ts'
import { type LinkPart, partsTold, sideTold } from '../../client/link-told.ts'
import { journal } from '../../copy/journal.ts'
import { valueWord } from '../../copy/records.ts'
import { NamedRecordLink } from '../named-record-link.tsx'

/** A link as the journal tells it. */
interface Told {
  id: string
  reference: string
  title: string
  readonly [said: string]: unknown
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
  const side = sideTold(type, word)
  if (!kind) return null
  return (
    <div>
      <dt>{side?.relation.called ? capital(side.noun.one) : kind.title}</dt>
      <dd>
        <NamedRecordLink kind={kind} id={id} reference={reference} name={title} />
        {partsTold(side, was, is).map((part) => (
          <bdi key={part.field.name}>{saidIn(part)}</bdi>
        ))}
      </dd>
    </div>
  )
}

/** A role is what the other is; of what else a link says, its title is told. */
function saidIn({ field: { name, title, form }, from, to }: LinkPart): string {
  const ends = [from, to].filter((end, place) => end !== null && (place === 1 || end !== to))
  const said = ends.map((end) => (form === 'choice' ? valueWord(String(end)) : String(end)))
  return name === 'role' ? journal.roles(said) : journal.said(title, said)
}
