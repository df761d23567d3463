// @ts-expect-error `pg` has no types for it: how a value is written as a parameter.
import { prepareValue } from 'pg/lib/utils.js'

/** What needs no quotes in an array: identifiers, numbers, times, base64. */
const PLAIN = /^(?!null$)[\w:.+/=-]+$/i

/**
 * An array as PostgreSQL reads one, nested as the values are. The driver writes the same with a few strings for each
 * element, which is most of what a batch of hundreds of rows costs it.
 */
export function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(elementOf).join(',')}}`
}

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return PLAIN.test(value) ? value : quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  if (Array.isArray(value)) return arrayLiteral(value)
  if (value instanceof Uint8Array)
    return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`
  return quoted(String(prepareValue(value)))
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
