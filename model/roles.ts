import { columnOf, type Kind, type Noun, type Values } from './kind.ts'

/*
 * What the fields of a kind are to its records. A kind says it, and nothing else knows a field by its name: whoever
 * wants the name of a record, its owner or when it is due asks here.
 */

/** What a record is called: by its name, or by its reference where it has none. */
export const nameOf = ({ named }: Kind, record: Values): string => String(record[named] ?? record.reference)

/** The column of what a kind's records are called by. */
export const nameColumn = ({ named }: Kind): string => columnOf(named)

/** "a risk", "an asset", "evidence". */
export const withArticle = ({ one, article }: Noun): string =>
  article === 'none' ? one : `${article ?? 'a'} ${one}`

/** "one risk", "evidence". */
export const single = ({ one, article }: Noun): string => (article === 'none' ? one : `one ${one}`)
