/*
 * What the filters of a list are called, at every door. Which there are follows from the fields of a kind (listing.ts).
 */

/** What stands in a filter for a value that was not set. */
export const NONE = 'none'

/** The same of a field that has `none` among its choices: there that is a value as any other. */
export const NOT_SET = 'not_set'

export type Unset = typeof NONE | typeof NOT_SET

/**
 * `values`: one of those given. `overlap`: a list that has one of those given. `dates` and `numbers`: between two
 * ends, given as `name.from` and `name.to`, or `name.min` and `name.max`.
 */
export type FilterForm = 'values' | 'overlap' | 'dates' | 'numbers'

/** The names of the two ends of a filter between them. */
export const endsOf = ({ name, form }: { name: string; form: FilterForm }): readonly string[] =>
  form === 'dates' ? [`${name}.from`, `${name}.to`] : form === 'numbers' ? [`${name}.min`, `${name}.max`] : []
