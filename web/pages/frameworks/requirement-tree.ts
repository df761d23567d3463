import type { Values } from '../../../model/complaint.ts'
import { compareNaturally } from '../../../model/natural-order.ts'

/*
 * The requirements of a framework as the tree that they are, with how far each branch is. Pure functions over the rows
 * of a list: there may be more than a thousand.
 */

/** A requirement as the tree reads it. */
export interface Requirement extends Values {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly parentId: string | null
  readonly sortOrder: number | null
  readonly assessable: boolean
  readonly inScope: boolean
  readonly result: string
  readonly resultPinned: boolean
  readonly resultReason: string | null
  readonly owner: { readonly displayName: string; readonly active: boolean } | null
}

export interface Branch {
  readonly requirement: Requirement
  readonly below: readonly Branch[]
  /** How many of it and below it have which result, of those in scope. */
  readonly results: ReadonlyMap<string, number>
}

/** What of the tree is looked at. */
export interface TreeFilter {
  readonly results: readonly string[]
  readonly q: string
  readonly inScopeOnly: boolean
}

/** @returns the branches at the top; a row whose parent is not there is one of them */
export function branchesOf(rows: readonly Requirement[]): readonly Branch[] {
  const known = new Set(rows.map(({ id }) => id))
  const below = Map.groupBy(rows, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  )
  const branch = (requirement: Requirement): Branch => {
    const branches = inOrder(below.get(requirement.id) ?? []).map(branch)
    return { requirement, below: branches, results: counted(requirement, branches) }
  }
  return inOrder(below.get(null) ?? []).map(branch)
}

/** In the order of their framework, and by their keys where it has none. */
const inOrder = (rows: readonly Requirement[]): readonly Requirement[] =>
  rows.toSorted((one, other) => placeOf(one) - placeOf(other) || compareNaturally(one.key, other.key))

const placeOf = ({ sortOrder }: Requirement): number => sortOrder ?? Number.MAX_SAFE_INTEGER

/** As the progress of the framework counts them: what turned out not to apply is none of them. */
const isCounted = ({ inScope, result }: Requirement): boolean => inScope && result !== 'not_applicable'

function counted(requirement: Requirement, below: readonly Branch[]): ReadonlyMap<string, number> {
  const results = new Map<string, number>()
  const add = (result: string, count: number) => results.set(result, (results.get(result) ?? 0) + count)
  if (isCounted(requirement)) add(requirement.result, 1)
  for (const branch of below) for (const [result, count] of branch.results) add(result, count)
  return results
}

export const isFiltering = ({ results, q, inScopeOnly }: TreeFilter): boolean =>
  results.length > 0 || q !== '' || inScopeOnly

/** The branches with what the filter lets through. Words that a heading has find all that is below it. */
export function filtered(branches: readonly Branch[], filter: TreeFilter): readonly Branch[] {
  if (!isFiltering(filter)) return branches
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean)
  const hasWords = ({ key, title }: Requirement): boolean =>
    words.every((word) => `${key} ${title}`.toLowerCase().includes(word))
  const passes = ({ assessable, inScope, result }: Requirement): boolean =>
    assessable &&
    (inScope || !filter.inScopeOnly) &&
    (filter.results.length === 0 || filter.results.includes(result))
  const cut = (branch: Branch, isFound: boolean): readonly Branch[] => {
    const { requirement } = branch
    const found = isFound || hasWords(requirement)
    const below = branch.below.flatMap((one) => cut(one, found && !requirement.assessable))
    return below.length > 0 || (found && passes(requirement)) ? [{ ...branch, below }] : []
  }
  return branches.flatMap((branch) => cut(branch, false))
}

/** How many rows stand in the branches that have an answer. */
export const answerable = (branches: readonly Branch[]): number =>
  branches.reduce(
    (sum, { requirement, below }) => sum + (requirement.assessable ? 1 : 0) + answerable(below),
    0,
  )
