import type { Field } from '../client/fields.ts'
import { optionOf } from '../copy/records.ts'
import { ColourMark } from './colour-mark.tsx'
import { SharesInLine, sharesOf } from './share-bar.tsx'

/** The value of a field in its colours: a choice as its word, counts as a bar. */
export function ColouredValue({ field, value }: { field: Field; value: unknown }) {
  if (field.form === 'object') return <SharesInLine shares={sharesOf(field, value as object)} />
  return <ColourMark colour={field.colours![String(value)]}>{optionOf(field, String(value))}</ColourMark>
}
