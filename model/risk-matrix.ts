import type { Values } from './complaint.ts'
import { IMPACTS, type Impact, LEVELS, type Level, LIKELIHOODS, type Likelihood } from './scales.ts'

/*
 * The risk matrix of an organization: the level and the score that follow from a likelihood and an impact, what each
 * step and level is called, in which colour a level is shown, and how far the organization is willing to go.
 *
 * The keys are fixed and are what records hold; all else is a setting. Pure functions over plain data: the service goes
 * by them under the lock of a record, pages for what they show, and neither loads zod for it.
 */

/** The colours a level may be shown in; what each looks like, light and dark, is said by web/level-colours.css. */
export const LEVEL_COLOURS = ['grey', 'blue', 'teal', 'green', 'yellow', 'orange', 'red', 'purple'] as const
export type LevelColour = (typeof LEVEL_COLOURS)[number]

export interface Cell {
  readonly score: number
  readonly level: Level
}

export type Cells = Readonly<Record<Likelihood, Readonly<Record<Impact, Cell>>>>

/** By category of risk, the highest level that is within the appetite; null where none is said. */
export type Appetite = Readonly<Record<string, Level | null>>

export interface Step {
  readonly label: string
  readonly description: string | null
}

export interface LevelStyle extends Step {
  readonly colour: LevelColour
}

export interface RiskMatrix {
  readonly likelihoods: Readonly<Record<Likelihood, Step>>
  readonly impacts: Readonly<Record<Impact, Step>>
  readonly levels: Readonly<Record<Level, LevelStyle>>
  readonly cells: Cells
  readonly appetite: Appetite
}

/** What of a matrix a rating follows from. */
export type RatingRules = Pick<RiskMatrix, 'cells' | 'appetite'>

/** What of a record follows from the matrix, by the names of its fields. */
export interface ByMatrix {
  /** Each level, and the score beside it, by the two that it follows from. */
  readonly levels: Readonly<
    Record<string, { readonly likelihood: string; readonly impact: string; readonly score?: string }>
  >
  /** The flag that says whether a level is above the appetite for the category of the record. */
  readonly appetite?: { readonly level: string; readonly category: string; readonly exceeded: string }
}

const byKey = <Key extends string, Value>(keys: readonly Key[], value: (key: Key, index: number) => Value) =>
  Object.fromEntries(keys.map((key, index) => [key, value(key, index)])) as Record<Key, Value>

/** Low to 4, medium to 9, high to 16, critical from 20. */
const usualLevel = (score: number): Level =>
  score <= 4 ? 'low' : score <= 9 ? 'medium' : score <= 16 ? 'high' : 'critical'

const spelled = (key: string): string => {
  const words = key.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const plain = (key: string): Step => ({ label: spelled(key), description: null })

/** What holds until an organization says otherwise: the score is likelihood times impact, each from 1 to 5. */
export const DEFAULT_MATRIX: RiskMatrix = {
  likelihoods: byKey(LIKELIHOODS, plain),
  impacts: byKey(IMPACTS, plain),
  levels: byKey(LEVELS, (level, index) => ({
    ...plain(level),
    colour: (['teal', 'yellow', 'orange', 'red'] as const)[index]!,
  })),
  cells: byKey(LIKELIHOODS, (_, across) =>
    byKey(IMPACTS, (_, down) => {
      const score = (across + 1) * (down + 1)
      return { score, level: usualLevel(score) }
    }),
  ),
  appetite: {},
}

/** The cell of a rating; null until both are given. */
export const cellOf = (cells: Cells, likelihood: unknown, impact: unknown): Cell | null =>
  cells[likelihood as Likelihood]?.[impact as Impact] ?? null

/** Whether a level is above the appetite; null where there is no level, or nothing is said of the category. */
export function exceeds(appetite: Appetite, category: unknown, level: unknown): boolean | null {
  const highest = appetite[String(category)] ?? null
  return highest === null || level == null ? null : LEVELS.indexOf(level as Level) > LEVELS.indexOf(highest)
}

/** The fields of a record that follow from the matrix. */
export function ratedBy({ levels, appetite }: ByMatrix, rules: RatingRules, values: Values): Values {
  const rated: Record<string, unknown> = {}
  for (const [field, { likelihood, impact, score }] of Object.entries(levels)) {
    const cell = cellOf(rules.cells, values[likelihood], values[impact])
    rated[field] = cell?.level ?? null
    if (score !== undefined) rated[score] = cell?.score ?? null
  }
  if (appetite)
    rated[appetite.exceeded] = exceeds(rules.appetite, values[appetite.category], rated[appetite.level])
  return rated
}
