import { LEVELS, type Level } from '../../model/scales.ts'
import { riskMatrix } from './risk-matrix.ts'

/** How far the organization is willing to go with some categories of risk. */
export interface Shown {
  /** The highest level that is within the appetite; null where the categories differ. */
  readonly level: Level | null
  /** Those for which it is said, where it is not said for all of them. */
  readonly categories: readonly string[] | null
}

/**
 * @param categories those that are shown; all, where none is named
 * @returns null where nothing is said of any of them
 */
export function appetiteFor(categories: readonly string[]): Shown | null {
  const { appetite } = riskMatrix()
  const all = categories.length > 0 ? categories : Object.keys(appetite)
  const said = all.filter((category) => appetite[category])
  const levels = new Set(said.map((category) => appetite[category]!))
  if (levels.size === 0) return null
  const [level] = levels
  return {
    level: levels.size === 1 ? level! : null,
    categories: said.length < all.length ? said : null,
  }
}

/**
 * On which sides of a cell the line of the appetite runs: it is within, and what is beside it there is not. Levels never
 * fall as likelihood or impact rises, so the line is one.
 * @param here the level of the cell, and of those beside it towards what is worse and what is likelier
 */
export function appetiteLine(
  highest: Level | null | undefined,
  here: { readonly level: string; readonly worse: string | undefined; readonly likelier: string | undefined },
): string | undefined {
  if (!highest || isAbove(here.level, highest)) return undefined
  const sides = [
    ...(here.worse !== undefined && isAbove(here.worse, highest) ? ['top'] : []),
    ...(here.likelier !== undefined && isAbove(here.likelier, highest) ? ['end'] : []),
  ]
  return sides.join(' ') || undefined
}

const isAbove = (level: string, highest: Level): boolean =>
  LEVELS.indexOf(level as Level) > LEVELS.indexOf(highest)
