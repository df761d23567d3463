import type { LevelColour } from '../../model/risk-matrix.ts'
import { NO_LEVELS } from '../../model/scales.ts'

/*
 * The colour of a level follows from its place among the levels there are, so that the gravest is red and the least
 * green wherever a scale has no room for what is less than that. A first value that says that there is none is no level
 * among them: it has no colour and no bar.
 */

const NO_LEVEL: ReadonlySet<string> = new Set(NO_LEVELS)

/** Those that say how grave something is, from the least. */
export const graded = (levels: readonly string[]): readonly string[] =>
  NO_LEVEL.has(levels[0]!) ? levels.slice(1) : levels

const COLOURS: Readonly<Record<number, readonly LevelColour[]>> = {
  2: ['teal', 'red'],
  3: ['teal', 'yellow', 'red'],
  4: ['teal', 'yellow', 'orange', 'red'],
  5: ['blue', 'teal', 'yellow', 'orange', 'red'],
  6: ['grey', 'blue', 'teal', 'yellow', 'orange', 'red'],
}

/** The colour of a level of a scale (web/level-colours.css); none of one that is not among those. */
export const colourOf = (level: string, levels: readonly string[]): LevelColour | undefined =>
  COLOURS[graded(levels).length]?.[graded(levels).indexOf(level)]
