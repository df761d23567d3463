import type { LibraryMatrix, MatrixLevel, MatrixStep } from '../catalog.ts'
import { Unreadable } from './faults.ts'
import { counted, type LeftOut, listed } from './left-out.ts'
import type { Item, Shape } from './shape.ts'

/*
 * The risk matrix of a CISO Assistant library. The product has five steps of likelihood and of impact, and four levels:
 * a matrix of another size is refused, since records could not be rated by it.
 */

const STEPS = 5
const LEVELS = 4
const LABEL_AT_MOST = 40
const DESCRIPTION_AT_MOST = 500

const COLOURS = {
  grey: [134, 142, 150],
  blue: [34, 139, 230],
  teal: [18, 184, 134],
  green: [64, 192, 87],
  yellow: [250, 220, 20],
  orange: [253, 150, 20],
  red: [240, 62, 62],
  purple: [174, 62, 201],
} as const

type Colour = keyof typeof COLOURS

const TAKEN = new Set(['name', 'description', 'hexcolor', 'id', 'abbreviation'])
const OF_THE_MATRIX = new Set([
  'urn',
  'ref_id',
  'name',
  'description',
  'probability',
  'impact',
  'risk',
  'grid',
])

/** @throws {Unreadable} for a matrix that the product cannot hold */
export function matrixOf(objects: Item, shape: Shape, leftOut: LeftOut): LibraryMatrix | null {
  const all = shape.objects(objects, 'risk_matrix')
  const [item] = all
  if (!item) return null
  const place = shape.placeOf(item.path)
  if (all.length > 1)
    throw new Unreadable(place, `The library has ${all.length} risk matrices: give one with a single matrix.`)
  const [probability, impact, risk] = ['probability', 'impact', 'risk'].map((name) =>
    shape.objects(item, name),
  ) as [Item[], Item[], Item[]]
  const reasons = [
    ...(probability.length === STEPS
      ? []
      : [
          `${counted(probability.length, 'step', 'steps')} of likelihood where a risk matrix here has ${STEPS}`,
        ]),
    ...(impact.length === STEPS
      ? []
      : [`${counted(impact.length, 'step', 'steps')} of impact where a risk matrix here has ${STEPS}`]),
    ...(risk.length > 0 && risk.length <= LEVELS
      ? []
      : [
          `${counted(risk.length, 'risk level', 'risk levels')} where a risk matrix here has at most ${LEVELS}`,
        ]),
  ]
  const name = shape.text(item, 'name') ?? 'Risk matrix'
  if (reasons.length > 0)
    throw new Unreadable(place, `The risk matrix “${name}” cannot be imported: it has ${reasons.join('; ')}.`)
  const grid = gridOf(item, risk.length)
  if (!grid)
    throw new Unreadable(
      shape.placeOf([...item.path, 'grid']),
      `The grid of “${name}” has to have ${STEPS} rows of ${STEPS} numbers, each of them the place of a risk level from 0 to ${risk.length - 1}.`,
    )
  leftOut.fields('matrix', item.fields, OF_THE_MATRIX)
  const steps = (items: readonly Item[]) =>
    items.map((one) => {
      leftOut.fields('matrix step', one.fields, new Set([...TAKEN].filter((field) => field !== 'hexcolor')))
      return stepOf(one, shape, leftOut)
    })
  return {
    name,
    likelihoods: steps(probability),
    impacts: steps(impact),
    levels: levelsOf(risk, shape, leftOut),
    grid,
  }
}

function stepOf(item: Item, shape: Shape, leftOut: LeftOut): MatrixStep {
  const label = shape.fitting(item, 'name', LABEL_AT_MOST, leftOut)
  if (label === undefined) shape.fault([...item.path, 'name'], 'is missing: give a name')
  const description = shape.fitting(item, 'description', DESCRIPTION_AT_MOST, leftOut)
  return { label: label ?? '', description: description ?? null }
}

function gridOf({ fields: { grid } }: Item, levels: number): number[][] | null {
  const isRow = (row: unknown): row is number[] =>
    Array.isArray(row) &&
    row.length === STEPS &&
    row.every((cell) => Number.isInteger(cell) && cell >= 0 && cell < levels)
  return Array.isArray(grid) && grid.length === STEPS && grid.every(isRow) ? grid : null
}

/** Each level in the nearest colour of those here that no level before it has. */
function levelsOf(risk: readonly Item[], shape: Shape, leftOut: LeftOut): MatrixLevel[] {
  const taken = new Set<Colour>()
  return risk.map((item) => {
    leftOut.fields('matrix level', item.fields, TAKEN)
    const step = stepOf(item, shape, leftOut)
    const [, hex] = /^#([0-9a-f]{6})$/i.exec(shape.text(item, 'hexcolor') ?? '') ?? []
    if (!hex) return step
    const wanted = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    const distance = (colour: Colour) =>
      COLOURS[colour].reduce((sum, part, at) => sum + (part - wanted[at]!) ** 2, 0)
    const free = (Object.keys(COLOURS) as Colour[]).filter((colour) => !taken.has(colour))
    const colour = free.toSorted((one, other) => distance(one) - distance(other))[0]!
    taken.add(colour)
    return { ...step, colour }
  })
}

export const matrixNotes = (leftOut: LeftOut): string[] => {
  const fields = new Set(
    ['matrix', 'matrix step', 'matrix level'].flatMap((owner) => [...leftOut.of(owner).keys()]),
  )
  return fields.size === 0 ? [] : [`Left out of the risk matrix: ${listed([...fields])}.`]
}
