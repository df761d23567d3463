import type { Field } from '../client/fields.ts'
import { writtenMoney } from '../client/formats.ts'

/** The parts of a value, its amounts written in their currency. */
export function withMoney({ parts }: Field, value: object): Record<string, unknown> {
  const { currency } = value as { currency?: unknown }
  const amounts = new Set(parts.flatMap(({ name, isMoney }) => (isMoney ? [name] : [])))
  const written = (name: string, one: unknown) =>
    amounts.has(name) && typeof one === 'number' && typeof currency === 'string'
      ? writtenMoney(one, currency)
      : one
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, written(name, one)]))
}
