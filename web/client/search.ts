import { defaultStringifySearch } from '@tanstack/react-router'

/** A list of values is written as the API takes it: `status=assessed&status=closed`. */
export function stringifySearch(search: Record<string, unknown>): string {
  const isList = (value: unknown) => Array.isArray(value)
  const entries = Object.entries(search)
  const single = defaultStringifySearch(Object.fromEntries(entries.filter(([, value]) => !isList(value))))
  const lists = new URLSearchParams(
    entries.flatMap(([name, value]) =>
      isList(value) ? (value as unknown[]).map((one) => [name, String(one)]) : [],
    ),
  ).toString()
  return lists ? `${single || '?'}${single ? '&' : ''}${lists}` : single
}
