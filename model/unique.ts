import { columnOf } from './column-names.ts'
import { isEmail } from './fields.ts'
import { givenFields, type Kind } from './kind.ts'
import { once } from './once.ts'

/** What no two records of a kind may have alike. */
export interface Unique {
  readonly kind: Kind
  /** The field that is told where they would. */
  readonly field: string
  readonly fields: readonly string[]
  /** Where it is so of records in these states alone. */
  readonly states?: readonly string[]
}

export const uniquesOf = once((kind: Kind): readonly Unique[] => [
  { kind, field: 'externalId', fields: ['externalId'] },
  ...Object.entries(kind.unique).map(([field, fields]) => ({ kind, field, fields })),
  ...Object.entries(kind.uniqueWhile).map(([field, told]) => ({ kind, field, ...told })),
])

/** The column of such a field as it is compared: capitals are no difference between two addresses of e-mail. */
export const comparedColumn = (kind: Kind, field: string): string =>
  isEmail(givenFields(kind)[field]!) ? `lower(${columnOf(field)})` : columnOf(field)
