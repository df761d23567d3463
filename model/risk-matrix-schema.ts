import { z } from 'zod'
import { fact } from './fact.ts'
import { comparedWords, words } from './fields.ts'
import { LEVEL_COLOURS, type RatingRules } from './risk-matrix.ts'
import { IMPACTS, LEVELS, LIKELIHOODS, RISK_CATEGORIES } from './scales.ts'

/*
 * The risk matrix as calls take and answer it, and as the rules of a kind are given it.
 */

const level = z.enum(LEVELS)
const STEP = {
  label: comparedWords(40).describe('What it is called'),
  description: words(500).nullable().describe('What it stands for'),
}
const LEVEL = { ...STEP, colour: z.enum(LEVEL_COLOURS).describe('In which it is shown') }
const CELL = { score: z.int().min(1).max(25), level }

const step = z.object(STEP).meta({ id: 'MatrixStep' })
const cell = z.object(CELL).meta({ id: 'MatrixCell' })
const category = z.enum(RISK_CATEGORIES)

/** As it is answered. */
export const MATRIX = {
  likelihoods: z.record(z.enum(LIKELIHOODS), step).describe('What each step is called'),
  impacts: z.record(z.enum(IMPACTS), step).describe('What each step is called'),
  levels: z.record(level, z.object(LEVEL).meta({ id: 'MatrixLevel' })).describe('How each level is shown'),
  cells: z
    .record(z.enum(LIKELIHOODS), z.record(z.enum(IMPACTS), cell))
    .describe('By likelihood, then impact: the score and the level that follow'),
  appetite: z
    .partialRecord(category, level.nullable())
    .describe('By category, the highest level within the appetite; null or absent where none is said'),
}

const eachOf = <const Key extends string, Schema extends z.ZodType>(keys: readonly Key[], schema: Schema) =>
  z
    .strictObject(
      Object.fromEntries(keys.map((key) => [key, schema.optional()])) as Record<Key, z.ZodOptional<Schema>>,
    )
    .optional()

const changeOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape).partial()

/** As a change gives it: what is left out stays. */
export const MATRIX_CHANGE = {
  likelihoods: eachOf(LIKELIHOODS, changeOf(STEP)).describe('What each step is called'),
  impacts: eachOf(IMPACTS, changeOf(STEP)).describe('What each step is called'),
  levels: eachOf(LEVELS, changeOf(LEVEL)).describe('How each level is shown'),
  cells: eachOf(LIKELIHOODS, eachOf(IMPACTS, changeOf(CELL))).describe(
    'By likelihood, then impact: the score and the level that follow; neither falls as one of them rises',
  ),
  appetite: eachOf(RISK_CATEGORIES, level.nullable()).describe(
    'By category, the highest level within the appetite; null says none',
  ),
}

/**
 * What ratings follow from; null where the organization has said nothing of its own. Whoever reads it keeps it as it is
 * until their transaction ends (0051-risk-matrix.sql).
 */
export const matrixFact = fact(
  'select cells, appetite from risk_matrix_for_write({organization})',
  // As it was judged when it was written: its form alone, since every write of a risk asks.
  z.object({ cells: z.custom<RatingRules['cells']>(isObject), appetite: z.custom(isObject) }).nullable(),
)

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
