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

const TONES: Readonly<Record<number, readonly string[]>> = {
  2: ['low', 'critical'],
  3: ['low', 'medium', 'critical'],
  4: ['low', 'medium', 'high', 'critical'],
  5: ['slight', 'low', 'medium', 'high', 'critical'],
  6: ['least', 'slight', 'low', 'medium', 'high', 'critical'],
}

/** The name of a colour, as the style sheets know it; none of a level that is not among those. */
export const toneOf = (level: string, levels: readonly string[]): string | undefined =>
  TONES[graded(levels).length]?.[graded(levels).indexOf(level)]
