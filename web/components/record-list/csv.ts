import type { Values } from '../../../model/complaint.ts'
import { csvHead, csvRow } from '../../../model/csv.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fieldsOf } from '../../client/fields.ts'

/** Every field of the kind, as columns of a file. */
export function csvOf(kind: DescribedKind) {
  const fields = [...fieldsOf(kind).values()].sort((a, b) => rank(kind, a.name) - rank(kind, b.name))
  return {
    head: csvHead(fields.map(({ title }) => title)),
    line: (record: Values) => csvLine(fields.map(({ name }) => record[name])),
  }
}

/** Lists and names as people write them. */
export const csvLine = (values: readonly unknown[]): string => csvRow(values.map(readable))

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => String(readable(one))).join('; ')
  if (typeof value !== 'object' || value === null) return value
  const { displayName } = value as { displayName?: string }
  return displayName ?? JSON.stringify(value)
}

const rank = (kind: DescribedKind, name: string) =>
  name === 'reference' ? 0 : name === kind.named ? 1 : name in kind.fields ? 2 : 3
