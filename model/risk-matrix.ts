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

export interface MatrixComplaint {
  readonly path: string
  readonly message: string
}

/** What a matrix must not be like: each cell, label and colour at fault by its path. */
export const complaintsOf = (matrix: RiskMatrix): readonly MatrixComplaint[] => [
  ...fallingCells(matrix),
  ...alike('likelihoods', matrix.likelihoods, 'label'),
  ...alike('impacts', matrix.impacts, 'label'),
  ...alike('levels', matrix.levels, 'label'),
  ...alike('levels', matrix.levels, 'colour'),
]

/** More likely or worse is never less grave: of each cell, what stands before it on either side. */
function fallingCells({ cells, ...matrix }: RiskMatrix): MatrixComplaint[] {
  const nameOf = (likelihood: Likelihood, impact: Impact) =>
    `${matrix.likelihoods[likelihood].label} × ${matrix.impacts[impact].label}`
  return LIKELIHOODS.flatMap((likelihood, across) =>
    IMPACTS.flatMap((impact, down) => {
      const here = cells[likelihood][impact]
      const before = [
        ...(across > 0 ? [[LIKELIHOODS[across - 1]!, impact] as const] : []),
        ...(down > 0 ? [[likelihood, IMPACTS[down - 1]!] as const] : []),
      ]
      return before.flatMap(([likelier, worse]) => {
        const there = cells[likelier][worse]
        const told = (field: keyof Cell, is: unknown, other: unknown): MatrixComplaint => ({
          path: `cells.${likelihood}.${impact}.${field}`,
          message: `is ${is}, below ${other} of ${nameOf(likelier, worse)}: a ${field} does not fall as likelihood or impact rises`,
        })
        const [level, least] = [here, there].map((cell) => LEVELS.indexOf(cell.level)) as [number, number]
        return [
          ...(level < least ? [told('level', here.level, there.level)] : []),
          ...(here.score < there.score ? [told('score', here.score, there.score)] : []),
        ]
      })
    }),
  )
}

/** What is told apart by its name or its colour has one of its own. */
function alike(
  part: string,
  steps: Readonly<Record<string, Step & { colour?: string }>>,
  what: 'label' | 'colour',
): MatrixComplaint[] {
  const seen = new Map<string, string>()
  return Object.entries(steps).flatMap(([key, step]) => {
    const value = String(step[what]).toLowerCase()
    const other = seen.get(value)
    seen.set(value, key)
    return other === undefined
      ? []
      : [{ path: `${part}.${key}.${what}`, message: `is that of ${other} as well: give each its own` }]
  })
}

/** A matrix with what a change says of it; what the change leaves out stays. */
export function mergedMatrix(matrix: RiskMatrix, change: MatrixChange): RiskMatrix {
  const merge = (one: object, other: object | undefined): never =>
    Object.fromEntries(
      Object.entries({ ...one, ...other }).map(([key]) => {
        const [stands, given] = [one, other ?? {}].map((part) => (part as Values)[key])
        const isPart = typeof stands === 'object' && stands !== null
        return [key, given === undefined ? stands : isPart ? merge(stands, given as object) : given]
      }),
    ) as never
  return merge(matrix, change)
}

type Deep<T> = T extends object ? { readonly [Key in keyof T]?: Deep<T[Key]> | undefined } : T
export type MatrixChange = Deep<RiskMatrix>

/** What moved between two matrices, each cell, step, level and category by its path. */
export function matrixChanges(
  before: RiskMatrix,
  after: RiskMatrix,
): Record<string, { from: unknown; to: unknown }> {
  const leaves = (matrix: RiskMatrix) => new Map(leavesOf(matrix))
  const [one, other] = [leaves(before), leaves(after)]
  return Object.fromEntries(
    [...new Set([...one.keys(), ...other.keys()])].flatMap((path) => {
      const [from, to] = [one.get(path) ?? null, other.get(path) ?? null]
      return from === to ? [] : [[path, { from, to }]]
    }),
  )
}

const leavesOf = (part: object, path: readonly string[] = []): (readonly [string, unknown])[] =>
  Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? leavesOf(value, [...path, key])
      : [[[...path, key].join('.'), value] as const],
  )
