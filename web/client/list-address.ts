import type { KindEntry } from '../../model/described-kind.ts'

/** Filters of a list as its operation takes them; those that are undefined are left out. */
export type Filters = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** Where the list of a kind stands with these filters: the register reads them from its address. */
export function listAddress({ page }: Pick<KindEntry, 'page'>, filters: Filters = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined) for (const one of [value].flat()) query.append(name, String(one))
  return `/${page}${query.size > 0 ? `?${query}` : ''}`
}

export const recordAddress = ({ page }: Pick<KindEntry, 'page'>, id: string): string => `/${page}/${id}`

/** What is not done yet, as a filter of the list. */
export const open = ({ open }: KindEntry): Filters => (open ? { [open.field]: open.values } : {})
