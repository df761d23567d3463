import type { Values } from './complaint.ts'
import type { Cell, RiskMatrix, Step } from './risk-matrix.ts'
import { IMPACTS, type Impact, LEVELS, LIKELIHOODS, type Likelihood } from './scales.ts'

/* What a change of the risk matrix makes of it, and what it must not: the service and the editor go by the same. */

export interface MatrixComplaint {
  readonly path: string
  readonly message: string
  /** The other of the two that do not go together: either may be the one to mend. */
  readonly against?: string
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
          against: `cells.${likelier}.${worse}.${field}`,
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
