import type { Kind } from './kind.ts'

/* What answers tell of other records and no table holds: how each reading of a kind is made from its row. */

/** The expression over the row `r` alone that a field is read by; none of one that the table holds. */
export function readingOf(kind: Pick<Kind, 'readings' | 'lookups'>, field: string): string | undefined {
  const reading = kind.readings[field]
  if (!reading) return undefined
  if ('isSet' in reading) return `(${readingOf(kind, reading.isSet)} is not null)`
  const { sql, from } = reading
  return from === undefined ? `(${sql})` : `(select ${sql} from (${kind.lookups[from]}) ${from})`
}

/** The reading that says why a flag is set; none of a flag that says all there is. */
export function reasonOf({ readings }: Pick<Kind, 'readings'>, flag: string): string | undefined {
  const reading = readings[flag]
  return reading && 'isSet' in reading ? reading.isSet : undefined
}
