import type { Complaint, Values } from './complaint.ts'

/**
 * The complaint about values that should go up and do not: a last day before the first, a least above a most.
 * @param rows the names of fields from the lowest to the highest; `a.b` is the part b of the field a
 */
export function refuseDescent(
  rows: readonly (readonly string[])[],
  before: Values | null,
  after: Values,
): Complaint | null {
  for (const row of rows) {
    const fault = descent(row, after)
    if (fault && !(before && sameAt(row, before, after))) return fault
  }
  return null
}

/** Numbers by size; days and moments in UTC as texts, which sort as they follow. */
function descent(row: readonly string[], values: Values): Complaint | null {
  const set = row.flatMap((path) => {
    const value = at(path, values)
    return typeof value === 'number' || typeof value === 'string' ? [{ path, value }] : []
  })
  for (const [index, { path, value }] of set.entries()) {
    const last = set[index - 1]
    if (!last || value >= last.value) continue
    const how = typeof value === 'number' ? 'less than' : 'before'
    return { path, message: `is ${how} ${last.path.split('.').at(-1)}: change one of the two` }
  }
  return null
}

/** Nobody is made to mend what they did not touch. */
const sameAt = (row: readonly string[], before: Values, after: Values): boolean =>
  row.every((path) => at(path, before) === at(path, after))

function at(path: string, values: Values): unknown {
  const [field = '', part] = path.split('.')
  return part === undefined ? values[field] : (values[field] as Values | null | undefined)?.[part]
}
