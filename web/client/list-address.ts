import type { Kind } from '../../model/kind.ts'

/** Filters of a list as its operation takes them; those that are undefined are left out. */
export type Filters = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** Where the list of a kind stands with these filters: the register reads them from its address. */
export function listAddress({ path }: Pick<Kind, 'path'>, filters: Filters = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined) for (const one of [value].flat()) query.append(name, String(one))
  return `/${path}${query.size > 0 ? `?${query}` : ''}`
}

export const recordAddress = ({ path }: Pick<Kind, 'path'>, id: string): string => `/${path}/${id}`

/** What is not done yet, as a filter of the list. */
export function open({ fields, terminal }: Kind): Filters {
  if (!terminal) return {}
  const { entries } = fields[terminal.field]!._zod.def as unknown as { entries: Record<string, string> }
  return { [terminal.field]: Object.values(entries).filter((one) => !terminal.values.includes(one)) }
}
