import type { Field } from '../../model/described-field.ts'
import { DEFAULT_MATRIX, type LevelColour, type RiskMatrix, type Step } from '../../model/risk-matrix.ts'
import type { Level } from '../../model/scales.ts'

/*
 * The risk matrix of the organization, in one place, as its formats are (formats.ts): what follows from a rating, and
 * what levels and steps are called and look like. It comes with the session.
 */

let matrix: RiskMatrix = DEFAULT_MATRIX

/** That of the organization that the session is in; null for the one of every organization. */
export function setRiskMatrix(next: RiskMatrix | null): void {
  matrix = next ?? DEFAULT_MATRIX
}

export const riskMatrix = (): RiskMatrix => matrix

/** What a level of a risk is called. */
export const levelWord = (level: string): string => matrix.levels[level as Level]?.label ?? level

/** In which colour it is shown; none of what is no level. */
export const levelColour = (level: string | null | undefined): LevelColour | undefined =>
  matrix.levels[level as Level]?.colour

/** What a step or a level is called, where the choices of a field are such; undefined of any other. */
export const matrixWord = (part: Field['ofMatrix'], value: string): string | undefined =>
  part && (matrix[part] as Readonly<Record<string, Step>>)[value]?.label

/** The levels of the scale of a field, as a mark is given them; none where it is that of the matrix. */
export const scaleOf = ({ ofMatrix, options }: Pick<Field, 'ofMatrix' | 'options'>) =>
  ofMatrix === 'levels' ? undefined : options
