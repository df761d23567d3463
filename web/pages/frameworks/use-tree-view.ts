import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { TreeFilter } from './requirement-tree.ts'

/** Which branches somebody opened or folded, by what of which framework was looked at: found again by whoever comes back. */
const folded = new Map<string, ReadonlyMap<string, boolean>>()

const NONE: ReadonlyMap<string, boolean> = new Map()

interface Search {
  readonly result?: string | readonly string[]
  readonly q?: unknown
  readonly scope?: unknown
}

/**
 * What of the tree is looked at stands in the address, so that it can be sent to somebody; what is folded does not.
 * @param isNarrowed whether only what is in scope is shown until somebody says otherwise
 */
export function useTreeView(framework: string, isNarrowed: boolean) {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const [, setChanges] = useState(0)
  const filter: TreeFilter = {
    results: [search.result ?? []].flat().map(String),
    q: search.q === undefined ? '' : String(search.q),
    inScopeOnly: search.scope === undefined ? isNarrowed : search.scope === 'in',
  }
  const show = ({ results, q, inScopeOnly }: TreeFilter) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({
        ...before,
        result: results.length > 0 ? results : undefined,
        q: q || undefined,
        scope: inScopeOnly === isNarrowed ? undefined : inScopeOnly ? 'in' : 'all',
      })) as never,
      replace: true,
    })
  // What is looked for is seen, whatever was folded before.
  const place = [framework, filter.q, ...filter.results].join(' ')
  const open = (next: ReadonlyMap<string, boolean>) => {
    folded.set(place, next)
    setChanges((changes) => changes + 1)
  }
  return { filter, show, opened: folded.get(place) ?? NONE, open }
}
