import type { LevelColour } from '../../../model/risk-matrix.ts'
import type { Field } from '../../client/fields.ts'
import type { Share } from '../../components/share-bar.tsx'
import { optionOf } from '../../copy/records.ts'

/** The shares of results, the best first, as bars show them. */
export const sharesOfResults = (field: Field, results: ReadonlyMap<string, number>): readonly Share[] =>
  field.options.toReversed().flatMap((name) => {
    const colour: LevelColour | undefined = field.colours?.[name]
    return colour ? [{ name, title: optionOf(field, name), colour, count: results.get(name) ?? 0 }] : []
  })
