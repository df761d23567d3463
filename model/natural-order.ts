/*
 * The order of names and titles for people: A, Ä, b, Z, and 2 before 10. English has the root order of Unicode, which
 * is also the order of the collation natural_order in PostgreSQL.
 */
const collator = new Intl.Collator('en', { numeric: true })

/** Compares two texts for `sort`; texts that differ are never equal. */
export const compareNaturally = (one: string, other: string): number =>
  collator.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)
