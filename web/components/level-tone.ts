/*
 * The colour of a level follows from its place among the levels there are, so that the gravest is red and the least
 * green wherever a scale has no room for what is less than that.
 */

const TONES: Readonly<Record<number, readonly string[]>> = {
  2: ['low', 'critical'],
  3: ['low', 'medium', 'critical'],
  4: ['low', 'medium', 'high', 'critical'],
  5: ['slight', 'low', 'medium', 'high', 'critical'],
  6: ['least', 'slight', 'low', 'medium', 'high', 'critical'],
}

/** The name of a colour, as the style sheets know it; none of a level that is not among those. */
export const toneOf = (level: string, levels: readonly string[]): string | undefined =>
  TONES[levels.length]?.[levels.indexOf(level)]
