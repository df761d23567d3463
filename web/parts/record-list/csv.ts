import type { Kind, Values } from '../../../kinds/kind.ts'
import { fieldsOf } from '../../client/fields.ts'

const BYTE_ORDER_MARK = '\uFEFF'

/** What a spreadsheet would take for a formula, when it begins a cell. */
const FORMULA = /^[=+\-@\t\r]/

/** Text goes into a cell as text: what could be run as a formula is kept from that by an apostrophe. */
export function csvCell(value: unknown): string {
  const plain = plainOf(value)
  const safe = typeof value !== 'number' && FORMULA.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\r\n`

function plainOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainOf).join('; ')
  if (typeof value !== 'object') return String(value)
  const { displayName } = value as { displayName?: string }
  return displayName ?? JSON.stringify(value)
}

/** Every field of the kind, as columns of a file. */
export function csvOf(kind: Kind) {
  const fields = [...fieldsOf(kind).values()].sort((a, b) => rank(kind, a.name) - rank(kind, b.name))
  return {
    head: BYTE_ORDER_MARK + csvLine(fields.map(({ title }) => title)),
    line: (record: Values) => csvLine(fields.map(({ name }) => record[name])),
  }
}

const rank = (kind: Kind, name: string) =>
  name === 'reference' ? 0 : name === kind.columns[0] ? 1 : name in kind.fields ? 2 : 3
