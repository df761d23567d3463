import type { Values } from '../../model/complaint.ts'
import { CUSTOM_FIELDS, customFilterName } from '../../model/custom-field.ts'

/*
 * Each custom field of a record stands beside its other fields, as `customFields.site`: so whatever draws, edits or
 * filters by a field does it with these as with any other. The service has them in one object, and is sent one.
 */

const PREFIX = `${CUSTOM_FIELDS}.`

/** A record, or a page of them, as the app has it. */
export function spread(answer: unknown): unknown {
  const { data } = answer as { data?: unknown }
  return Array.isArray(data)
    ? { ...(answer as object), data: data.map((record) => withEach(record as Values)) }
    : withEach(answer as Values)
}

function withEach(record: Values): Values {
  const custom = record[CUSTOM_FIELDS] as Values | null | undefined
  if (!custom) return record
  const each = Object.entries(custom).map(([name, value]) => [customFilterName(name), value])
  return { ...record, ...Object.fromEntries(each) }
}

/** An input as the service takes it. */
export function gathered(input: Values): Values {
  const names = Object.keys(input).filter((name) => name.startsWith(PREFIX))
  if (names.length === 0) return input
  const others = Object.entries(input).filter(([name]) => !names.includes(name))
  const custom = names.map((name) => [name.slice(PREFIX.length), input[name]])
  return {
    ...Object.fromEntries(others),
    [CUSTOM_FIELDS]: { ...(input[CUSTOM_FIELDS] as Values | null), ...Object.fromEntries(custom) },
  }
}

/** Which of these fields a path that the service names is about: `customFields.regions.1` as any other. */
export const fieldAt = (path: string, fields: readonly string[]): string | undefined =>
  fields
    .filter((name) => path === name || path.startsWith(`${name}.`))
    .sort((one, other) => other.length - one.length)[0]
